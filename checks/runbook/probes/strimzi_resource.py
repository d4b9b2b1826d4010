"""Resources of Strimzi as they are declared: whether an operator will find them, and an API server take them."""

from collections.abc import Iterator
from difflib import get_close_matches
from functools import partial
from typing import Annotated

from runbook.answers.kubernetes.objects import labels
from runbook.answers.kubernetes.strimzi import CLUSTER
from runbook.formats.declared import at
from runbook.formats.strimzi_fields import refused
from runbook.formats.strimzi_values import placeholders, unverified
from runbook.model.fact import Gap, Observed
from runbook.model.row import Cell, Row, row_of
from runbook.probes._strimzi import (
    API_GROUP,
    KINDS,
    OWNERS,
    SOURCE,
    Declared,
    Declares,
    InFiles,
    PlacedRow,
    each,
    observed,
    of_thing,
    probe_of,
)


class StrimziResource(PlacedRow):
    """A resource."""

    kind: Annotated[str, Cell("Kind, as in KafkaTopic.", key=True)]
    resource: Annotated[str, Cell("Name.", key=True)] = at("name")
    source: Annotated[str, SOURCE] = at("source")
    owner: Annotated[str, Cell("Kind of what it belongs to; empty where it stands by itself.", written="whole.kind")]
    cluster: Annotated[
        str, Cell("The one it belongs to, by its label strimzi.io/cluster; empty without that.", written="cluster")
    ]
    misspelt: Annotated[list[str], Cell("Labels that look as if they were meant to be that one.")]
    refused: Annotated[
        list[str],
        Cell("What an API server would refuse or drop: unknown, missing and wrong fields; of what it gave, nothing."),
    ]
    placeholders: Annotated[list[str], Cell("Fields with a placeholder such as ${NAME}, which nobody filled in.")]
    unverified: Annotated[list[str], Cell("Fields that turn off the verification of host names in TLS.")]


PROBE = probe_of(StrimziResource, *KINDS.values(), help="One row per resource of Strimzi, of every kind.")


def observe(strimzi: Declares) -> Observed:
    """Observe every resource that is declared."""
    seen = observed(strimzi, {plural: partial(_rows, kind) for kind, plural in KINDS.items()})
    others = strimzi.others(API_GROUP, KINDS.values()) if isinstance(strimzi, InFiles) else []
    if not others:
        return seen
    rows = [_row(str(one.whole["kind"]), one) for one in map(partial(of_thing, asked=""), others)]
    return Observed(rows=[*seen.rows, *rows], gaps=seen.gaps)


def _rows(kind: str, found: list[Declared]) -> Iterator[Row | Gap]:
    return each(found, partial(_row, kind))


def _is_template(one: Declared) -> bool:
    """Whether it only says how Cruise Control rebalances by itself, which no cluster acts on (ResourceAnnotations)."""
    return labels(one.whole, "metadata", "annotations").get("strimzi.io/rebalance-template") == "true"


def _row(kind: str, one: Declared) -> StrimziResource:
    marks = labels(one.whole)
    misspelt = [] if CLUSTER in marks else get_close_matches(CLUSTER, marks)
    problems = refused(one.whole) if one.marks else []
    unfilled, unsure = placeholders(one.whole), unverified(one.whole)
    return row_of(
        StrimziResource,
        one,
        kind=kind,
        owner="" if _is_template(one) else OWNERS.get(kind, ""),
        cluster=marks.get(CLUSTER, ""),
        misspelt=misspelt,
        placeholders=[found.says for found in unfilled],
        unverified=[found.says for found in unsure],
        refused=[f"{problem.says} (line {one.place(*problem.path).rsplit(':', 2)[1]})" for problem in problems],
        places=one.places(
            StrimziResource,
            cluster=("metadata", "labels", *misspelt[:1]),
            refused=problems[0].path if problems else (),
            placeholders=unfilled[0].path if unfilled else (),
            unverified=unsure[0].path if unsure else (),
        ),
    )
