"""What offending rows and gaps have in common: one value that (nearly) all of them touch, or nothing.

It names a coincidence that can be counted and draws no conclusion from it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from runbook.judge.summary import findings
from runbook.model.fact import Gap
from runbook.model.result import Common, JudgedRow, Outcome, Result

# "Nearly all": nine in ten. Our judgement: a broker's loss should still be named when one row has another cause.
_NEARLY_ALL = 0.9
# Over a whole environment "most" is worth saying, as the counts stand beside it: what-if rows name the brokers that are
# left, not the one that is gone. Our judgement.
_MOST = 0.75
_LEAST = 2  # what one row touches is in the row already
# A partition's number means nothing without its topic, and every row of an environment is about its one cluster.
_TELLS_NOTHING = frozenset({"partition", "cluster"})

_Value = tuple[str, str]


class ValueCoverage(Struct, frozen=True):
    """How far a value covers one kind of thing: "37 of 37 partitions"."""

    noun: str
    touched: int
    of: int


class Shared(Common, frozen=True):
    """A value that most of what is wrong with an environment touches, and its count kind by kind."""

    parts: list[ValueCoverage]


def common(rows: Sequence[JudgedRow], gaps: Sequence[Gap]) -> list[Common]:
    """What the rows and gaps of one check have in common.

    Args:
        rows: those that offend or could not be judged; waived ones are left out.
        gaps: what the facts did not show.

    Returns:
        The value that covers most, or one value each of several entities that cover equally much. Where several
        values of an entity cover (nearly) all, none of them tells anything, and the entity is left out.
    """
    items = [_of_row(row) for row in rows if not row.waived]
    return _shared([*items, *map(_of_gap, gaps)])


def common_of_run(results: Iterable[Result]) -> list[Shared]:
    """What most of what is wrong with one environment has in common.

    A row that several checks complain of counts once; a check that could not be judged counts as one "unknown",
    which touches what (nearly) all of its gaps and rows touch. What is waived is left out.

    Args:
        results: of one environment.

    Returns:
        Values as `common` gives them, each with its counts in the order of the worst finding first.
    """
    items: dict[tuple[str, str], set[_Value]] = {}
    for result in findings(results):
        if result.outcome is Outcome.UNKNOWN:
            seen = [*map(_of_row, result.rows), *map(_of_gap, result.gaps)]
            items["unknown", result.check] = _covering(seen)
        elif result.outcome is Outcome.FAIL and not result.waived:
            for row in result.rows:
                if row.outcome == "fail" and not row.waived:
                    items.setdefault(_identity(result, row), set()).update(_of_row(row))
    return [
        Shared(common.entity, common.value, common.touched, common.of, _parts(items, (common.entity, common.value)))
        for common in _shared([*items.values()], _MOST)
    ]


def _parts(items: Mapping[tuple[str, str], set[_Value]], value: _Value) -> list[ValueCoverage]:
    of = Counter(noun for noun, _ in items)
    touched = Counter(noun for (noun, _), values in items.items() if value in values)
    return [ValueCoverage(noun, touched[noun], count) for noun, count in of.items()]


def _identity(result: Result, row: JudgedRow) -> tuple[str, str]:
    """What a row is about, so that two checks that complain of it are seen to mean the same thing."""
    if not row.key:
        return "check", result.check
    return noun_of(row, list(row.key)[-1]), repr(list(row.key.values()))


def noun_of(row: JudgedRow, key: str) -> str:
    """What a key column names: its entity, as far as the row tells, else the column itself."""
    if key in row.touches:
        return key
    return next((entity for entity, values in row.touches.items() if row.key[key] in values), key)


def _of_row(row: JudgedRow) -> set[_Value]:
    return {(entity, str(value)) for entity, values in row.touches.items() for value in values}


def _of_gap(gap: Gap) -> set[_Value]:
    return {(entity, str(value)) for entity, value in gap.keys.items()}


def _counts(items: Sequence[set[_Value]]) -> Counter[_Value]:
    return Counter(value for values in items for value in sorted(values) if value[0] not in _TELLS_NOTHING)


def _covering(items: Sequence[set[_Value]], share: float = _NEARLY_ALL) -> set[_Value]:
    return {value for value, touched in _counts(items).items() if touched >= share * len(items)}


def _shared(items: Sequence[set[_Value]], share: float = _NEARLY_ALL) -> list[Common]:
    counts = _counts(items)
    covering = [value for value in sorted(_covering(items, share)) if counts[value] >= _LEAST]
    rivals = Counter(entity for entity, _ in covering)
    alone = [value for value in covering if rivals[value[0]] == 1]
    most = max((counts[value] for value in alone), default=0)
    return [Common(*value, touched=most, of=len(items)) for value in alone if counts[value] == most]
