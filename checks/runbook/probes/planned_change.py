"""What becomes of topics and clusters, with their records, when declared changes are applied."""

from typing import Annotated, Final

from runbook.formats.statements import ChangeStated, Part
from runbook.model.fact import Observed, distinct
from runbook.model.row import Cell
from runbook.probes._strimzi import SOURCE, Declares, OtherTools, PlacedRow, declared_if_any, probe_of


class PlannedChange(PlacedRow):
    """A change of a topic or a cluster."""

    resource: Annotated[str, Cell("Its address in Terraform, or the name of the resource.", key=True)]
    tool: Annotated[str, Cell("The tool that applies it, as Terraform.")]
    thing: Annotated[str, Cell("What changes: topic or cluster.")]
    name: Annotated[str, Cell("Its own name.", entity="topic")]
    action: Annotated[
        str, Cell("create, update, no-op, delete, replace, forget; apply where the tool itself finds out.")
    ]
    loses_records: Annotated[bool, Cell("Whether applying it deletes records.")]
    because: Annotated[list[str], Cell("Fields that force a replacement.")]
    source: Annotated[str, SOURCE]


PROBE = probe_of(
    PlannedChange,
    help=(
        "One row per topic or cluster that a plan of Terraform, or jikkou, changes or leaves as it is, and per topic "
        "of Strimzi that files declared before (--base) and no longer do."
    ),
)
_NONE: Final = "the files hold no plan of Terraform, and nothing of jikkou, that changes a topic or a cluster"
_PARTS: Final[tuple[Part, ...]] = ("topic", "cluster")


def observe(files: Declares) -> Observed:
    """Observe what the files change; resources of an API server are no changes."""
    if not isinstance(files, OtherTools):
        declared_if_any(files, "kafkas")  # one that does not answer tells nothing at all
        return Observed(inapplicable="an API server tells what is declared, and no changes of it")
    rows = [_row(one) for one in files.changes()]
    gaps = [lost.gap() for part in _PARTS for lost in files.unread(part)]
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
        source=one.source,
        places=one.places,
    )
