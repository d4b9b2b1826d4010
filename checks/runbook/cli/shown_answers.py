"""Ask single questions outside a run, and show how far that is."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from runbook.cli import clock
from runbook.cli.terminal import Status
from runbook.parse.inventory import Target
from runbook.run import asking
from runbook.run.asking import Answering, Answers, Follow
from runbook.run.deadline import read_deadline


def ask_all(
    targets: Sequence[Target],
    probes: Sequence[str],
    deadline: str,
    *,
    given: Mapping[str, Any] | None = None,
    user_checks: Sequence[str] = (),
) -> Answers:
    """Put probes to environments; see `run.asking.ask_all`. The deadline counts from the first request.

    Raises:
        UsageError: the deadline is no duration or out of bounds, or there is no such probe.
    """
    seconds = read_deadline(deadline)
    with shown_answers() as follow:
        return asking.ask_all(targets, probes, seconds, given=given, user_checks=user_checks, follow=follow)


@contextmanager
def shown_answers() -> Iterator[Follow]:
    """Show on a terminal how far an asking is, as whoever asks tells it."""
    status = Status()

    def show(event: Answering) -> None:
        status.show(answers_line(event, clock.elapsed()))

    try:
        yield show
    finally:
        status.clear()


def answers_line(event: Answering, seconds: float) -> str:
    """How many answers there are after so many seconds, and who has not answered, in a line."""
    return f"{event.answered} of {event.asked} answers · {seconds:.1f} s{waiting_for(event.waiting_for)}"


def waiting_for(names: Sequence[str]) -> str:
    """The first of those who have not answered, as a line of progress ends; nothing if all have."""
    return f" · waiting for {', '.join(names[:2])}" if names else ""
