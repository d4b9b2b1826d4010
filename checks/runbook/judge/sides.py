"""The rows that a check complains of, and those of which it is content: the two sides of a contrast."""

from collections.abc import Mapping
from typing import NamedTuple

from runbook.judge.compiled import Compiled
from runbook.judge.judge import Context, chosen_rows, ranked_rows
from runbook.judge.table import rows_of
from runbook.model.fact import Fact


class Sides(NamedTuple):
    """Rows of a check's fact, by their places; those that could not be judged are in neither."""

    bad: list[int]
    well: list[int]


def sides(compiled: Compiled, facts: Mapping[str, Fact], context: Context) -> Sides:
    """Judge the rows of a check that looks at each, and part them; no rows where it looks at them together."""
    if compiled.mode not in ("each", "window") or compiled.that is None:
        return Sides([], [])
    table, constants = rows_of(compiled, facts), context.constants()
    chosen = chosen_rows(compiled, table.cells, constants, table.count)
    if (ranked := ranked_rows(compiled, facts[compiled.subject], context)) is not None:
        chosen = [where is True and concerned for where, concerned in zip(chosen, ranked, strict=True)]
    answers = compiled.that.each(table.cells, constants, table.count, chosen)
    rows = [(row, answer) for row, (answer, where) in enumerate(zip(answers, chosen, strict=True)) if where is True]
    return Sides(
        [row for row, answer in rows if answer is False],
        [row for row, answer in rows if answer is True and row not in table.holes],
    )
