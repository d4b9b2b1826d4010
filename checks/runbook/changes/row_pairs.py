"""Which row of one look is which row of another."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from runbook.model.column import Column
from runbook.model.fact import Fact

_ALIKE = 0.5  # share of cells in which two rows are equal that are one thing, started anew: our judgement


class Matched(Struct):
    """Which rows are the same, by their places in the two facts.

    Attributes:
        both: of each row that both have, its place in the first and in the second, as two lists of the same length.
        gone: places in the first of those that the second lacks.
        come: places in the second of those that the first lacks.
    """

    both: tuple[Sequence[int], Sequence[int]]
    gone: list[int]
    come: list[int]


def matched(columns: Sequence[Column], old: Fact, new: Fact) -> Matched:
    """Match the rows of two facts by their keys; a row that a fact has twice is one.

    A key that is renewed at each start, as a process id is, is left out where no row has it any more: then rows are one
    that are alike in most of what else they say.
    """
    names = [column.name for column in columns if column.key]
    if all(old.columns[name] == new.columns[name] for name in names):  # nothing came or went, which is the rule
        return Matched((range(len(old)), range(len(new))), [], [])
    before, after = _places(old, names), _places(new, names)
    both = [(place, after[key]) for key, place in before.items() if key in after]
    gone = [place for key, place in before.items() if key not in after]
    come = [place for key, place in after.items() if key not in before]
    if gone and come and any(column.renewed for column in columns):
        again = _renewed(columns, _rows(old, gone), _rows(new, come))
        both += [(gone[i], come[j]) for i, j in again]
        gone = [place for i, place in enumerate(gone) if i not in {first for first, _ in again}]
        come = [place for j, place in enumerate(come) if j not in {second for _, second in again}]
    return Matched(([place for place, _ in both], [place for _, place in both]), gone, come)


def _places(fact: Fact, names: Sequence[str]) -> dict[tuple[Any, ...], int]:
    keys = zip(*(fact.columns[name] for name in names), strict=True)
    return {key: place for place, key in enumerate(keys)}


def _rows(fact: Fact, places: Sequence[int]) -> list[dict[str, Any]]:
    return [{name: cells[place] for name, cells in fact.columns.items()} for place in places]


def _renewed(
    columns: Sequence[Column], gone: Sequence[dict[str, Any]], come: Sequence[dict[str, Any]]
) -> list[tuple[int, int]]:
    """Rows of what was started anew: the same but for what a start renews, most alike first."""
    lasting = [column.name for column in columns if column.key and not column.renewed]
    others = [column for column in columns if not column.key and not column.moves]
    found: list[tuple[float, int, int]] = []
    for i, before in enumerate(gone):
        for j, later in enumerate(come):
            if all(before[name] == later[name] for name in lasting) and not _contradict(others, before, later):
                same = sum(before[column.name] == later[column.name] for column in others)
                found.append((same / max(1, len(others)), i, j))
    pairs: list[tuple[int, int]] = []
    for share, i, j in sorted(found, key=lambda one: (-one[0], one[1], one[2])):
        if share >= _ALIKE and not any(i == first or j == second for first, second in pairs):
            pairs.append((i, j))
    return pairs


def _contradict(columns: Sequence[Column], before: dict[str, Any], later: dict[str, Any]) -> bool:
    """Whether two rows are about entities that are known to differ."""
    named = [column.name for column in columns if column.entity and column.type in ("int", "string")]
    return any(None not in (before[name], later[name]) and before[name] != later[name] for name in named)
