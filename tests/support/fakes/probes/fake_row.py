"""A probe with a column of every type, for facts that tests write down."""

from typing import Annotated, Any

from runbook.model.fact import Observed
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Bytes, Moment
from runbook.model.row import Cell, Row


class FakeRow(Row):
    """What it gives."""

    name: Annotated[str, Cell("Name.", key=True, entity="topic")]
    broker: Annotated[BrokerId, Cell("The broker it is on; -1 for none.")]
    size: Annotated[Bytes, Cell("A number.")]
    ratio: Annotated[float, Cell("A fraction.")]
    ok: Annotated[bool, Cell("A truth value.", why="name")]
    at: Annotated[Moment, Cell("A time.")]
    tags: Annotated[list[str], Cell("Some words.")]
    numbers: Annotated[list[BrokerId], Cell("Some brokers.")]
    settings: Annotated[dict[str, str], Cell("Some settings.")]


PROBE = Probe(
    connections=("fake",),
    help="One row per name.",
    row=FakeRow,
    requests=("Nothing",),
    rights=("None",),
    parameters={
        "text": Parameter(type="string", help="any text"),
        "least": Parameter(type="int", default=0, min=0, max=9, help="any number"),
    },
)


def observe(_: Any, **given: Any) -> Observed:
    """Give one plain row."""
    return Observed(
        [
            FakeRow(
                name="a",
                broker=BrokerId(1),
                size=given.get("least", 0),
                ratio=0.5,
                ok=True,
                at=Moment("2026-01-01T00:00:00Z"),
                tags=["x"],
                numbers=[BrokerId(1)],
                settings={"k": "v"},
            )
        ]
    )
