"""A change, and what was not seen, in words: one line each, of data that others wrote, thus not yet made inert."""

from collections.abc import Mapping, Sequence
from typing import Any

from runbook.changes.difference import CellChange, Comparison, EntityChange, Unseen
from runbook.judge.summary import counted
from runbook.judge.template import show

WORDS = {"went": "gone", "came": "new", "changed": "changed"}
"""What a kind of change is called."""

_UNDONE = {"went": "there", "came": "gone"}  # what whatever went or came is when it is as before

NOT_COMPARED = "not known: nothing could be compared"
"""That two looks tell nothing of what changed: neither saw what the other saw."""

NOTHING_SEEN = "neither look saw anything"
"""Why, where no look gives a reason."""

_NAMED = 3  # of several entities, so many are named; our judgement, as are those below
_PLACE = 2  # keys that name an entity together, as topic and number name a partition
_REPLICA = ("partition", "broker")  # keys that name a replica together, whatever its partition is
_CELLS = 6  # cells of a row that are shown
_LONGEST = 120  # characters of a value


def sentence(change: EntityChange) -> str:
    """Whom a change is of, what changed in it, and what went or came with it; not whether it went or came."""
    more = f"; and {len(change.cells) - _CELLS:,} more" if len(change.cells) > _CELLS else ""
    cells = "; ".join(map(_cell, change.cells[:_CELLS])) + more
    within = ", ".join(f"{counted(count, 'row')} of {probe}" for probe, count in change.within.items())
    return f"{_subjects(change)}{f': {cells}' if cells else ''}{f', with {within}' if within else ''}  ({change.probe})"


def as_before(change: EntityChange) -> str:
    """Whom a change was of that is undone, and what holds of it again; not what held in between."""
    cells = ", ".join(map(_cell_before, change.cells[:_CELLS]))
    more = f"; and {len(change.cells) - _CELLS:,} more" if len(change.cells) > _CELLS else ""
    holds = _UNDONE.get(change.kind) or f"{cells}{more}"
    return f"{_subjects(change)}: {holds}  ({change.probe})"


def apart(seconds: int) -> str:
    """How far two looks are apart, such as 25 hours, in the largest unit of which there are two or more."""
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= 2 * length:
            return counted(seconds // length, unit)
    return counted(seconds, "second")


def why_blind(found: Comparison, old: str, new: str) -> str:
    """Why neither look saw anything, each look called as its reader calls it; empty where one did."""
    now, then = found.blind.get("new", ""), found.blind.get("old", "")
    if now == then:
        return f"{new} and {old}: {now}" if now else ""
    return "; ".join(f"{look}: {reason}" for look, reason in ((new, now), (old, then)) if reason)


def unseen_rows(one: Unseen) -> str:
    """What of a probe was not seen."""
    columns = f"{', '.join(one.columns)} of " if one.columns else ""
    return f"{columns}{counted(one.rows, 'row')} of {one.probe}" if one.rows else one.probe


def _subjects(change: EntityChange) -> str:
    """Whom a change is of: one by all of its keys, several by what they have in common, and the first of them."""
    first, count = change.subjects[0], len(change.subjects)
    label = {key: key.replace("_", " ") for key in first}
    if len(first) == 1 and change.entity:
        label = dict.fromkeys(first, change.entity.replace("_", " "))
    common = [key for key in first if all(subject[key] == first[key] for subject in change.subjects)]
    said = ", ".join(f"{label[key]} {_short(first[key])}" for key in common)
    if count == 1:
        return said
    apart = [key for key in first if key not in common]
    noun, words = _parts(change, apart, label)
    named = ", ".join(words.format(*(_short(subject[key]) for key in apart)) for subject in change.subjects[:_NAMED])
    more = f" and {count - _NAMED:,} more" if count > _NAMED else ""
    return f"{f'{said}, ' if said else ''}{counted(count, noun)} ({named}{more})"


def _parts(change: EntityChange, apart: Sequence[str], label: Mapping[str, str]) -> tuple[str, str]:
    """What several are called, and how each is named by the keys in which they differ.

    A place, as topic and number name a partition, is read without more; of what else several keys name together, each
    value says what it is.
    """
    keys = [*change.subjects[0]]
    if len(apart) == 1:
        return label[apart[0]], "{}"
    if len(apart) == _PLACE and apart == keys[-_PLACE:] and (len(keys) == _PLACE or apart[-1] == change.entity):
        return change.entity.replace("_", " ") or "row", " ".join("{}" for _ in apart)
    words = " ".join(f"{label[key]} {{}}" for key in apart)
    if {*_REPLICA} <= {*apart}:
        return "replica", words.replace(f" {_REPLICA[-1]} ", f" on {_REPLICA[-1]} ")
    return "row", words


def _cell(cell: CellChange) -> str:
    name = f"{cell.column} {cell.item}" if cell.item else cell.column
    if cell.removed or cell.added:
        return " ".join(
            [name, *(f"{sign}{_items(ones)}" for sign, ones in (("-", cell.removed), ("+", cell.added)) if ones)]
        )
    if cell.item:  # of a map: what was not there is no value
        before, after = ("not set" if value is None else _short(value) for value in (cell.before, cell.after))
        return f"{name} {before} → {after}"
    return f"{name} {_short(cell.before)} → {_short(cell.after)}"


def _items(ones: Sequence[Any]) -> str:
    """Some items of a list in its brackets, as a number alone would read as how many."""
    more = f" and {len(ones) - _NAMED:,} more" if len(ones) > _NAMED else ""
    return f"[{', '.join(map(_short, ones[:_NAMED]))}{more}]"


def _cell_before(cell: CellChange) -> str:
    name = f"{cell.column} {cell.item}" if cell.item else cell.column
    if cell.removed or cell.added:
        parts = [
            f"{word} {_short(one)}" for word, ones in (("with", cell.removed), ("without", cell.added)) for one in ones
        ]
        more = f" and {len(parts) - _NAMED:,} more" if len(parts) > _NAMED else ""
        return f"{name} {' '.join(parts[:_NAMED])}{more}"
    return f"{name} {'not set' if cell.item and cell.before is None else _short(cell.before)}"


def _short(value: Any) -> str:
    text = show(value) if value != "" else '""'
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
