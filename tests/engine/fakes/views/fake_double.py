"""A view that doubles, and that fails where it is told to."""

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Gap, Observed
from runbook.engine.parameter import Parameter
from runbook.engine.view import View

VIEW = View(
    help="One row per row, twice its size.",
    columns=(
        Column("name", "string", "Name.", key=True, entity="topic"),
        Column("twice", "int", "Twice the size.", unit="bytes"),
    ),
    of=(("name", "size"),),
    parameters={
        "times": Parameter(type="int", default=2, min=1, help="how many times"),
        "fail": Parameter(type="bool", default=False, help="whether to fail"),
        "gap": Parameter(type="string", default="", help="what it could not compute"),
    },
)


def compute(rows: Fact, /, *, times: int = 2, fail: bool = False, gap: str = "") -> Observed:
    """Double."""
    if fail:
        raise KeyError("asked to fail")
    doubled = [(row["name"], None if row["size"] is None else row["size"] * times) for row in rows.rows()]
    return Observed(doubled, [Gap(gap)] if gap else [])
