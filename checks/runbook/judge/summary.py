"""What reports say of a run, whatever their format: counts, and the order of findings."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from runbook.model.block import SEVERITIES, Severity
from runbook.model.result import JudgedRow, Outcome, Result

NAMESPACE: Final = "namespace"
"""A key column that only says where a row is."""
_SEVERAL: Final = ("topics",)
"""Names of key columns that are plurals already."""
_RANK = {Outcome.FAIL: 0, Outcome.UNKNOWN: 1, Outcome.NOT_APPLICABLE: 2, Outcome.PASS: 3}


class RunSummary(Struct, frozen=True, rename={"passed": "pass", "failed": "fail"}):
    """How many results came out how; each is counted once.

    Attributes:
        passed, failed, unknown, not_applicable: results by outcome; waived failures are in `waived` only.
        unobserved: those that are unknown as nobody looks, by declaration; they are in no other count.
        waived: failures that a waiver excuses altogether.
        known: failures that a commit that a run is compared with has altogether, too.
        judged: rows judged, over all checks.
        facts: different facts the results rest on.
    """

    passed: int = 0
    failed: int = 0
    unknown: int = 0
    not_applicable: int = 0
    unobserved: int = 0
    waived: int = 0
    known: int = 0
    judged: int = 0
    facts: int = 0


def some(names: Sequence[str], most: int) -> str:
    """The first of several names, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def summarize(results: Sequence[Result]) -> RunSummary:
    """Count results."""

    def count(outcome: Outcome) -> int:
        return sum(result.outcome is outcome and not (result.waived or result.unobserved) for result in results)

    return RunSummary(
        passed=count(Outcome.PASS),
        failed=count(Outcome.FAIL),
        unknown=count(Outcome.UNKNOWN),
        not_applicable=count(Outcome.NOT_APPLICABLE),
        unobserved=sum(result.unobserved for result in results),
        waived=sum(result.waived and not result.known for result in results),
        known=sum(result.known for result in results),
        judged=sum(result.judged for result in results),
        facts=len({(r.environment, evidence.source, evidence.digest) for r in results for evidence in r.evidence}),
    )


def worst_first(results: Iterable[Result]) -> list[Result]:
    """Order results: by severity, within it fail, unknown, not applicable, pass; waived failures after all others.

    What is unknown weighs as much as a failure one severity lower, and stands after it: a grave failure that is certain
    comes before the gravest that may be none, and that before mild ones. Results that are equally bad keep their order.
    """
    return sorted(results, key=lambda r: (r.waived, -_weight(r), _RANK[r.outcome], -SEVERITIES.index(r.severity)))


def _weight(result: Result) -> int:
    return SEVERITIES.index(result.severity) - (result.outcome is not Outcome.FAIL)


def findings(results: Iterable[Result]) -> list[Result]:
    """The results a reader must act on or know of: fail and unknown, worst first, waived failures last.

    What nobody looks at by declaration is none of them.
    """
    return [result for result in worst_first(results) if result.outcome is Outcome.FAIL or result.is_unknown]


def below(results: Iterable[Result], fail_on: Severity) -> list[Result]:
    """The unwaived failures too mild to fail the run."""
    least = SEVERITIES.index(fail_on)
    failed = [result for result in results if result.outcome is Outcome.FAIL and not result.waived]
    return [result for result in failed if SEVERITIES.index(result.severity) < least]


def open_rows(result: Result) -> list[JudgedRow]:
    """The rows of a result that no waiver excuses; of a result that is waived altogether, all."""
    return [row for row in result.rows if result.waived or not row.waived]


def open_count(result: Result) -> int:
    """How many rows no waiver excuses; more than `open_rows` gives where not all were kept."""
    excused = 0 if result.waived else sum(row.waived for row in result.rows)
    return max(len(result.rows), result.failed + result.undecided) - excused


def counted(count: int, noun: str) -> str:
    """A count with its noun: "1 broker", "1,200 partitions"."""
    several = "" if count == 1 or noun in _SEVERAL else "s"
    return f"{count:,} {noun.replace('_', ' ')}{several}"


def row_noun(keys: Sequence[str]) -> str:
    """Of key columns the one that says what a row is: the last, as those before say of what it is a part.

    A namespace, if there is another, only says where it is; without keys it is a row.
    """
    return ([key for key in keys if key != NAMESPACE] or [*keys] or ["row"])[-1]


def by_outcome(results: Sequence[Result]) -> str:
    """How many results came out how, in one line; of what is rare only what there is."""
    counts = summarize(results)
    parts = [f"{counts.passed} pass, {counts.failed} fail, {counts.unknown} unknown"]
    parts += [f"{counts.unobserved} not observed"] if counts.unobserved else []
    parts += [f"{counts.not_applicable} not applicable, {counts.waived} waived"]
    return ", ".join(parts + ([f"{counts.known} known"] if counts.known else []))
