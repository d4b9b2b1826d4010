"""Which row is which: by its keys, and by what it is where a start renews them."""

from typing import Any

from runbook.changes.row_pairs import matched
from runbook.model.column import Column
from runbook.model.fact import Fact

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


def fact(rows: list[Any]) -> Fact:
    """Processes."""
    return Fact("processes", {column.name: [row[column.name] for row in rows] for column in COLUMNS})


def pids(old: list[Any], new: list[Any]) -> list[tuple[int | None, int | None]]:
    """The process ids of each pair."""
    found = matched(COLUMNS, fact(old), fact(new))
    both = [(old[i]["pid"], new[j]["pid"]) for i, j in zip(*found.both, strict=True)]
    return [*both, *((old[i]["pid"], None) for i in found.gone), *((None, new[j]["pid"]) for j in found.come)]


def test_rows_of_the_same_keys_are_one_whatever_else_they_say() -> None:
    assert pids([process("a", 1, 1)], [process("a", 1, 2, "other", 9, 9)]) == [(1, 1)]


def test_a_process_that_was_started_anew_is_the_one_that_is_most_alike() -> None:
    old = [process("a", 1, 1), process("a", 2, 2)]
    new = [process("a", 8, 2, heap=3, memory=50), process("a", 9, 1)]
    assert pids(old, new) == [(1, 9), (2, 8)]


def test_another_broker_another_host_and_what_has_little_in_common_are_other_processes() -> None:
    assert pids([process("a", 1, 1)], [process("a", 9, 2)]) == [(1, None), (None, 9)]
    assert pids([process("a", 1, 1)], [process("b", 9, 1)]) == [(1, None), (None, 9)]
    assert pids([process("a", 1, None)], [process("a", 9, 1, "other", 7)]) == [(1, None), (None, 9)]


def test_one_process_is_not_two() -> None:
    assert pids([process("a", 1, 1)], [process("a", 8, 1), process("a", 9, 1)]) == [(1, 8), (None, 9)]


def test_keys_that_no_start_renews_are_needed() -> None:
    columns = tuple(column for column in COLUMNS if column.name != "pid")
    found = matched(columns, fact([process("a", 1, 1)]), fact([process("b", 1, 1)]))
    assert (found.both, found.gone, found.come) == (([], []), [0], [0])


def test_a_row_that_is_told_twice_is_one() -> None:
    assert pids([process("a", 1, 1)] * 2, [process("a", 1, 1)] * 3) == [(1, 1)]
