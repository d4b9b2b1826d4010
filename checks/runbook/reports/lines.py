"""The run as compilers and linters write: a line for each finding, which begins with FILE:LINE:COLUMN.

Below each stands the statement that is not true, and after all of them what to do, once for each check. What is
unknown has one line for each check, as it depends on variables, libraries or clusters.
"""

import re
import textwrap
from collections.abc import Iterator, Sequence

from runbook.judge.summary import below, counted, open_count, summarize, worst_first
from runbook.model.result import JudgedRow, Outcome, Result
from runbook.model.run import Run
from runbook.reports import ReportOptions
from runbook.reports._findings import name_of
from runbook.reports._places import first_place
from runbook.reports._row_groups import named_row
from runbook.safety.sanitize import sanitize

_BOLD, _DIM, _END = "\x1b[1m", "\x1b[2m", "\x1b[0m"


def report(run: Run, options: ReportOptions) -> str:
    """The text."""
    mild = {id(result) for result in below(run.results, options.fail_on)}
    failed = [one for one in worst_first(run.results) if one.outcome is Outcome.FAIL and not one.waived]
    unknown = [result for result in worst_first(run.results) if result.is_unknown]
    rows = sorted(_failures(failed, mild, options), key=lambda row: row[:-1])
    lines = [line for row in rows for line in row[-1]]
    if failed:
        lines += ["", *_bold("What to do", options)]
    for result in failed:
        lines += [name_of(result), *_wrapped(result.remedy, options)]
    if unknown:
        lines += ["", *_bold("Unknown", options)]
    for result in unknown:
        lines += _wrapped(f"{name_of(result)}: {result.reason} ({_share(result)})", options)
    notes = [note for head in run.heads for note in head.notes if not note.startswith("set here")]
    summary = summarize(run.results)
    counts = f"{summary.passed} pass, {summary.failed} fail, {summary.unknown} unknown, {summary.waived} waived"
    counts += f", {summary.known} known" if summary.known else ""
    return "\n".join([*lines, *([""] if lines else []), *map(sanitize, notes), f"runbook: {counts}", ""])


def _failures(
    failed: Sequence[Result], mild: set[int], options: ReportOptions
) -> Iterator[tuple[str, int, int, str, list[str]]]:
    """What each row says, behind what it is sorted by."""
    for result in failed:
        for row in [row for row in result.rows if row.outcome == "fail"] or [JudgedRow({}, result.reason)]:
            if not row.waived:
                place = first_place([row.place], options.folder)
                where = f"{place.file}:{place.line}:{place.column}" if row.place else result.environment
                level = f"{result.severity}, below --fail-on" if id(result) in mild else result.severity
                first = sanitize(f"{where}: {level}: {_said(row)}")
                title = sanitize(f"    {result.title} ({name_of(result)})")
                bold = f"{_BOLD}{first}{_END}" if options.color else first
                yield place.file, place.line, place.column, name_of(result), [bold, title]


def _said(row: JudgedRow) -> str:
    """What is wrong, without where: that stands before it."""
    if not row.place:
        return named_row(row)
    file = row.place.rsplit(":", 2)[0]
    at = rf"{re.escape(file)}, line \d+"
    return re.sub(rf"^{at}: | in {at}", "", row.message)


def _share(result: Result) -> str:
    return counted(open_count(result), "row") if result.rows else "of all"


def _bold(text: str, options: ReportOptions) -> list[str]:
    return [f"{_BOLD}{text}{_END}" if options.color else text]


def _wrapped(text: str, options: ReportOptions) -> list[str]:
    return textwrap.wrap(
        sanitize(" ".join(text.split())), options.width, initial_indent="    ", subsequent_indent="    "
    )
