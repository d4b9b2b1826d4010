"""The run as workflow commands of GitHub Actions: each finding is an annotation at its line of a pull request.

A failing row is an `error`, or a `warning` or `notice` where it is milder; what could not be found out is a `warning`
for each reason, with the checks that it keeps from a verdict. Failures that are milder than `--fail-on` are notices,
and those that are waived are counted only. GitHub shows ten errors, ten warnings and ten notices of a step: the worst
come first.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from runbook.judge.summary import below, counted, findings, summarize
from runbook.model.errors import FilePosition
from runbook.model.result import JudgedRow, Outcome, Result
from runbook.model.run import Run
from runbook.reports import ReportOptions
from runbook.reports._findings import name_of, named_row
from runbook.reports._places import first_place
from runbook.safety.sanitize import sanitize

_LEVEL: Final = {"critical": "error", "high": "error", "medium": "warning", "low": "notice", "info": "notice"}
_ESCAPED: Final = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_PROPERTY: Final = _ESCAPED | {":": "%3A", ",": "%2C"}
"""As `@actions/core` writes them."""


def report(run: Run, options: ReportOptions) -> str:
    """The commands, one a line, and a line that counts."""
    mild = {id(result) for result in below(run.results, options.fail_on)}
    lines = list(dict.fromkeys(_of_failures(run, mild, options.folder)))
    lines += _of_unknowns(run, options.folder)
    summary = summarize(run.results)
    counts = f"{summary.passed} pass, {summary.failed} fail, {summary.unknown} unknown, {summary.waived} waived"
    return "\n".join([*lines, f"runbook: {counts}, {summary.not_applicable} not applicable", ""])


def _of_failures(run: Run, mild: set[int], folder: str) -> Iterator[str]:
    declared = {head.environment: head.place for head in run.heads}
    for result in findings(run.results):
        if result.outcome is not Outcome.FAIL or result.waived:
            continue
        rows = [row for row in result.rows if row.outcome == "fail"] or [JudgedRow({}, result.reason)]
        for row in (row for row in rows if not row.waived):
            level = "notice" if id(result) in mild else _LEVEL[result.severity]
            place = first_place([row.place, declared.get(result.environment, "")], folder)
            yield _command(level, place, f"{result.severity} {name_of(result)}", f"{result.title}: {named_row(row)}")
        if (left := result.failed - len(rows)) > 0:
            place = first_place([declared.get(result.environment, "")], folder)
            yield _command("notice", place, name_of(result), f"{result.title}: {left:,} more, which are not listed")


def _of_unknowns(run: Run, folder: str) -> Iterator[str]:
    """A command for each reason: one file that can't be read keeps many checks from a verdict."""
    declared = {head.environment: head.place for head in run.heads}
    alike: dict[tuple[str, str], list[Result]] = {}
    for result in findings(run.results):
        if result.outcome is Outcome.UNKNOWN and not result.unobserved:
            lost = next((gap for gap in result.gaps if gap.place), None)
            row = next((row for row in result.rows if row.place), None)
            place = lost.place if lost else row.place if row else declared.get(result.environment, "")
            alike.setdefault((place, str(lost.reason if lost else result.reason)), []).append(result)
    for (place, reason), same in alike.items():
        names = ", ".join(name_of(result) for result in same[:3]) + (", …" if len(same) > 3 else "")  # noqa: PLR2004
        text = f"{reason}. {counted(len(same), 'check')} could not be judged: {names}"
        yield _command("warning", first_place([place], folder), "could not be found out", text)


def _command(level: str, place: FilePosition, title: str, text: str) -> str:
    properties = {"file": place.file, "line": place.line, "col": place.column, "title": title}
    said = ",".join(f"{name}={_escaped(str(value), _IN_PROPERTY)}" for name, value in properties.items())
    return f"::{level} {said}::{_escaped(text, _ESCAPED)}"


def _escaped(text: str, signs: Mapping[str, str]) -> str:
    return "".join(signs.get(sign, sign) for sign in sanitize(text))
