"""How far a run is, or an asking of single questions, in a line that counts."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from runbook.model.run import notable_loading
from runbook.parse.inventory import Target
from runbook.run.collection import single_questions
from runbook.run.collection.single_questions import Answering, Answers, Follow
from runbook.run.judgement.runner import Progress
from runbook.run.planning.deadline import read_deadline
from runbook.terminal import clock
from runbook.terminal.status import Status

LOADING: Final = "loading · "
"""How a line of progress begins before anything was asked."""


def ask_all(
    targets: Sequence[Target],
    probes: Sequence[str],
    deadline: str,
    *,
    given: Mapping[str, Any] | None = None,
    user_checks: Sequence[str] = (),
) -> Answers:
    """Put probes to environments; see `single_questions.ask_all`. The deadline counts from the first request.

    Raises:
        UsageError: the deadline is no duration or out of bounds, or there is no such probe.
    """
    seconds = read_deadline(deadline)
    with shown_progress() as follow:
        return single_questions.ask_all(targets, probes, seconds, given=given, user_checks=user_checks, follow=follow)


@contextmanager
def shown_progress() -> Iterator[Follow]:
    """Show on a terminal how far an asking is, as whoever asks tells it; then how long loading took, if it was long."""
    status = Status()
    loading = 0.0

    def show(event: Answering) -> None:
        nonlocal loading
        loading = clock.elapsed() if event.loading else loading
        status.show(answers_line(event, clock.elapsed()))

    try:
        yield show
    finally:
        status.clear()
    if told := notable_loading(loading):
        print(told, file=sys.stderr)


def answers_line(event: Answering, seconds: float) -> str:
    """How many answers there are after so many seconds, and who has not answered, in a line."""
    counted = f"{LOADING * event.loading}{event.answered} of {event.asked} answers"
    return f"{counted} · {seconds:.1f} s{waiting_for(event.waiting_for)}"


def waiting_for(names: Sequence[str]) -> str:
    """The first of those who have not answered, as a line of progress ends; nothing if all have."""
    return f" · waiting for {', '.join(names[:2])}" if names else ""


def progress_line(progress: Progress, seconds: float) -> str:
    """How far a run is after so many seconds, in a line."""
    counted = f"facts {progress.facts}/{progress.facts_in_all} · checks {progress.checks}/{progress.checks_in_all}"
    return f"{LOADING * progress.loading}{counted} · {seconds:.1f} s{waiting_for(progress.waiting_for)}"
