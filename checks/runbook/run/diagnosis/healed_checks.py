"""What became of checks between two looks of the same run: what passes now, what does not, and what is on its way."""

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from runbook.model import moment
from runbook.model.result import Outcome, Result
from runbook.model.run import Run

_WELL: Final = frozenset({Outcome.PASS, Outcome.NOT_APPLICABLE})


class Shrinking(Struct, frozen=True):
    """A check that fails of fewer rows than before.

    Attributes:
        check: its name.
        before: rows that failed at the look before.
        now: rows that fail now.
        seconds: until none is left, if it goes on at the pace of these two looks: an estimate.
    """

    check: str
    before: int
    now: int
    seconds: float


class Healing(Struct, frozen=True):
    """What became of checks since the look before, by their names, in the order of the run.

    Attributes:
        passes: those that failed or were unknown, and pass now or do not apply.
        fails: those that did not fail, and do now.
        unknown: those that failed, passed or did not apply, and can't be told now.
        shrinking: those that fail of fewer rows.
    """

    passes: list[str]
    fails: list[str]
    unknown: list[str]
    shrinking: list[Shrinking]


def healing(before: Run, now: Run) -> Healing:
    """What became of checks from one run to another of the same."""
    then = {_key(result): result for result in before.results}
    seconds = (moment.read(now.started_at) - moment.read(before.started_at)).total_seconds()
    both = [result for result in now.results if _key(result) in then]
    turned = [result for result in both if result.outcome is not then[_key(result)].outcome]
    return Healing(
        passes=_names(
            result for result in turned if result.outcome in _WELL and then[_key(result)].outcome not in _WELL
        ),
        fails=_names(result for result in turned if result.outcome is Outcome.FAIL),
        unknown=_names(result for result in turned if result.outcome is Outcome.UNKNOWN),
        shrinking=[*_shrinking(both, then, seconds)],
    )


def _shrinking(both: Iterable[Result], then: Mapping[tuple[str, str], Result], seconds: float) -> Iterable[Shrinking]:
    for result in both:
        before = then[_key(result)]
        if result.outcome is before.outcome is Outcome.FAIL and 0 < result.failed < before.failed:
            pace = (before.failed - result.failed) / seconds if seconds > 0 else 0.0
            if pace:
                yield Shrinking(result.check, before.failed, result.failed, result.failed / pace)


def _names(results: Iterable[Result]) -> list[str]:
    return [
        result.check if result.subject == result.environment else f"{result.check} [{result.subject}]"
        for result in results
    ]


def _key(result: Result) -> tuple[str, str]:
    return result.check, result.subject
