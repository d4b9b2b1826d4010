"""Findings that a base has, too: they stand in the run, excused, so that only new ones end it with a failure."""

import re
from collections.abc import Mapping
from typing import Final

from msgspec import structs

from runbook.judge.common_cause import common
from runbook.model.result import JudgedRow, Outcome, Result, WaiverUse
from runbook.model.run import Run

_LINE: Final = re.compile(r"\bline \d+")
"""What moves when something is written above it."""
Known = set[tuple[str, str, str, str]]


def excuse_known(run: Run, base: Run, ref: str) -> None:
    """Excuse in a run each row that fails in the same way in the base: same check, same thing, same words.

    Args:
        run: the run, whose results are changed.
        base: the run over what was before.
        ref: what the base is called.
    """
    known = {_of(result, row) for result in base.results for row in _failing(result)}
    run.results = [_excused(result, known, ref) for result in run.results]
    for diagnosis in run.diagnoses:  # which compares failing rows with others, and takes old ones for new
        diagnosis.contrasts = {}


def _failing(result: Result) -> list[JudgedRow]:
    return [row for row in result.rows if row.outcome == "fail"] if result.outcome is Outcome.FAIL else []


def _of(result: Result, row: JudgedRow) -> tuple[str, str, str, str]:
    return result.check, result.environment, _key(row.key), _LINE.sub("", row.message)


def _key(key: Mapping[str, object]) -> str:
    return repr(sorted(key.items()))


def _excused(result: Result, known: Known, ref: str) -> Result:
    old = [row for row in _failing(result) if _of(result, row) in known]
    if not old:
        return result
    rows = [structs.replace(row, waived=True) if row in old else row for row in result.rows]
    offending = [row for row in rows if row.outcome == "fail"]
    waived = sum(row.waived for row in offending)
    # Of rows that disagree several make one failure, and of very many not all are kept
    every = waived == len(offending) >= result.failed
    use = result.waiver or WaiverUse("", "", "", 0)
    excused = result.failed if every else max(use.rows, min(waived, result.failed - 1))
    shared = common([row for row in rows if not row.waived], result.gaps)
    return structs.replace(result, rows=rows, waiver=structs.replace(use, rows=excused, base=ref), common=shared)
