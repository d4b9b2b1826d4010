"""A probe without key columns."""

from typing import Annotated, Any

from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row


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
