"""What is new or acute before what has been so for long: the order in which failures are told."""

from collections.abc import Sequence

from runbook.judge.summary import counted
from runbook.model import moment
from runbook.model.block import SEVERITIES
from runbook.model.consequence import gives_access, is_forecast, is_standing
from runbook.model.diagnosis import Diagnosis
from runbook.model.result import Outcome, Result


def acute_first(results: Sequence[Result], diagnosis: Diagnosis | None) -> list[Result]:
    """What is new since facts were kept last, then what is acute or critical, then standing conditions.

    Each in its order. A critical failure that stands has not done its harm yet, and may at any moment. Of the others
    that stand, what stops clients or loses records one day comes first: too much access stops nobody.
    """
    newly = {*diagnosis.newly} if diagnosis is not None else set()
    return sorted(results, key=lambda one: (one.waived, one.check not in newly, _waits(one)))


def _waits(one: Result) -> int:
    failed = one.outcome is Outcome.FAIL
    standing = is_standing(one.consequence) or (is_forecast(one.consequence) and not failed)
    if not standing or (failed and one.severity == "critical"):
        return 0
    grave = SEVERITIES.index(one.severity) >= SEVERITIES.index("medium")
    return 1 if failed and grave and not is_access(one) else 2


def is_access(one: Result) -> bool:
    """Whether a failure lets somebody do too much, short of what is critical."""
    return gives_access(one.consequence) and one.severity != "critical"


def of_long(results: Sequence[Result], diagnosis: Diagnosis | None) -> list[Result]:
    """The standing conditions that failed when facts were kept last, too; none where there is nothing beside them."""
    lasting = {*diagnosis.lasting} if diagnosis is not None else set()
    long = [
        one
        for one in results
        if one.outcome is Outcome.FAIL and not one.waived and one.check in lasting and is_standing(one.consequence)
    ]
    return long if len(long) < len(results) else []


def since_long(long: Sequence[Result], diagnosis: Diagnosis | None) -> str:
    """What is said of them in one line."""
    assert diagnosis is not None
    assert diagnosis.changes is not None
    then = moment.read(diagnosis.changes.since)
    verb = "has" if len(long) == 1 else "have"
    return f"{counted(len(long), 'more check')} {verb} been failing since {then:%a %Y-%m-%d} or longer: --full"
