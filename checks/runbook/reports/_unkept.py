"""Checks for which a bundle was not collected: one line, as they say nothing of the cluster."""

from collections.abc import Sequence

from runbook.judge.summary import counted, findings
from runbook.model.gap_kind import GapKind
from runbook.model.result import Result


def unkept(results: Sequence[Result]) -> list[Result]:
    """The checks that are unknown because a bundle lacks facts of theirs, the gravest first."""
    return [
        one for one in findings(results) if one.is_unknown and any(gap.kind is GapKind.NOT_KEPT for gap in one.gaps)
    ]


def unkept_line(unknown: Sequence[Result]) -> str:
    """How many there are, and how severe the gravest is."""
    worst = f"{', the worst ' if len(unknown) > 1 else ', '}{unknown[0].severity}"
    return f"{counted(len(unknown), 'check')} unknown{worst}: the bundle was collected for other checks: --full"
