"""Compare two looks at one environment: the facts of all questions that were put at both times."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from runbook.changes.difference import Comparison, RowChange, Unseen
from runbook.changes.facts import Compared, compare_facts
from runbook.changes.telling import telling
from runbook.model.column import Column
from runbook.model.fact import Fact

NOBODY_ASKED: Final = "nobody asked"  # why a look did not see what a question of the other is about


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


class Look(Struct):
    """What was seen of an environment at one time.

    Attributes:
        environment: its name.
        at: when the look began, RFC 3339 UTC.
        facts: what was answered, each with all columns that its probe declares.
    """

    environment: str
    at: str
    facts: dict[Inquiry, Fact]


def compare_looks(old: Look, new: Look, columns: Mapping[str, Sequence[Column]], *, moving: bool = False) -> Comparison:
    """What changed between two looks, the most telling first, and what nobody knows of.

    Args:
        old: the first.
        new: the second.
        columns: probe to the columns it declares, for every probe of either look.
        moving: whether what moves by nature, such as sizes and ages, counts too.
    """
    compared: dict[str, list[Compared]] = {}
    unseen: list[Unseen] = []
    for question in sorted({*old.facts, *new.facts}):
        before, after = old.facts.get(question), new.facts.get(question)
        if before is not None and after is not None:
            comparison = compare_facts(columns[question.probe], before, after, moving=moving)
            compared.setdefault(question.probe, []).append(comparison)
        elif before is not None:
            unseen.append(Unseen(question.probe, "new", NOBODY_ASKED, len(before)))
        elif after is not None:
            unseen.append(Unseen(question.probe, "old", NOBODY_ASKED, len(after)))
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
        blind={} if rows or any(one.reason != NOBODY_ASKED for one in unseen) else _blind(old, new),
    )


def _blind(old: Look, new: Look) -> dict[Literal["old", "new"], str]:
    """Why neither look saw anything of what both were asked: the reason that each gives most often, if it gives one."""
    looks: tuple[tuple[Literal["old", "new"], Look], ...] = (("old", old), ("new", new))
    asked = old.facts.keys() & new.facts.keys()
    reasons = {name: Counter(gap.reason for one in asked for gap in look.facts[one].gaps) for name, look in looks}
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
