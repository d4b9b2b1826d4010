"""What it means for a check that there is nothing to judge: its author says so, else it is not applicable."""

from runbook.model.block import Check
from runbook.model.result import Doubt, JudgedRow, Outcome, Verdict


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


def none_concerned(check: Check, why: str) -> Verdict:
    """The verdict over complete facts without a row to judge.

    A gate that is about one named thing stays closed: it was told no name, or one that nothing here has.
    """
    named = [name for name, parameter in check.params.items() if parameter.is_required]
    if check.where_none is None and check.gate and named:
        reason = f"{why}; name it by {', '.join(f'--set {name.upper()}=…' for name in named)}"
        return Verdict(Outcome.UNKNOWN, reason, doubts=[Doubt(reason)])
    return none_there(check, why)
