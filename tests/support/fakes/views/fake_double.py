"""A view that doubles, and that fails where it is told to."""

from typing import Annotated

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class FakeDouble(Row):
    """What it gives."""

    name: Annotated[str, Cell("Name.", key=True, entity="topic")]
    twice: Annotated[Bytes | None, Cell("Twice the size.")]


VIEW = View(
    help="One row per row, twice its size.",
    row=FakeDouble,
    inputs={"row": Input("fake_row", columns=("name", "size"))},
    parameters={
        "times": Parameter(type="int", default=2, min=1, help="how many times"),
        "fail": Parameter(type="bool", default=False, help="whether to fail"),
        "gap": Parameter(type="string", default="", help="what it could not compute"),
    },
)


def compute(*, row: Fact, times: int = 2, fail: bool = False, gap: str = "") -> Observed:
    """Double."""
    if fail:
        raise KeyError("asked to fail")
    doubled = [
        FakeDouble(name=row["name"], twice=None if row["size"] is None else Bytes(row["size"] * times))
        for row in row.rows()
    ]
    return Observed(doubled, [Gap(gap)] if gap else [])
