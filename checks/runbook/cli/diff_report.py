"""What changed between two looks, as text that fits a terminal, or as JSON."""

import shutil
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from runbook.changes.difference import CellChange, Comparison, EntityChange, Unseen
from runbook.judge.summary import counted
from runbook.judge.template import show
from runbook.model import moment
from runbook.parse.schema import json_schema
from runbook.safety.sanitize import sanitize, sanitize_json

FORMAT = 1  # raised when a field changes its meaning or goes away; new fields do not raise it

_NAMED = 3  # of several entities, so many are named
_REASONS = 5  # so many reasons are shown for which something was not seen twice
_PLACE = 2  # keys that name an entity together, as topic and number name a partition
_CELLS = 6  # so many cells of a row are shown
_LONGEST = 120  # characters of a value; JSON has all of it
_WORDS = {"went": "gone", "came": "new", "changed": "changed"}


class DiffDocument(Struct):
    """The JSON document.

    Attributes:
        format: FORMAT.
        environments: what changed in each.
        exit_code: what the process ended with.
    """

    format: int
    environments: list[Comparison]
    exit_code: int


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the document."""
    return json_schema(DiffDocument)


def exit_code(found: Sequence[Comparison]) -> int:
    """1 something changed, 3 not all was seen twice, 4 nothing was seen twice and nothing is missing, else 0."""
    if any(one.changes for one in found):
        return 1
    if any(one.unseen for one in found):
        return 3
    return 0 if any(one.rows for one in found) else 4


def as_json(found: Sequence[Comparison]) -> str:
    """All of it, whatever --rows says."""
    return sanitize_json(msgspec.to_builtins(DiffDocument(FORMAT, list(found), exit_code(found))))


def as_text(found: Comparison, most: int | None) -> str:
    """At most so many changes, the most telling first, then what was not seen twice, by its reason."""
    width = max(60, shutil.get_terminal_size((100, 24)).columns)
    return "\n".join(_wrapped(sanitize(line), width) for line in _lines(found, most))


def _wrapped(line: str, width: int) -> str:
    start = len(line) - len(line.lstrip())
    indent = " " * (start + 4 if start else 0)
    return "\n".join(
        textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [""]
    )


def _lines(found: Comparison, most: int | None) -> Iterator[str]:
    yield f"{found.environment}: {_times(found)}"
    shown = found.changes if most is None else found.changes[:most]
    for change in shown:
        yield f"  {_WORDS[change.kind]:8} {_change(change)}"
    if len(shown) < len(found.changes):
        yield f"  … {len(found.changes) - len(shown)} more: --rows all"
    if not found.changes and found.rows:
        yield f"  nothing changed{' of what was seen twice' if found.unseen else ''}"
    if found.unseen:
        yield from _not_seen(found.unseen)
    yield _seen(found)


def _times(found: Comparison) -> str:
    old, new = moment.read(found.old), moment.read(found.new)
    seconds = round((new - old).total_seconds())
    apart = _span(abs(seconds)) + (" earlier: OLD is the later look" if seconds < 0 else " later")
    return f"from {old:%Y-%m-%d %H:%M:%S} to {new:%Y-%m-%d %H:%M:%S} UTC, {apart}"


def _span(seconds: int) -> str:
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= 2 * length:
            return counted(seconds // length, unit)
    return counted(seconds, "second")


def _change(change: EntityChange) -> str:
    more = f"; and {len(change.cells) - _CELLS:,} more" if len(change.cells) > _CELLS else ""
    cells = "; ".join(map(_cell, change.cells[:_CELLS])) + more
    within = ", ".join(f"{counted(count, 'row')} of {probe}" for probe, count in change.within.items())
    return f"{_subjects(change)}{f': {cells}' if cells else ''}{f', with {within}' if within else ''}  ({change.probe})"


def _subjects(change: EntityChange) -> str:
    """Whom a change is of: one by all of its keys, several by what they have in common, and the first of them."""
    first, count = change.subjects[0], len(change.subjects)
    label = {key: key.replace("_", " ") for key in first}
    if len(first) == 1 and change.entity:
        label = dict.fromkeys(first, change.entity.replace("_", " "))
    common = [key for key in first if all(one[key] == first[key] for one in change.subjects)]
    said = ", ".join(f"{label[key]} {_short(first[key])}" for key in common)
    if count == 1:
        return said
    apart = [key for key in first if key not in common]
    noun = label[apart[0]] if len(apart) == 1 else (change.entity if len(apart) == _PLACE else "") or "row"
    named = ", ".join(" ".join(_short(one[key]) for key in apart) for one in change.subjects[:_NAMED])
    more = f" and {count - _NAMED:,} more" if count > _NAMED else ""
    return f"{f'{said}, ' if said else ''}{counted(count, noun)} ({named}{more})"


def _cell(cell: CellChange) -> str:
    name = f"{cell.column} {cell.item}" if cell.item else cell.column
    if cell.removed or cell.added:
        parts = [f"{sign}{_short(one)}" for sign, ones in (("-", cell.removed), ("+", cell.added)) for one in ones]
        more = f" and {len(parts) - _NAMED:,} more" if len(parts) > _NAMED else ""
        return f"{name} {' '.join(parts[:_NAMED])}{more}"
    if cell.item:  # of a map: what was not there is no value
        before, after = ("not set" if one is None else _short(one) for one in (cell.before, cell.after))
        return f"{name} {before} → {after}"
    return f"{name} {_short(cell.before)} → {_short(cell.after)}"


def _short(value: Any) -> str:
    text = show(value) if value != "" else '""'
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _not_seen(unseen: Sequence[Unseen]) -> Iterator[str]:
    """By look and reason, as one that does not answer hides much."""
    reasons: dict[tuple[str, str], list[Unseen]] = {}
    for one in unseen:
        reasons.setdefault((one.look, one.reason), []).append(one)
    yield "not known whether it changed, as one look did not see it:"
    for (look, reason), ones in list(reasons.items())[:_REASONS]:
        yield f"  {look.upper()}: {reason}: {', '.join(map(_what, ones))}"
    if len(reasons) > _REASONS:
        rows = sum(one.rows for ones in list(reasons.values())[_REASONS:] for one in ones)
        yield f"  … {counted(len(reasons) - _REASONS, 'reason')} more, {counted(rows, 'row')}: --format json"


def _what(one: Unseen) -> str:
    columns = f"{', '.join(one.columns)} of " if one.columns else ""
    return f"{columns}{counted(one.rows, 'row')} of {one.probe}" if one.rows else one.probe


def _seen(found: Comparison) -> str:
    notes = [f"{counted(found.rows, 'row')} seen twice"]
    if found.neither:
        notes.append(f"{counted(found.neither, 'cell')} of them known to neither look")
    if found.left_out:
        notes.append(f"{counted(found.left_out, 'change')} of what moves by nature left out (--moving)")
    return "; ".join(notes)
