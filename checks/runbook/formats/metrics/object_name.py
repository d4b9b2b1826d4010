"""JMX object names, as far as metrics need them: `domain:key=value,…`, where a value may be a star.

A pattern that ends in `,*` is open: names that fit may have more keys.
"""

from msgspec import Struct

_MORE = ",*"


class ObjectName(Struct, frozen=True):
    """A domain, and key properties in the order in which they are written."""

    domain: str
    keys: tuple[tuple[str, str], ...]
    open: bool = False

    def stars(self) -> tuple[str, ...]:
        """The keys whose value is a star."""
        return tuple(key for key, value in self.keys if value == "*")


def read(text: str) -> ObjectName:
    """Read an object name; quotes around a value are taken off.

    Raises:
        ValueError: it is none.
    """
    domain, colon, rest = text.partition(":")
    if not (domain and colon and rest):
        raise ValueError(f"{text[:80]!r} is no object name")
    closed = rest.removesuffix(_MORE)
    return ObjectName(domain, tuple(_properties(closed)), closed != rest)


def _properties(rest: str) -> list[tuple[str, str]]:
    found = []
    while rest:
        key, equals, rest = rest.partition("=")
        if not (key and equals):
            raise ValueError(f"{key[:80]!r} has no value in an object name")
        value, rest = _quoted(rest) if rest.startswith('"') else _plain(rest)
        found.append((key, value))
    return found


def _plain(rest: str) -> tuple[str, str]:
    value, _, after = rest.partition(",")
    return value, after


def _quoted(rest: str) -> tuple[str, str]:
    """A quoted value: JMX escapes quotes, stars, question marks and backslashes with a backslash, a newline as `n`."""
    value, i = "", 1
    while i < len(rest) and rest[i] != '"':
        if rest[i] == "\\" and i + 1 < len(rest):
            i += 1
            value += "\n" if rest[i] == "n" else rest[i]
        else:
            value += rest[i]
        i += 1
    if i >= len(rest):
        raise ValueError(f"{rest[:80]!r} has no closing quote in an object name")
    return value, rest[i + 2 :]


def labels(pattern: ObjectName, name: ObjectName) -> tuple[str, ...] | None:
    """What the stars of a pattern stand for in a name; None if the name is not of the pattern."""
    there, wanted = dict(name.keys), dict(pattern.keys)
    if name.domain != pattern.domain or not wanted.keys() <= there.keys():
        return None
    if len(there) > len(wanted) and not pattern.open:
        return None
    if any(there[key] != value for key, value in pattern.keys if value != "*"):
        return None
    return tuple(there[key] for key in pattern.stars())
