"""A probe without key columns."""

from typing import Annotated, Any

from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.engine.row import Cell, Row


class FakeEvent(Row):
    """What it gives."""

    text: Annotated[str, Cell("What happened.")]


PROBE = Probe(
    connections=("fake",),
    help="One row per event.",
    row=FakeEvent,
    requests=("Nothing",),
    rights=("None",),
)


def observe(_: Any) -> Observed:
    """Give one event."""
    return Observed([FakeEvent(text="started")])
