"""A probe keyed by broker, to join with."""

from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("fake",),
    help="One row per broker.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("limit", "int", "What is allowed there."),
        Column("rack", "string", "Where it stands.", entity="rack"),
    ),
    requests=("Nothing",),
    rights=("None",),
)


def observe(_: Any) -> Observed:
    """Give one broker."""
    return Observed([(1, 10, "r1")])
