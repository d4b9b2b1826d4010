"""What it means for a check that there is nothing to judge: its author says so, else it is not applicable."""

from runbook.model.block import Check
from runbook.model.result import JudgedRow, Outcome, Verdict


def none_there(check: Check, why: str) -> Verdict:
    """The verdict where something is known not to be there: no row was judged, also where that is a failure.

    Args:
        check: the check.
        why: what is not there.
    """
    means = check.where_none
    if means is None:
        return Verdict(Outcome.NOT_APPLICABLE, why)
    if means.outcome == "not_applicable":
        return Verdict(Outcome.NOT_APPLICABLE, means.message)
    return Verdict(Outcome.FAIL, means.message, rows=[JudgedRow({}, means.message, "fail")], failed=1)
