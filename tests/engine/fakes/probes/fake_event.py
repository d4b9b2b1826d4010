"""A probe without key columns."""

from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("fake",),
    help="One row per event.",
    columns=(Column("text", "string", "What happened."),),
    requests=("Nothing",),
    rights=("None",),
)


def observe(_: Any) -> Observed:
    """Give one event."""
    return Observed([("started",)])
