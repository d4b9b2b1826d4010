"""What nobody looks at by declaration: how many checks that leaves unknown, and why, in one sentence."""

from collections import Counter
from collections.abc import Sequence

from runbook.judge.summary import counted
from runbook.model.gap_kind import GapKind
from runbook.model.result import Outcome, Result
from runbook.model.run import Head


def unobserved(head: Head, results: Sequence[Result]) -> str:
    """How many of an environment's checks nobody looks at, and why; empty where all are looked at.

    Of those that apply: what does not apply needs no look.
    """
    mine = [result for result in results if result.environment == head.environment]
    left = [result for result in mine if result.unobserved]
    if not left:
        return ""
    lacking = Counter(of for result in left for of in _lacking(result))
    whys = {one.of: f"{one.because}; {one.owner}, until {one.until}" for one in head.unobserved if one.owner}
    whys = {one.of: one.because for one in head.unobserved} | whys
    told = ", ".join(f"{count:,} over {of} ({whys.get(of, 'not said why')})" for of, count in lacking.most_common())
    applying = sum(result.outcome is not Outcome.NOT_APPLICABLE for result in mine)
    return f"{len(left):,} of {counted(applying, 'check')} not observed: {told}"


def _lacking(result: Result) -> set[str]:
    """What of that which nobody looks at a result needs."""
    return {gap.connection for gap in result.gaps if gap.kind is GapKind.UNOBSERVED}
