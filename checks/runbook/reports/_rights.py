"""The rights that a run lacked: where nothing worse is known, they are the answer."""

from collections.abc import Iterator, Sequence
from typing import Final

from runbook.judge.summary import counted, findings, some
from runbook.model.diagnosis import LabelledSentence
from runbook.model.result import Outcome, Result

_SHOWN: Final = 4  # checks, by name. Our judgement: the gravest tell what is not looked at


def lacked(results: Sequence[Result]) -> list[str]:
    """The rights without which something is unknown; empty where a failure is the worst that was found."""
    worst = next((finding for finding in findings(results) if not finding.waived), None)
    if worst is None or worst.outcome is not Outcome.UNKNOWN:
        return []
    return sorted({right for result in results for right in _named(result)})


def lacking(results: Sequence[Result]) -> list[Result]:
    """The checks that are unknown for want of them, the gravest first; none where the rights are not the answer."""
    return [finding for finding in findings(results) if any(_named(finding))] if lacked(results) else []


def left_by(results: Sequence[Result]) -> list[LabelledSentence]:
    """What that leaves unknown, and what to do."""
    unknown = sum(result.is_unknown for result in results)
    left = lacking(results)
    names = some([f"{result.check} ({result.severity})" for result in left], _SHOWN)
    return [
        LabelledSentence(
            "leaves", f"{len(left)} of {counted(unknown, 'check')} unknown for want of it; more may hang on it"
        ),
        LabelledSentence("these", f"{names}: --full"),
        LabelledSentence(
            "first", "grant it to the user of this environment, or go on knowing that this is not looked at"
        ),
    ]


def _named(result: Result) -> Iterator[str]:
    if result.outcome is Outcome.UNKNOWN:
        for gap in result.gaps:
            if gap.right:
                yield gap.right
