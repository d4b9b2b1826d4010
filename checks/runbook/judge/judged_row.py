"""A row that fails or can't be judged, and where a file has what decides it: the part of `that` that does not hold."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal

from runbook.judge.compiled import Compiled
from runbook.judge.expression import Expression, Variables
from runbook.judge.table import key_of, touches
from runbook.model.column import PLACES
from runbook.model.fact import Fact
from runbook.model.result import JudgedRow


def judged_row(
    compiled: Compiled,
    fact: Fact,
    row: int,
    text: str,
    data: Mapping[str, Any],
    outcome: Literal["fail", "unknown"] = "fail",
) -> JudgedRow:
    """A row as it is told, with the place of what decides it, where it was read from a file.

    Args:
        compiled: the check.
        fact: its subject.
        row: of that.
        text: what to tell.
        data: the values of its variables.
        outcome: what the check says of it.
    """
    touched = touches(compiled.columns, compiled.check.expect.touches, fact, row)
    return JudgedRow(
        key_of(compiled.columns, fact, row), text, outcome, touched, place=_place(compiled, fact, row, data)
    )


def _place(compiled: Compiled, fact: Fact, row: int, data: Mapping[str, Any]) -> str:
    """FILE:LINE:COLUMN of the first cell that the finding is about, else of the row; empty without a file."""
    cells = fact.columns.get(PLACES)
    places: Mapping[str, str] = (cells and cells[row]) or {}
    if not places:
        return ""
    expect = compiled.check.expect
    columns = [*expect.value, *expect.by] if compiled.that is None else _blamed(compiled.that, compiled.subject, data)
    return next((places[name] for name in (*columns, "") if name in places), "")


def _blamed(that: Expression, subject: str, data: Mapping[str, Any]) -> list[str]:
    """The columns of the subject that the first part of an expression reads which does not hold of a row."""
    parts = [part for part in _parts(that) if part.value(data) is not True]
    part = (parts or [that])[0]
    names = "|".join(re.escape(name) for name in part.used if name.startswith(f"{subject}."))
    found = re.findall(rf"(?<![\w.])(?:{names})\b", part.text) if names else []
    return [name.removeprefix(f"{subject}.") for name in dict.fromkeys(found)]


def _parts(that: Expression) -> list[Expression]:
    """The parts of an expression that all have to be true, down to those that have no such parts."""
    return _compiled(that.text, tuple(that.types.items()))


@cache
def _compiled(text: str, types: Sequence[tuple[str, str]]) -> list[Expression]:
    variables = Variables(dict(types))
    found = [variables.compile(part) for part in _conjuncts(text)]
    return [part for part in found if isinstance(part, Expression)]


def _conjuncts(text: str) -> Iterator[str]:
    """The texts between the `&&` of an expression that stand in no brackets and no quotes; itself if it is a choice."""
    parts, depth, quote = [""], 0, ""
    for sign in text:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        depth += 0 if quote else (sign in "([{") - (sign in ")]}")
        if not quote and not depth and sign in "?|":
            return iter([text])
        parts[-1] += sign
        if not quote and not depth and parts[-1].endswith("&&"):
            parts[-1] = parts[-1][:-2]
            parts.append("")
    return iter(parts)
