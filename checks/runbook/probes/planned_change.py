"""What becomes of topics, clusters and what else runs, when declared changes are applied."""

from typing import Annotated, Final

from runbook.formats.statements import ChangeStated, Part
from runbook.model.fact import Observed, distinct
from runbook.model.row import Cell
from runbook.probes._other_tools import OtherTools
from runbook.probes._strimzi import (
    SOURCE,
    Declares,
    PlacedRow,
    declared_if_any,
    probe_of,
)


class PlannedChange(PlacedRow):
    """A change of a topic, a cluster or another part."""

    resource: Annotated[str, Cell("Its address in Terraform, else as kubectl has it: kafkatopic/orders.", key=True)]
    tool: Annotated[str, Cell("The tool that applies it, as Terraform.")]
    thing: Annotated[
        str,
        Cell("What changes: topic, cluster, node pool, user, Connect cluster, connector, MirrorMaker 2, HTTP Bridge."),
    ]
    name: Annotated[str, Cell("Its own name.", entity="topic")]
    action: Annotated[
        str, Cell("create, update, no-op, delete, replace, forget; apply where the tool itself finds out.")
    ]
    loses_records: Annotated[bool, Cell("Whether applying it deletes records.")]
    because: Annotated[list[str], Cell("Fields that force a replacement.")]
    effect: Annotated[str, Cell("What becomes of it; empty where the action says it.")]
    stops: Annotated[bool, Cell("Whether nodes, clients or flows of data stop.")]
    carried_out: Annotated[bool | None, Cell("Whether the tool carries it out.", why="why")]
    why: Annotated[str, Cell("Why that is not known; empty where it is.")]
    source: Annotated[str, SOURCE]


PROBE = probe_of(
    PlannedChange,
    help=(
        "One row per topic or cluster that a plan of Terraform, or jikkou, changes or leaves as it is, and per change "
        "since --base of Strimzi's resources that deletes one, stops nodes, or is not carried out."
    ),
)
_NONE: Final = "the files hold no plan of Terraform, nothing of jikkou and, since --base, nothing of Strimzi that goes"
_PARTS: Final[tuple[Part, ...]] = ("topic", "cluster")


def observe(files: Declares) -> Observed:
    """Observe what the files change; resources of an API server are no changes."""
    if not isinstance(files, OtherTools):
        declared_if_any(files, "kafkas")  # one that does not answer tells nothing at all
        return Observed(inapplicable="an API server tells what is declared, and no changes of it")
    rows = [_row(one) for one in files.changes()]
    gaps = [lost.gap() for part in _PARTS for lost in files.unread(part)] + [lost.gap() for lost in files.unclear()]
    return Observed(rows=rows, gaps=distinct(gaps), inapplicable="" if rows or gaps else _NONE)


def _row(one: ChangeStated) -> PlannedChange:
    return PlannedChange(
        namespace=one.namespace,
        resource=one.resource,
        tool=one.by,
        thing=one.thing,
        name=one.name,
        action=one.action,
        loses_records=one.loses_records,
        because=one.because,
        effect=one.effect,
        stops=one.stops,
        carried_out=one.carried_out,
        why=one.why if one.carried_out is None else "",
        source=one.source,
        places=one.places,
    )
