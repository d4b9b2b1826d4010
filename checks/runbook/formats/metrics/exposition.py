"""Prometheus' text format, read strictly: what is not of it is refused as a whole."""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from msgspec import Struct

from runbook.model.errors import Garbled

# Nothing that was read is given back (`*+`): else a line of blanks would be tried in all the ways to take them apart.
_NAME: Final = r"[a-zA-Z_:][a-zA-Z0-9_:]*+"
_LABEL: Final = r'[a-zA-Z_][a-zA-Z0-9_]*+[ \t]*+=[ \t]*+"(?:[^"\\\n]|\\.)*+"'
_LABELS: Final = rf"\{{[ \t]*+((?:{_LABEL}[ \t]*+(?:,[ \t]*+)?)*+)\}}"
_LINE: Final = re.compile(rf"[ \t]*+({_NAME})(?:[ \t]*+{_LABELS})?+[ \t]++([^ \t]++)(?:[ \t]++-?[0-9]++)?+[ \t]*+")
_PAIR: Final = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)[ \t]*=[ \t]*"((?:[^"\\\n]|\\.)*)"')
_ESCAPE: Final = re.compile(r"\\(.)")


class Point(NamedTuple):
    """What a series was at a moment, in seconds since 1970."""

    time: float
    value: float


class Sample(Struct, frozen=True):
    """One series: its name, its labels, and what it was when, the newest last.

    A page tells what is now: one point, of which the time is 0.
    """

    name: str
    labels: dict[str, str]
    points: tuple[Point, ...]

    @property
    def value(self) -> float:
        """The newest value."""
        return self.points[-1].value


def read(page: str, wanted: AbstractSet[str]) -> Iterator[Sample]:
    """Yield the samples of a page that have one of the wanted names.

    Raises:
        Garbled: a line is not of the format, or the last one is cut off.
    """
    if not page.endswith("\n"):
        raise Garbled("answered with metrics that end in the middle of a line" if page else "answered with nothing")
    for number, line in enumerate(page.split("\n"), 1):
        if not line or line.isspace() or line.lstrip().startswith("#"):
            continue
        found = _LINE.fullmatch(line)
        value = _number(found[3]) if found else None
        if found is None or value is None:
            raise Garbled(f"answered with metrics of which line {number} is not of Prometheus' text format")
        if found[1] in wanted:
            yield Sample(found[1], _labels(found[2] or ""), (Point(time=0.0, value=value),))


def _labels(text: str) -> dict[str, str]:
    return {name: _ESCAPE.sub(_unescaped, value) for name, value in _PAIR.findall(text)}


def _unescaped(found: "re.Match[str]") -> str:
    return "\n" if found[1] == "n" else found[1]


def _number(text: str) -> float | None:
    """A number of the format; Python takes digits apart by underscores, the format does not."""
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None
