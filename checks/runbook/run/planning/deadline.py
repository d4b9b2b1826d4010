"""How long a run may take: read from what people write, and held within bounds."""

from collections.abc import Iterable
from typing import Final

from runbook.model.ask import seconds
from runbook.model.errors import NoSecondLook, UsageError

USUAL: Final = 10.0
"""Seconds of a deadline where nobody gave one and nothing needs longer; our judgement."""

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


def given_deadline(text: str) -> float | None:
    """As `read_deadline`; None where nobody gave one.

    Raises:
        UsageError: it is not a duration, or out of bounds.
    """
    return read_deadline(text) if text else None


def bounded(limit: float) -> float:
    """The same deadline, in seconds.

    Raises:
        UsageError: it is out of bounds.
    """
    if not SHORTEST <= limit <= LONGEST:
        raise UsageError(f"a deadline of {limit:g} s: between {SHORTEST:g} s and {LONGEST / 3600:g} h, please")
    return limit


def deadline_for(pauses: Iterable[str]) -> float:
    """Seconds of the deadline that nobody gave, by the times between two looks of what is judged, as 10s.

    Twice the longest, so that as much is left for the start and both looks as goes by between them: our judgement.
    """
    return min(LONGEST, max([USUAL, *(2 * seconds(pause) for pause in pauses)]))


def no_second_look(pause: str, whole: float) -> NoSecondLook:
    """Why something was not looked at twice, with the deadline to give.

    Args:
        pause: the time between the looks, as 10s.
        whole: seconds that the run had; 0 where nobody says.
    """
    wanted = min(LONGEST, max(deadline_for([pause]), whole + seconds(pause)))
    said = f"the deadline comes before a second look, {pause} after the first: give --deadline {wanted:.0f}s"
    return NoSecondLook(said, wanted)


def longer_deadline(wanted: Iterable[float]) -> str:
    """The longest deadline to give for a second look, as 20s; empty if none is wanted."""
    longest = max(wanted, default=0.0)
    return f"{longest:.0f}s" if longest else ""
