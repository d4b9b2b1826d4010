"""Messages about rows: `{expression}`, `{number|one|many}` (the word for it) and `{list|one|many}` (with its items)."""

import datetime as dt
import math
import re
from collections.abc import Container, Mapping
from itertools import accumulate
from typing import Any, NamedTuple

from runbook.judge.expression import OVERRUN, Expression, Undecided, Variables
from runbook.judge.expression_mistakes import ExpressionMistake
from runbook.model import moment
from runbook.safety.shell_words import shell_word

_PART = re.compile(r"\{([^{}]+)\}")
_WORDS = re.compile(r"([^|]+)\|([^|]+)\|([^|]*)")  # CEL's own "or" is two strokes with nothing between
_UNKNOWN = "?"
_LONGEST = 1000  # characters of one value in a message; more is cut. Our judgement: a message is a sentence
_OVERRUN_COSTS = 20_000  # characters: what takes all iterations that are allowed takes about as long as writing these


class Room:
    """How much the messages of one verdict may still compute, so that no runbook and no fact makes them take long.

    Counted in characters before they are cut, not in time: the same facts give the same messages.
    """

    def __init__(self, characters: int = 2_000_000) -> None:
        """Begin with this many: 2,000 for each row that is kept. Our judgement."""
        self._left = characters

    def write(self, expression: Expression, data: Mapping[str, Any]) -> str:
        """A value as people write it, cut where it is longer than anybody reads; "…" where no room is left."""
        if self._left <= 0:
            return "…"
        value = expression.value(data)
        if isinstance(value, Undecided) and value.reason == OVERRUN:
            self._left -= _OVERRUN_COSTS
        text = _moment(value, data.get("now")) if isinstance(value, dt.datetime) else show(value)
        self._left -= len(text)
        return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


class _Part(NamedTuple):
    """An expression, and the words that its value chooses from: for one, and for more; none where it is shown.

    Of a column that is a list its items stand behind the word: broker 1, or brokers 1, 3. A blank is no word: 1, 3.
    """

    expression: Expression
    words: tuple[str, str] | None
    items: bool = False


class Template:
    """A compiled message."""

    def __init__(self, text: str, parts: list[_Part], *, pasted: bool = False) -> None:
        """Wrap what `compile_template` made; of a text that is `pasted`, values in code are words of a shell."""
        self._texts = _PART.split(text)[::2]
        self._parts = parts
        marks = accumulate(part.count("`") for part in self._texts[:-1])
        self._in_code = [pasted and bool(count % 2) for count in marks]

    def fill(self, data: Mapping[str, Any], room: Room | None = None) -> str:
        """The message for one row; what is not known shows as "?". All messages of a verdict share their room."""
        return self._joined(self._values(data, room or Room()))

    def fill_if_known(self, data: Mapping[str, Any], of: Container[str], room: Room) -> str:
        """The message, or "" where a value that it makes of these names is not known."""
        values = self._values(data, room)
        made = [
            value
            for part, value in zip(self._parts, values, strict=True)
            if any(name in of for name in part.expression.used)
        ]
        return "" if _UNKNOWN in made else self._joined(values)

    def _values(self, data: Mapping[str, Any], room: Room) -> list[str]:
        values = [_written(part, data, room) for part in self._parts]
        return [_as_word(value) if code else value for value, code in zip(values, self._in_code, strict=True)]

    def _joined(self, values: list[str]) -> str:
        return "".join(text + value for text, value in zip(self._texts, [*values, ""], strict=True))


def compile_template(text: str, variables: Variables, *, pasted: bool = False) -> Template | list[ExpressionMistake]:
    """Compile a message; the mistakes of all its expressions otherwise.

    Args:
        text: the message.
        variables: that its expressions may name.
        pasted: whether people paste the code in it: what facts fill in there is one word of a shell, whatever it holds.
    """
    parts, mistakes = [], []
    for match in _PART.finditer(text):
        chooses = _WORDS.fullmatch(match[1])
        compiled = variables.compile(chooses[1] if chooses else match[1], boolean=False, flat=True)
        if isinstance(compiled, list):
            mistakes += [
                ExpressionMistake(m.message, 1, match.start() + 1 + m.column, m.remedy, m.name) for m in compiled
            ]
        else:
            items = bool(chooses) and variables.types.get(match[1].partition("|")[0].strip(), "").startswith("list")
            parts.append(_Part(compiled, (chooses[2], chooses[3]) if chooses else None, items))
    return mistakes or Template(text, parts, pasted=pasted)


def _written(part: _Part, data: Mapping[str, Any], room: Room) -> str:
    if part.words is None:
        return room.write(part.expression, data)
    if part.items:
        return _items(part.words, part.expression.value(data), room.write(part.expression, data))
    return part.words[0 if part.expression.value(data) == 1 else 1]  # of a number that is not known, "? brokers"


def _items(words: tuple[str, str], value: Any, shown: str) -> str:
    """The items of a list without brackets, behind the word for so many: "no broker" of none, "?" where unknown.

    Behind a blank, none is nothing.
    """
    if not isinstance(value, list):
        return shown
    if not value:
        return f"no {words[0]}" if words[0].strip() else ""
    return f"{words[0 if len(value) == 1 else 1]} {shown.removeprefix('[').removesuffix(']')}".lstrip()


def _as_word(value: str) -> str:
    return value if value in _UNTOLD else shell_word(value)


_UNTOLD = (_UNKNOWN, "…")  # what is not known stands as it is: nobody can paste that anyway
_UNITS = (("year", 31_536_000), ("day", 86_400), ("hour", 3_600), ("minute", 60))
_TWO = 2  # of a unit at least: an hour and a half is 90 minutes. Our judgement


def _moment(value: dt.datetime, now: object) -> str:
    """A moment, and how long before the facts were collected it was, or after."""
    text = f"{value.astimezone(dt.UTC):%Y-%m-%d %H:%M:%S} UTC"
    if not isinstance(now, str):
        return text
    away = (moment.read(now) - value).total_seconds()
    unit, length = next(((unit, length) for unit, length in _UNITS if abs(away) >= _TWO * length), ("second", 1))
    count = int(abs(away) // length)
    if not count:
        return text
    far = f"{count} {unit}{'' if count == 1 else 's'}"
    return f"{text} ({far} ago)" if away > 0 else f"{text} (in {far})"


def _number(value: float) -> str:
    """Two decimals, or three digits of what is less than one; more where they would say another whole number."""
    for digits in (2, 4, 8):
        shown = f"{value:.{digits}f}" if abs(value) >= 1 else f"{value:.{digits + 1}g}"
        if not math.isfinite(value) or float(shown) == value or not float(shown).is_integer():
            break
    else:
        shown = str(value)
    return shown.rstrip("0").rstrip(".") if "." in shown and "e" not in shown else shown


def show(value: Any) -> str:
    """A value as people write it."""
    if value is None or isinstance(value, Undecided):
        return _UNKNOWN
    if isinstance(value, bool | float):
        return _number(value) if isinstance(value, float) else str(value).lower()
    if isinstance(value, list):
        shown = ", ".join(show(item) or "none" for item in value)
        return f"[{shown}]" if not value or any(item != "" for item in value) else "none"  # not "[, , ]"
    if isinstance(value, dict):  # in order of the keys, as stored facts keep them
        return "{" + ", ".join(f"{key}: {show(item)}" for key, item in sorted(value.items())) + "}"
    return str(value)
