"""The rows that a check complains of and those of which it is content are those that judging counts."""

from typing import Any

import pytest
from msgspec import structs

from runbook.judge.judge import judge
from runbook.judge.sides import sides
from runbook.model.objective import Ranking
from support.small_runbooks import compiled, context, fact
from support.small_verdicts import JOIN, SMALL, row

pytestmark = pytest.mark.usefixtures("fakes")


def parted(body: str, rows: list[dict[str, Any]], *, ranking: Ranking | None = None, **fields: str) -> tuple[Any, Any]:
    check = compiled(body, **fields)
    given = context() if ranking is None else structs.replace(context(), ranking=ranking)
    facts = {"row": fact("fake_row", rows), "node": fact("fake_node", [{"broker": 1, "limit": 5}])}
    seen, verdict = sides(check, facts, given), judge(check, facts, given)
    assert len(seen.bad) == verdict.failed
    return seen.bad, seen.well


def test_rows_that_fail_and_rows_that_are_well_are_told_apart_and_what_is_not_known_is_neither() -> None:
    assert parted(SMALL, [row("a", size=1), row("b", size=11), row("c", size=None)]) == ([1], [0])


def test_rows_that_are_not_judged_are_on_neither_side() -> None:
    body = "facts: {row: {probe: fake_row}}\nexpect: {each: row, where: row.name != 'a', that: row.size <= 10}"
    assert parted(body, [row("a", size=1), row("b", size=11), row("c", size=2)]) == ([1], [2])


def test_a_check_that_looks_at_rows_together_has_no_sides() -> None:
    body = "facts: {row: {probe: fake_row}}\nexpect: {all: row, that: size(row.name) > 5}"
    check = compiled(body)
    seen = sides(check, {"row": fact("fake_row", [row("a", size=1)])}, context())
    assert (seen.bad, seen.well) == ([], [])


def test_rows_whose_objectives_rank_otherwise_are_on_neither_side() -> None:
    ranking = Ranking(["durability", "availability"])
    fields = {"objectives": "[availability]", "against": "[durability]"}
    assert parted(SMALL, [row("a", size=11)], ranking=ranking, **fields) == ([], [])


def test_a_row_that_joins_to_nothing_is_not_well() -> None:
    assert parted(JOIN, [row("a", broker=1, size=1), row("b", broker=99, size=1)]) == ([], [0])


def test_a_row_that_joins_to_nothing_is_not_well_though_its_own_cells_are() -> None:
    assert parted(JOIN.replace("node.limit", "10"), [row("a", broker=1, size=1), row("b", broker=99, size=1)]) == (
        [],
        [0],
    )
