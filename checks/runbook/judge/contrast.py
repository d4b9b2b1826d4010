"""Offending rows contrasted with those that are well: what holds of the ones and not of the others, with counts.

A statement is weighed by its share of the offending rows less its share of the well ones: the measure of Youden
(Cancer 3, 1950), by which subgroup discovery ranks rules, too (weighted relative accuracy: Lavrač, Flach and Zupan,
ILP 1999). What may well be chance is not told: Fisher's exact test. It is never called a cause.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from math import exp, lgamma
from typing import Any

from msgspec import Struct

from runbook.model.diagnosis import Contrast

# Share of the offending rows less that of the well ones. Our judgement: three in four, so that a second fault, or a
# row that was well by luck, hides nothing, and what is only a little commoner among the offending is not told.
_TELLING = 0.75
_CHANCE = 0.05  # that a split of the rows by lot would be as good or better; the customary bound
_MORE = 0.05  # by which two conditions must be better than one; same
_PAIRED = 12  # conditions, of which pairs are tried; same
_TOLD = 2  # statements; same
_NONE = -1  # says of an entity that there is none, as an empty text does of any


class JoinedTrait(Struct, frozen=True):
    """What another fact says of the values of a column: words before a value, and the value of each."""

    words: str
    of: Mapping[Any, Any]


class Trait(Struct, frozen=True):
    """A column by which rows may differ.

    Attributes:
        words: what stands before a value: `led by broker`.
        cells: of each row of the fact; of a list each value counts.
        entity: what the values name.
        joined: what other facts say of its values.
    """

    words: str
    cells: Sequence[Any]
    entity: str = ""
    joined: Sequence[JoinedTrait] = ()


class _Condition(Struct, frozen=True):
    """Rows whose cell is, or has, one of these values."""

    says: str
    trait: Trait
    values: frozenset[Any]
    bad: int
    well: int
    derived: bool

    def names(self) -> dict[str, str]:
        """The entity that it names."""
        if self.derived or not self.trait.entity:
            return {}
        return {self.trait.entity: str(next(iter(self.values)))}

    def mask(self, rows: Sequence[int]) -> int:
        """The rows of which it holds, a byte each."""
        holds = _tester(self.trait.cells, rows, self.values)
        return int.from_bytes(bytes(holds(self.trait.cells[row]) for row in rows))


class _Statement(Struct, frozen=True):
    """Conditions that hold together."""

    conditions: tuple[_Condition, ...]
    bad: int
    well: int

    def rank(self, of_bad: int, of_well: int) -> tuple[Any, ...]:
        """The best first; of those that are as good the simplest, and what names something."""
        derived = sum(condition.derived for condition in self.conditions)
        return (-_weight(self.bad, self.well, of_bad, of_well), not self.named, len(self.conditions), derived)

    def names(self) -> dict[str, str]:
        """The entities that it names, each with the value."""
        return {entity: value for condition in self.conditions for entity, value in condition.names().items()}

    @property
    def named(self) -> bool:
        """Whether each condition names an entity."""
        return all(condition.trait.entity for condition in self.conditions)


def contrast(traits: Iterable[Trait], bad: Sequence[int], well: Sequence[int]) -> list[Contrast]:
    """The statements that tell offending rows from those that are well; none where none does, or it may be chance.

    Args:
        traits: the columns by which they may differ, in the order in which they are told where they are as good.
        bad: the rows that offend.
        well: those that do not.
    """
    if not (bad and well):
        return []
    single = [condition for trait in traits for condition in _conditions(trait, bad, well)]
    single.sort(key=lambda one: _Statement((one,), one.bad, one.well).rank(len(bad), len(well)))
    statements = [_Statement((one,), one.bad, one.well) for one in single]
    best = max((_weight(one.bad, one.well, len(bad), len(well)) for one in statements), default=0.0)
    if best < 1 - _MORE:
        pairs = _pairs(single[:_PAIRED], bad, well)
        statements += [pair for pair in pairs if _weight(pair.bad, pair.well, len(bad), len(well)) >= best + _MORE]
    statements.sort(key=lambda one: one.rank(len(bad), len(well)))
    return [*_told(statements, len(bad), len(well))]


def _told(statements: Sequence[_Statement], of_bad: int, of_well: int) -> Iterator[Contrast]:
    """The best, and one that is as good and says it of something else."""
    first = statements[0] if statements else None
    told: list[_Statement] = []
    for statement in statements:
        weight = _weight(statement.bad, statement.well, of_bad, of_well)
        if weight < _TELLING or len(told) == _TOLD or first is None:
            return
        if statement.rank(of_bad, of_well)[:3] != first.rank(of_bad, of_well)[:3]:
            return
        if any(_alike(statement, other) for other in told):
            continue
        if round(_by_chance(statement.bad, statement.well, of_bad, of_well), 6) >= _CHANCE:
            return
        told.append(statement)
        says = ", ".join(condition.says for condition in statement.conditions)
        yield Contrast(says, statement.bad, of_bad, statement.well, of_well, statement.names())


def _alike(one: _Statement, other: _Statement) -> bool:
    """Whether they say it of the same column, or name the same."""
    same = any(mine.trait is its.trait for mine in one.conditions for its in other.conditions)
    return same or bool(one.names().items() & other.names().items())


def _conditions(trait: Trait, bad: Sequence[int], well: Sequence[int]) -> Iterator[_Condition]:
    """The conditions on a column that hold of enough of the offending rows."""
    least = _TELLING * len(bad)
    in_bad = _counts(trait.cells, bad)
    told: list[tuple[str, frozenset[Any], bool, Mapping[Any, Any] | None]] = [
        (_said(trait.words, value), frozenset((value,)), False, None)
        for value, count in in_bad.items()
        if count >= least and value != "" and not (trait.entity and value == _NONE)
    ]
    for joined in trait.joined:
        groups: dict[Any, list[Any]] = {}
        for value in in_bad:
            if (of_it := joined.of.get(value)) is not None and of_it != "":
                groups.setdefault(of_it, []).append(value)
        for of_it, several in groups.items():
            # Of one value alone, the value itself says as much.
            if len(several) > 1 and sum(in_bad[value] for value in several) >= least:
                every = frozenset(value for value, its in joined.of.items() if its == of_it)
                told.append((_said(joined.words, of_it), every, True, joined.of))
    if not told:
        return
    if any(trait.cells[row] is None for row in well):
        return  # of which nobody knows whether it holds there, too
    in_well = _counts(trait.cells, well)
    for says, values, derived, of in told:
        if of is not None and any(of.get(value) is None for value in in_well):
            continue  # same
        count, of_well = (sum(counts[value] for value in values) for counts in (in_bad, in_well))
        yield _Condition(says, trait, values, count, of_well, derived)


def _said(words: str, value: Any) -> str:
    if isinstance(value, bool):
        return words if value else f"not {words}"
    return f"{words} {value}"


def _counts(cells: Sequence[Any], rows: Sequence[int]) -> Counter[Any]:
    """How many rows have each value."""
    picked = [cell for row in rows if (cell := cells[row]) is not None]
    if any(isinstance(cell, list) for cell in picked[:1]):
        return Counter(chain.from_iterable(map(set, picked)))
    return Counter(picked)


def _tester(cells: Sequence[Any], rows: Sequence[int], values: frozenset[Any]) -> Callable[[Any], bool]:
    first = next((cell for row in rows if (cell := cells[row]) is not None), None)
    if isinstance(first, list):
        return lambda cell: cell is not None and not values.isdisjoint(cell)
    return values.__contains__


def _pairs(single: Sequence[_Condition], bad: Sequence[int], well: Sequence[int]) -> Iterator[_Statement]:
    masks = [(one, one.mask(bad), one.mask(well)) for one in single]
    for (one, one_bad, one_well), (other, other_bad, other_well) in combinations(masks, 2):
        if one.trait is not other.trait:
            yield _Statement((one, other), (one_bad & other_bad).bit_count(), (one_well & other_well).bit_count())


def _weight(bad: int, well: int, of_bad: int, of_well: int) -> float:
    return bad / of_bad - well / of_well


def _by_chance(bad: int, well: int, of_bad: int, of_well: int) -> float:
    """How likely a split by lot has as many of the offending rows: the upper end of the hypergeometric distribution."""
    holds, total = bad + well, 0.0
    for count in range(bad, min(holds, of_bad) + 1):
        term = exp(_ways(of_bad, count) + _ways(of_well, holds - count) - _ways(of_bad + of_well, holds))
        total += term
        if term < total / 1000:
            break
    return total


def _ways(of: int, count: int) -> float:
    """The logarithm of how many ways there are to choose so many; minus infinity where there are none."""
    if not 0 <= count <= of:
        return -float("inf")
    return lgamma(of + 1) - lgamma(count + 1) - lgamma(of - count + 1)
