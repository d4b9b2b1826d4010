"""What changed between two looks, as text that fits a terminal, or as JSON."""

import shutil
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from runbook.changes.difference import Comparison, Unseen
from runbook.changes.wording import NOT_COMPARED, NOTHING_SEEN, WORDS, apart, sentence, unseen_rows, why_blind
from runbook.judge.summary import counted
from runbook.model import moment
from runbook.parse.schema import json_schema
from runbook.safety.sanitize import sanitize, sanitize_json

FORMAT = 1  # raised when a field changes its meaning or goes away; new fields do not raise it

_REASONS = 5  # so many reasons are shown for which something was not seen twice


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
    if any(comparison.changes for comparison in found):
        return 1
    if any(comparison.unseen for comparison in found):
        return 3
    return 0 if any(comparison.rows for comparison in found) else 4


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
        yield f"  {WORDS[change.kind]:8} {sentence(change)}"
    if len(shown) < len(found.changes):
        yield f"  … {len(found.changes) - len(shown)} more: --rows all"
    if not found.changes and found.rows:
        yield f"  nothing changed{' of what was seen twice' if found.unseen else ''}"
    if not (found.changes or found.rows):
        yield f"  {NOT_COMPARED}"
        if why := why_blind(found, "OLD", "NEW") or ("" if found.unseen else NOTHING_SEEN):
            yield f"  {'why':8} {why}"
    if found.unseen:
        yield from _not_seen(found.unseen)
    yield _seen(found)


def _times(found: Comparison) -> str:
    old, new = moment.read(found.old), moment.read(found.new)
    seconds = round((new - old).total_seconds())
    later = apart(abs(seconds)) + (" earlier: OLD is the later look" if seconds < 0 else " later")
    return f"from {old:%Y-%m-%d %H:%M:%S} to {new:%Y-%m-%d %H:%M:%S} UTC, {later}"


def _not_seen(unseen: Sequence[Unseen]) -> Iterator[str]:
    """By look and reason, as one that does not answer hides much."""
    reasons: dict[tuple[str, str], list[Unseen]] = {}
    for question in unseen:
        reasons.setdefault((question.look, question.reason), []).append(question)
    yield "not known whether it changed, as only one observation saw it:"
    for (look, reason), ones in list(reasons.items())[:_REASONS]:
        yield f"  {look.upper()}: {reason}: {', '.join(map(unseen_rows, ones))}"
    if len(reasons) > _REASONS:
        rows = sum(unseen.rows for ones in list(reasons.values())[_REASONS:] for unseen in ones)
        yield f"  … {counted(len(reasons) - _REASONS, 'reason')} more, {counted(rows, 'row')}: --format json"


def _seen(found: Comparison) -> str:
    notes = [f"{counted(found.rows, 'row')} seen twice"]
    if found.neither:
        notes.append(f"{counted(found.neither, 'value')} of them unknown in both")
    if found.left_out:
        notes.append(f"{counted(found.left_out, 'change')} of counters and the like left out (--moving)")
    return "; ".join(notes)
