"""The rights that a run lacked: where nothing worse is known, they are the answer."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from runbook.judge.summary import counted, findings
from runbook.model.diagnosis import Told
from runbook.model.result import Outcome, Result

_LACKING: Final = re.compile(r"(?:it needs|we have no) (\w+ on (?:the |all )?\w+)")
"""How connections say which right a question needs that was refused; their tests hold their words against this."""


def lacked(results: Sequence[Result]) -> list[str]:
    """The rights without which something is unknown; empty where a failure is the worst that was found."""
    worst = next((one for one in findings(results) if not one.waived), None)
    if worst is None or worst.outcome is not Outcome.UNKNOWN:
        return []
    return sorted({right for one in results for right in _named(one)})


def left_by(results: Sequence[Result]) -> list[Told]:
    """What that leaves unknown, and what to do."""
    unknown = [one for one in results if one.outcome is Outcome.UNKNOWN]
    named = sum(any(_named(one)) for one in unknown)
    return [
        Told("leaves", f"{named} of {counted(len(unknown), 'check')} unknown for want of it; more may hang on it"),
        Told("first", "grant it to the user of this environment, or go on knowing that this is not looked at"),
    ]


def _named(result: Result) -> Iterator[str]:
    if result.outcome is Outcome.UNKNOWN:
        for gap in result.gaps:
            yield from _LACKING.findall(gap.reason)
