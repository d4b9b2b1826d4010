"""Expressions that compiled before without a mistake: kept for each runbook, so that they are compiled when judged.

An expression is known by the digest of its text, of what it must give, and of the names and types of all variables it
may read. That it is known is all that is kept: what is judged is compiled from its text, and if it were no such
expression after all, nothing of it could be decided.
"""

import hashlib
from functools import cache
from typing import Final

from runbook.plugins.kept_files import keep, kept, name_of

KIND: Final = "expressions"
ROOMS: Final = ("judge", "model", "parse")
"""The code that decides whether an expression compiles."""

_SIZE: Final = 16  # bytes of a digest


class SoundExpressions:
    """The digests of expressions that have no mistake."""

    def __init__(self, name: str = "") -> None:
        """Begin with those that are kept under a name; with none without."""
        data = kept(name) or b""
        self._name = name
        self._known = {data[at : at + _SIZE] for at in range(0, len(data), _SIZE)}
        self._before = len(self._known)

    def __contains__(self, digest: bytes) -> bool:
        return digest in self._known

    def add(self, digest: bytes) -> None:
        """Note that an expression has no mistake."""
        self._known.add(digest)

    def packed(self) -> bytes:
        """What is kept of them."""
        return b"".join(sorted(self._known))

    def save(self) -> None:
        """Keep them, if there are more than before."""
        if len(self._known) > self._before:
            keep(self._name, self.packed())
            self._before = len(self._known)


@cache
def sound_expressions(runbook: str) -> SoundExpressions:
    """Those of the runbook with this digest."""
    return SoundExpressions(name_for(runbook))


def name_for(runbook: str) -> str:
    """The name under which those of the runbook with this digest are kept."""
    return name_of(KIND, ROOMS, runbook)


def digest_of(text: str, types: bytes, gives: str) -> bytes:
    """The digest of an expression: `types` is that of its variables, `gives` what it must give."""
    return hashlib.blake2b(b"\0".join((types, gives.encode(), text.encode())), digest_size=_SIZE).digest()


def digest_of_types(types: dict[str, str]) -> bytes:
    """The digest of variables and their types."""
    named = "\0".join(f"{name}:{types[name]}" for name in sorted(types))
    return hashlib.blake2b(named.encode(), digest_size=_SIZE).digest()
