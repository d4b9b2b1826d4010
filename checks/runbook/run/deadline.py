"""How long a run may take: read from what people write, and held within bounds."""

from typing import Final

from runbook.model.ask import seconds
from runbook.model.errors import UsageError

SHORTEST: Final = 0.5
"""Seconds a deadline has at least; our judgement."""

LONGEST: Final = 3600.0
"""Seconds a deadline has at most; our judgement."""


def read_deadline(text: str) -> float:
    """Seconds of a deadline as it is written: 10s, 2m.

    Raises:
        UsageError: it is not a duration, or out of bounds.
    """
    try:
        limit = seconds(text)
    except ValueError as error:
        raise UsageError(f"--deadline {error}") from error
    return bounded(limit)


def bounded(limit: float) -> float:
    """The same deadline, in seconds.

    Raises:
        UsageError: it is out of bounds.
    """
    if not SHORTEST <= limit <= LONGEST:
        raise UsageError(f"a deadline of {limit:g} s: between {SHORTEST:g} s and {LONGEST / 3600:g} h, please")
    return limit
