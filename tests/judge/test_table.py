from collections import Counter
from typing import Any

import pytest

from runbook.judge import table as module
from runbook.judge.table import BEFORE, Table, key_of, rows_of, touches
from runbook.model.fact import Fact, Gap
from runbook.model.result import Doubt
from support.small_runbooks import ROWS, compiled, fact

pytestmark = pytest.mark.usefixtures("fakes")

JOINED = """
    facts: {row: {probe: fake_row}, node: {probe: fake_node}}
    expect: {each: row, join: {node: {broker: broker}}, that: row.size <= node.limit}
"""
LOOKED = "facts: {row: {probe: fake_row, looks: 1s}}\nexpect: {window: row, that: after.size >= before.size}"


def table(body: str, rows: list[dict[str, Any]], **more: Any) -> Table:
    facts = {name.replace("_", "."): fact for name, fact in more.items()}
    return rows_of(compiled(body), {"row": fact("fake_row", rows)} | facts)


def test_columns_are_variables_by_the_name_of_their_fact() -> None:
    made = table(ROWS + "expect: {each: row, that: row.ok}", [{"name": "a", "size": 3}])
    assert (made.count, made.cells["row.name"], made.cells["row.size"]) == (1, ["a"], [3])


def test_a_joined_fact_stands_beside_each_row_in_the_rows_order() -> None:
    nodes = fact("fake_node", [{"broker": 1, "limit": 10}, {"broker": 2, "limit": 20}])
    made = table(
        JOINED, [{"name": "a", "broker": 2}, {"name": "b", "broker": 1}, {"name": "c", "broker": 9}], node=nodes
    )
    assert [*made.cells["node.limit"]] == [20, 10, None]
    assert made.holes == {2: Doubt("broker 9 is unknown: fake_node lists only 1, 2")}


def test_why_a_joined_fact_is_incomplete_is_said_of_rows_it_lacks() -> None:
    made = table(JOINED, [{"name": "a", "broker": 2}], node=fact("fake_node", gaps=["broker 2 is silent"]))
    assert made.holes == {0: Doubt("broker 2 is unknown: fake_node lists none (broker 2 is silent)")}
    assert made.gaps == [Gap("broker 2 is silent")]


def test_what_a_joined_fact_lists_is_worked_out_once_for_all_rows_that_it_lacks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times = Counter[str]()
    listed = module._listed

    def counted(joined: Fact, on: dict[str, str]) -> str:
        times[joined.source] += 1
        return listed(joined, on)

    monkeypatch.setattr(module, "_listed", counted)
    nodes = fact("fake_node", [{"broker": number, "limit": 10} for number in range(4)])
    made = table(JOINED, [{"name": str(row), "broker": 8 + row % 2} for row in range(50)], node=nodes)
    assert [made.holes[row] for row in range(50)] == [
        Doubt(f"broker {broker} is unknown: fake_node does not list it") for broker in (8, 9)
    ] * 25
    assert times == {"fake_node": 1}


def test_two_looks_stand_side_by_side_whatever_their_order() -> None:
    before = fact("fake_row", [{"name": "b", "size": 2}, {"name": "a", "size": 1}])
    made = table(LOOKED, [{"name": "a", "size": 3}, {"name": "b", "size": 4}], **{f"row_{BEFORE}": before})
    assert (made.cells["before.size"], made.cells["after.size"], made.holes) == ([1, 2], [3, 4], {})


def test_a_row_is_named_by_its_key_columns() -> None:
    check = compiled("facts: {log: {probe: fake_log}}\nexpect: {each: log, that: log.size > 0}")
    logs = fact("fake_log", [{"broker": 1, "path": "/a", "size": 5}])
    assert key_of(check.columns, logs, 0) == {"broker": 1, "path": "/a"}


def test_a_row_touches_its_keys_and_what_is_named_besides_but_never_an_absence() -> None:
    check = compiled(ROWS + "expect: {each: row, that: row.ok}")
    rows = fact("fake_row", [{"name": "a", "broker": -1, "numbers": [2, 1, 2]}])
    assert touches(check.columns, [], rows, 0) == {"topic": ["a"]}
    assert touches(check.columns, ["broker", "numbers"], rows, 0) == {"topic": ["a"], "broker": [2, 1]}
