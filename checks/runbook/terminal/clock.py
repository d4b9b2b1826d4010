"""When the command began: what it took counts from there; a deadline counts from the first request."""

import time

_began = time.monotonic()


def begin() -> None:
    """Begin now."""
    global _began  # noqa: PLW0603 - there is one command at a time in a process
    _began = time.monotonic()


def began() -> float:
    """When it began, on the monotonic clock."""
    return _began


def elapsed() -> float:
    """Seconds since then."""
    return time.monotonic() - _began
