"""Which row is which: by its keys, and by what it is where a start renews them."""

from typing import Any

from runbook.changes.matching import pairs
from runbook.model.column import Column

COLUMNS = (
    Column("host", "string", "Host.", key=True, entity="host"),
    Column("pid", "int", "Process id.", key=True, renewed=True),
    Column("broker", "int", "Node id.", entity="broker"),
    Column("kind", "string", "What it is."),
    Column("heap", "int", "Its heap."),
    Column("memory", "int", "What it takes.", moves=True),
)


def process(host: str, pid: int, broker: int | None, kind: str = "broker", heap: int = 1, memory: int = 5) -> Any:
    """A process."""
    return {"host": host, "pid": pid, "broker": broker, "kind": kind, "heap": heap, "memory": memory}


def matched(old: list[Any], new: list[Any]) -> list[tuple[int | None, int | None]]:
    """The process ids of each pair."""
    return [(one and one["pid"], other and other["pid"]) for one, other in pairs(COLUMNS, old, new)]


def test_rows_of_the_same_keys_are_one_whatever_else_they_say() -> None:
    assert matched([process("a", 1, 1)], [process("a", 1, 2, "other", 9, 9)]) == [(1, 1)]


def test_a_process_that_was_started_anew_is_the_one_that_is_most_alike() -> None:
    old = [process("a", 1, 1), process("a", 2, 2)]
    new = [process("a", 8, 2, heap=3, memory=50), process("a", 9, 1)]
    assert matched(old, new) == [(1, 9), (2, 8)]


def test_another_broker_another_host_and_what_has_little_in_common_are_other_processes() -> None:
    assert matched([process("a", 1, 1)], [process("a", 9, 2)]) == [(1, None), (None, 9)]
    assert matched([process("a", 1, 1)], [process("b", 9, 1)]) == [(1, None), (None, 9)]
    assert matched([process("a", 1, None)], [process("a", 9, 1, "other", 7)]) == [(1, None), (None, 9)]


def test_one_process_is_not_two() -> None:
    assert matched([process("a", 1, 1)], [process("a", 8, 1), process("a", 9, 1)]) == [(1, 8), (None, 9)]


def test_keys_that_no_start_renews_are_needed() -> None:
    columns = tuple(column for column in COLUMNS if column.name != "pid")
    old, new = process("a", 1, 1), process("b", 1, 1)
    assert list(pairs(columns, [old], [new])) == [(old, None), (None, new)]


def test_a_row_that_is_told_twice_is_one() -> None:
    assert matched([process("a", 1, 1)] * 2, [process("a", 1, 1)] * 2) == [(1, 1)]
