"""What is wrong with an expression that does not compile, in words of those who write runbooks.

CEL's own messages are about its grammar ("no matching overload for '_>=_'"), and a mistake of grammar hides mistaken
names behind it. Both are mended here: habits of other languages are told what to write, and names are looked at anyway.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from runbook.model.errors import did_you_mean

FUNCTIONS: Final = (
    *("all", "exists", "exists_one", "filter", "map"),
    *("contains", "endsWith", "matches", "size", "startsWith"),
    *("bool", "double", "duration", "int", "string", "timestamp"),
)
"""Functions of CEL that columns have a use for."""

_OTHERWISE_CALLED: Final = {
    "len": "size",
    "length": "size",
    "count": "size",
    "includes": "contains",
    "regex": "matches",
    "match": "matches",
    "any": "exists",
    "some": "exists",
    "every": "all",
    "float": "double",
    "str": "string",
}
_OVER_LISTS: Final = {"all", "exists", "exists_one", "filter", "map"}

_IN_HOURS: Final = 'write it in hours: duration("168h") are seven days'
_IN_DAYS = re.compile(r"""\bduration\(\s*["'][^"']*[dw]["']""")
_HABITS: Final = (
    (re.compile(r"\b\d+(?:ms|s|m|h)\b"), "a length of time", 'write duration("24h")'),
    (re.compile(r"\b\d+d\b"), "a length of time", _IN_HOURS),
    (re.compile(r"(?i)\b\d+[kmgt]i?b\b"), "a size with a unit", "write the number out: 3 * 1024 * 1024"),
    (re.compile(r"=[<>](?!=)"), "= before < or >", "write <= or >="),
    (re.compile(r"(?<![=<>!])=(?![=~<>])"), "a single =", "write == to compare"),
    (re.compile(r"\bnot\s+in\b"), "not in", "write !(x in list)"),
    (re.compile(r"\band\b"), "the word and", "write &&"),
    (re.compile(r"\bor\b"), "the word or", "write ||"),
    (re.compile(r"\bnot\b"), "the word not", "write !"),
    (re.compile(r"\bis\b"), "the word is", "write =="),
    (re.compile(r"=~|~|\blike\b"), "matching a pattern", 'write name.matches("^a.*")'),
    (re.compile(r"\bif\b"), "the word if", "write condition ? this : that"),
)
"""What other languages write, what it is, and what to write here."""

_ERROR = re.compile(r"ERROR: <input>:(\d+):(\d+): (.*)")
_UNDECLARED = re.compile(r"undeclared reference to '([^']+)'")
_OVERLOAD = re.compile(r"found no matching overload for '(.+?)' applied to '\((.*)\)'")
_OF_TYPE = re.compile(r"expression of type '(.*?)' cannot be")
# One that is never closed reaches to the end: if it were tried again from each quote in it, that would take hours.
_TEXTS = re.compile(r"\"(?:\\.|[^\"\\])*(?:\"|\\?\Z)|'(?:\\.|[^'\\])*(?:'|\\?\Z)", re.DOTALL)
_QUOTED = re.compile(rf"(?<!\w)([rR]?)({_TEXTS.pattern})", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES: Final = frozenset("abfnrtvxXuU0123\\?\"'`")
_NAME = re.compile(r"(?<![\w.)\]])[a-z_]\w*(?:\.[a-z_]\w*)+")
_KINDS: Final = {
    "int": "a whole number",
    "double": "a number with a fraction",
    "string": "a text",
    "bool": "true or false",
    "null_type": "null",
    "google.protobuf.Duration": "a length of time",
    "google.protobuf.Timestamp": "a point in time",
}
_NUMBERS: Final = {"int", "double"}
_LIST_AND_ONE: Final = (
    "write column.all(x, x > 0), exists or size(column). all: gives columns whole; each: judges row by row"
)


class ExpressionMistake(Struct, frozen=True):
    """What is wrong with an expression, at a line and column of its text (both from 1).

    Attributes:
        message: what it is.
        line, column: where.
        remedy: what to write instead.
        name: the name that is not known, where that is the mistake.
    """

    message: str
    line: int = 1
    column: int = 1
    remedy: str = ""
    name: str = ""


def explained(errors: str, text: str, types: Mapping[str, str]) -> list[ExpressionMistake]:
    """What CEL's errors about a text mean; `types` are those of the variables it may read."""
    lines = _blanked(text).split("\n")
    found: list[ExpressionMistake] = []
    grammar: list[ExpressionMistake] = []
    for line, column, message in _ERROR.findall(errors):
        if "*error*" in message:
            continue  # follows from a mistake that is listed already
        at = int(line), int(column)
        if unknown := _UNDECLARED.search(message):
            found.append(_unknown(unknown[1], at, lines, types))
        elif overload := _OVERLOAD.search(message):
            found.append(_mismatch(overload[1], overload[2].split(", "), at))
        elif "operand of a select operation" in message:
            found.append(_selected(message, at))
        elif message.startswith(("Syntax error", "reserved identifier")):
            ended = "Syntax error: it ends where something should follow" if "'<EOF>' expecting" in message else message
            grammar.append(ExpressionMistake(ended, *at))
        else:
            found.append(ExpressionMistake(message, *at))
    if grammar:
        found += [*([*_escapes(text), *_habits(lines)] or grammar), *_unknown_names(lines, types)]
    if not found:
        found = [ExpressionMistake(errors.splitlines()[0] if errors else "can't be compiled")]
    return sorted(found, key=lambda one: (one.line, one.column))


def wrong_lengths(text: str) -> list[ExpressionMistake]:
    """Lengths of time with a unit that CEL does not have: they compile, and no row could ever be decided."""
    lines = enumerate(text.split("\n"), 1)
    return [
        ExpressionMistake("CEL's longest unit of time is the hour", number, place.start() + 1, _IN_HOURS)
        for number, line in lines
        for place in _IN_DAYS.finditer(line)
    ]


def _blanked(text: str) -> str:
    """An expression whose quoted texts are empty, every character where it was."""
    return _TEXTS.sub(lambda quoted: " " * len(quoted[0]), text)


def _unknown(name: str, at: tuple[int, int], lines: list[str], types: Mapping[str, str]) -> ExpressionMistake:
    line, column = at
    here = lines[line - 1][column - 1 :] if line <= len(lines) else ""
    if not here.startswith("("):
        start = max(1, column - max(0, name.rfind(".")))  # CEL points at the last dot of a name
        return ExpressionMistake(f'unknown name "{name}"', line, start, _suggest(name, types), name)
    start = max(1, column - len(name))
    if name in _OVER_LISTS:
        message = f"{name} takes a name for each element, and what is to be true of it"
        return ExpressionMistake(message, line, start, f"write {name}(x, x > 0)")
    meant = _OTHERWISE_CALLED.get(name.lower())
    remedy = f"write {meant}. known: {', '.join(sorted(FUNCTIONS))}" if meant else did_you_mean(name, [*FUNCTIONS])
    return ExpressionMistake(f'unknown function "{name}"', line, start, remedy)


def _suggest(name: str, types: Mapping[str, str]) -> str:
    scope = name.partition(".")[0]
    siblings = [known for known in types if known.startswith(f"{scope}.")]
    return did_you_mean(name, siblings or list(types))


def _mismatch(operator: str, operands: list[str], at: tuple[int, int]) -> ExpressionMistake:
    kinds = ["a list" if operand.startswith("list(") else _KINDS.get(operand, operand) for operand in operands]
    sign = operator.strip("_")
    if len(operands) == 2 and operator.startswith("_"):  # noqa: PLR2004 - two sides
        message = f"{sign} can't be put between {kinds[0]} and {kinds[1]}"
    else:
        return ExpressionMistake(f"{sign} does not take {' and '.join(kinds)}", *at)
    return ExpressionMistake(message, *at, _between({*operands}))


def _selected(message: str, at: tuple[int, int]) -> ExpressionMistake:
    kind = next(iter(_OF_TYPE.findall(message)), "")
    shown = "a list" if kind.startswith("list(") else _KINDS.get(kind, kind)
    remedy = "write size(column) for how many there are" if shown in ("a list", _KINDS["string"]) else ""
    return ExpressionMistake(f"{shown} has no part that could be named behind a dot", *at, remedy)


def _between(operands: set[str]) -> str:
    """What to write where values of these types can't stand together."""
    if "null_type" in operands:
        return "leave it out: a cell that is not known makes its row unknown by itself"
    if operands == _NUMBERS:
        return "write 3.0 for 3, or double(…) around the whole number"
    if "google.protobuf.Duration" in operands and operands & _NUMBERS:
        return "write a number in the column's unit, which runbook probe NAME shows"
    if operands == {"google.protobuf.Timestamp", "string"}:
        return 'write timestamp("2026-01-31T00:00:00Z")'
    if "string" in operands and operands & _NUMBERS:
        return "write the number without quotes"
    return _LIST_AND_ONE if len({operand.startswith("list(") for operand in operands}) > 1 else ""


def _habits(lines: list[str]) -> Iterator[ExpressionMistake]:
    for number, line in enumerate(lines, 1):
        for habit, what, remedy in _HABITS:
            for place in habit.finditer(line):
                yield ExpressionMistake(f"{what} is written otherwise in CEL", number, place.start() + 1, remedy)
            line = habit.sub(lambda seen: " " * len(seen[0]), line)  # noqa: PLW2901 - "not in" is no "not" any more


def _escapes(text: str) -> Iterator[ExpressionMistake]:
    """The first backslash of each quoted text that CEL reads as one of its own, and has none of, as in a pattern."""
    for quoted in _QUOTED.finditer(text):
        strange = next((one for one in _ESCAPED.finditer(quoted[2]) if one[1] not in _ESCAPES), None)
        if strange and not quoted[1]:
            before = text[: quoted.start(2) + strange.start()]
            line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
            remedy = f"write it twice, or r before the quotes: r{quoted[2]}"
            yield ExpressionMistake("a backslash in quotes is written otherwise in CEL", line, column, remedy)


def _unknown_names(lines: list[str], types: Mapping[str, str]) -> Iterator[ExpressionMistake]:
    """Names of columns that there are not, in an expression whose grammar CEL does not get past."""
    scopes = {name.partition(".")[0] for name in types if "." in name}
    for number, line in enumerate(lines, 1):
        for place in _NAME.finditer(line):
            name = ".".join(place[0].split(".")[:2])
            if name.partition(".")[0] in scopes and name not in types:
                message = f'unknown name "{name}"'
                yield ExpressionMistake(message, number, place.start() + 1, _suggest(name, types), name)
