"""Compare two looks at one environment: the facts of all questions that were put at both times."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from runbook.changes.difference import Comparison, RowChange, Unseen
from runbook.changes.facts import Compared, compare_facts
from runbook.changes.grouped_changes import telling
from runbook.model.column import Column
from runbook.model.fact import Fact
from runbook.model.sentence import shown

_NOBODY_ASKED: Final = "not asked"  # why a look did not see what a question of the other is about


class Inquiry(NamedTuple):
    """What was asked, whoever answered.

    Attributes:
        probe: what.
        given: its parameters, as canonical JSON.
        window: how far to look back; empty if not said.
    """

    probe: str
    given: str = "{}"
    window: str = ""


class Observation(Struct):
    """What was seen of an environment at one time.

    Attributes:
        environment: its name.
        at: when the look began, RFC 3339 UTC.
        facts: what was answered, each with all columns that its probe declares.
    """

    environment: str
    at: str
    facts: dict[Inquiry, Fact]


def compare_observations(
    old: Observation,
    new: Observation,
    columns: Mapping[str, Sequence[Column]],
    *,
    moving: bool = False,
    as_it_is: Observation | None = None,
) -> Comparison:
    """What changed between two looks, the most telling first, and what nobody knows of.

    Args:
        old: the first.
        new: the second.
        columns: probe to the columns it declares, for every probe of either look.
        moving: whether what moves by nature, such as sizes and ages, counts too.
        as_it_is: where `new` is what would be so without some causes: what was seen. What is there as it was in the
            first look has not changed, whatever it would be without them.
    """
    compared: dict[str, list[Compared]] = {}
    unseen: list[Unseen] = []
    for question in sorted({*old.facts, *new.facts}):
        before, after = old.facts.get(question), new.facts.get(question)
        if before is not None and after is not None:
            comparison = compare_facts(columns[question.probe], before, after, moving=moving)
            seen = as_it_is.facts.get(question) if as_it_is else None
            if seen is not None and seen is not after:
                really = compare_facts(columns[question.probe], before, seen, moving=moving).changes
                comparison.changes = list(_of_these(comparison.changes, really))
            compared.setdefault(question.probe, []).append(comparison)
        elif before is not None:
            unseen.append(Unseen(question.probe, "new", _NOBODY_ASKED, len(before), asked=False))
        elif after is not None:
            unseen.append(Unseen(question.probe, "old", _NOBODY_ASKED, len(after), asked=False))
    every = [comparison for ones in compared.values() for comparison in ones]
    unseen += [unseen for comparison in every for unseen in comparison.unseen]
    rows = sum(comparison.rows for comparison in every)
    return Comparison(
        environment=new.environment,
        old=old.at,
        new=new.at,
        changes=telling({probe: _once(ones) for probe, ones in compared.items()}, columns),
        unseen=sorted(dict.fromkeys(unseen), key=lambda one: (-one.rows, one.probe)),
        rows=rows,
        neither=sum(comparison.neither for comparison in every),
        left_out=sum(comparison.left_out for comparison in every),
        blind={} if rows or any(one.asked for one in unseen) else _blind(old, new),
    )


def _of_these(changes: Sequence[RowChange], really: Sequence[RowChange]) -> Iterator[RowChange]:
    """The changes of rows, and of their cells, that have changed really, in whatever way."""
    by_row = {tuple(change.keys.items()): change for change in really}
    for change in changes:
        seen = by_row.get(tuple(change.keys.items()))
        if seen is None:
            continue
        if not seen.kind == change.kind == "changed":
            yield change
            continue
        places = {(cell.column, cell.item) for cell in seen.cells}
        if cells := tuple(cell for cell in change.cells if (cell.column, cell.item) in places):
            yield replace(change, cells=cells)


def _blind(old: Observation, new: Observation) -> dict[Literal["old", "new"], str]:
    """Why neither look saw anything of what both were asked: the reason that each gives most often, if it gives one."""
    looks: tuple[tuple[Literal["old", "new"], Observation], ...] = (("old", old), ("new", new))
    asked = old.facts.keys() & new.facts.keys()
    gaps = {name: [gap for one in asked for gap in look.facts[one].gaps] for name, look in looks}
    reasons = {name: Counter(shown(gap.reason) for gap in found) for name, found in gaps.items()}
    return {name: counts.most_common(1)[0][0] for name, counts in reasons.items() if counts}


def _once(compared: Sequence[Compared]) -> list[RowChange]:
    """The changes of one probe, which several questions may have shown: each once."""
    found: list[RowChange] = []
    seen: set[tuple[object, ...]] = set()
    for change in (change for comparison in compared for change in comparison.changes):
        key = (change.kind, *change.keys.values(), change.cells)
        if key not in seen:
            seen.add(key)
            found.append(change)
    return found
