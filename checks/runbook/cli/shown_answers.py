"""Ask single questions outside a run, and show how far that is."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from runbook.cli import clock
from runbook.cli.terminal import Status
from runbook.parse.inventory import Target
from runbook.run import asking
from runbook.run.asking import Answers
from runbook.run.deadline import read_deadline


def ask_all(
    targets: Sequence[Target],
    probes: Sequence[str],
    deadline: str,
    *,
    given: Mapping[str, Any] | None = None,
    user_checks: Sequence[str] = (),
) -> Answers:
    """Put probes to environments; see `run.asking.ask_all`. The deadline counts from when the command began.

    Raises:
        UsageError: the deadline is no duration or out of bounds, or there is no such probe.
    """
    seconds = time_left(deadline)
    with shown_answers() as follow:
        return asking.ask_all(targets, probes, seconds, given=given, user_checks=user_checks, follow=follow)


def time_left(deadline: str) -> float:
    """Seconds until a deadline that counts from when the command began.

    Raises:
        UsageError: it is no duration, or out of bounds.
    """
    return read_deadline(deadline) - clock.elapsed()


@contextmanager
def shown_answers() -> Iterator[Callable[[int, int], None]]:
    """Show on a terminal how many answers there are, as whoever asks tells it."""
    status = Status()

    def show(answered: int, asked: int) -> None:
        status.show(answers_line(answered, asked, clock.elapsed()))

    try:
        yield show
    finally:
        status.clear()


def answers_line(answered: int, asked: int, seconds: float) -> str:
    """How many answers there are after so many seconds, in a line."""
    return f"{answered} of {asked} answers · {seconds:.1f} s"
