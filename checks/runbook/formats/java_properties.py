"""Files of java.util.Properties: `name = value`, with continued lines and escapes, and where each one stands.

librdkafka's files of `name=value` lines and most `.conf` files of clients read the same way.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_MEANT = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_SPACE = " \t\f"
_END_OF_NAME = re.compile(r"(?:[^\\\s:=]|\\.)*", re.DOTALL)
_SEPARATOR = re.compile(r"[ \t\f]*[:=]?[ \t\f]*")


class Property(Struct, frozen=True):
    """One setting as it stands in a file; `line` and `column` count from 1."""

    name: str
    value: str
    line: int
    column: int = 1


def read_properties(text: str) -> list[Property]:
    """Read a file; of a name that is there twice both are given, in their order, and the last one holds."""
    found = []
    for line, column, written in _logical_lines(text):
        name = _END_OF_NAME.match(written)
        assert name is not None  # it matches nothing too
        separator = _SEPARATOR.match(written, name.end())
        assert separator is not None  # same
        found.append(Property(name=_plain(name[0]), value=_plain(written[separator.end() :]), line=line, column=column))
    return found


def _logical_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Lines with those that continue them, without comments and empty ones; each with where it begins."""
    begun, first, column = list[str](), 0, 1
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        stripped = line.lstrip(_SPACE)
        if not begun:
            if not stripped or stripped[0] in "#!":
                continue
            first, column = number, len(line) - len(stripped) + 1
        if _continues(stripped):
            begun.append(stripped[:-1])
            continue
        yield first, column, "".join([*begun, stripped])
        begun = []
    if begun:
        yield first, column, "".join(begun)


def _continues(line: str) -> bool:
    """Whether a line ends in an odd number of backslashes: the last of them escapes the line's end."""
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _plain(text: str) -> str:
    def meant(escape: re.Match[str]) -> str:
        said = escape[1]
        return chr(int(said[1:], 16)) if said[0] == "u" and len(said) > 1 else _MEANT.get(said, said)

    return _ESCAPE.sub(meant, text)
