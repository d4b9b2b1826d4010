"""Which row of one look is which row of another."""

from collections.abc import Iterator, Sequence
from typing import Any

from runbook.model.column import Column

Row = dict[str, Any]
Pair = tuple[Row | None, Row | None]

_ALIKE = 0.5  # share of cells in which two rows are equal that are one thing, started anew: our judgement


def pairs(columns: Sequence[Column], old: Sequence[Row], new: Sequence[Row]) -> Iterator[Pair]:
    """Each row of both looks once, with the other look's of the same keys, or None if there is none.

    A key that is renewed at each start, as a process id is, is left out where no row has it any more: then rows are one
    that are alike in most of what else they say.
    """
    names = [column.name for column in columns if column.key]
    after = {_key(row, names): row for row in new}
    gone: list[Row] = []
    for row in {_key(row, names): row for row in old}.values():
        match = after.pop(_key(row, names), None)
        if match is None:
            gone.append(row)
        else:
            yield row, match
    come = list(after.values())
    if any(column.renewed for column in columns):
        for before, later in _renewed(columns, gone, come):
            gone.remove(before)
            come.remove(later)
            yield before, later
    yield from ((row, None) for row in gone)
    yield from ((None, row) for row in come)


def _renewed(columns: Sequence[Column], gone: Sequence[Row], come: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Rows of what was started anew: the same but for what a start renews, most alike first."""
    lasting = [column.name for column in columns if column.key and not column.renewed]
    others = [column for column in columns if not column.key and not column.moves]
    found: list[tuple[float, int, int]] = []
    for i, before in enumerate(gone):
        for j, later in enumerate(come):
            if _key(before, lasting) == _key(later, lasting) and not _contradict(others, before, later):
                same = sum(before[column.name] == later[column.name] for column in others)
                found.append((same / max(1, len(others)), i, j))
    taken: tuple[set[int], set[int]] = (set(), set())
    matched = []
    for share, i, j in sorted(found, key=lambda one: (-one[0], one[1], one[2])):
        if share >= _ALIKE and i not in taken[0] and j not in taken[1]:
            taken[0].add(i)
            taken[1].add(j)
            matched.append((gone[i], come[j]))
    return matched


def _contradict(columns: Sequence[Column], before: Row, later: Row) -> bool:
    """Whether two rows are about entities that are known to differ."""
    named = [column.name for column in columns if column.entity and column.type in ("int", "string")]
    return any(None not in (before[name], later[name]) and before[name] != later[name] for name in named)


def _key(row: Row, names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(row[name] for name in names)
