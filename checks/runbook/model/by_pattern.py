"""Seconds that people declare for what has a name, by patterns."""

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

from runbook.model.errors import Misconfigured


def seconds_of(entries: Sequence[str] | None) -> Callable[[str], int | None]:
    """A function from a name to the seconds that are declared for it, by the first pattern that fits.

    Raises:
        Misconfigured: an entry is not written PATTERN=SECONDS.
    """
    pairs = [_pair(entry) for entry in entries or []]
    return lambda name: next((seconds for pattern, seconds in pairs if fnmatchcase(name, pattern)), None)


def _pair(entry: str) -> tuple[str, int]:
    pattern, _, seconds = entry.rpartition("=")
    if not pattern or not seconds.isdecimal():
        raise Misconfigured(f"{entry!r} declares no seconds; write PATTERN=SECONDS, as in orders*=60")
    return pattern, int(seconds)
