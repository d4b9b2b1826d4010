"""The run as workflow commands of GitHub Actions: each finding is an annotation at its line of a pull request.

A failing row is an `error`, or a `warning` or `notice` where it is milder; what could not be found out is a `warning`
for each reason, with the checks that it keeps from a verdict. Failures that are milder than `--fail-on` are notices,
and those that are waived are counted only. What several checks say of one line is one annotation. GitHub shows ten
errors, ten warnings and ten notices of a step: the worst come first, and of each check one before any has a second.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from runbook.judge.first_step import first_step, said
from runbook.judge.summary import below, by_outcome, counted, findings
from runbook.model.errors import FilePosition
from runbook.model.result import JudgedRow, Outcome, Result
from runbook.model.run import Run
from runbook.reports import ReportOptions
from runbook.reports._findings import name_of
from runbook.reports._places import first_place
from runbook.reports._row_groups import row_groups
from runbook.safety.sanitize import sanitize

_LEVEL: Final = {"critical": "error", "high": "error", "medium": "warning", "low": "notice", "info": "notice"}
_LEVELS: Final = ("error", "warning", "notice")
_ESCAPED: Final = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_PROPERTY: Final = _ESCAPED | {":": "%3A", ",": "%2C"}
"""As `@actions/core` writes them."""


def report(run: Run, options: ReportOptions) -> str:
    """The commands, one a line, and a line that counts."""
    mild = {id(result) for result in below(run.results, options.fail_on)}
    found: dict[FilePosition | int, list[_Remark]] = {}
    for remark in sorted(_of_failures(run, mild, options.folder), key=lambda one: (_LEVELS.index(one.level), one.nth)):
        found.setdefault(remark.place if remark.decided else len(found), []).append(remark)
    lines = list(dict.fromkeys(map(_annotation, found.values())))
    lines += _of_unknowns(run, options.folder)
    lines += dict.fromkeys(sanitize(f"note: {note}") for head in run.heads for note in head.notes)
    return "\n".join([*lines, f"runbook: {by_outcome(run.results)}", ""])


class _Remark(NamedTuple):
    """What a check says of a line, what to do first, and whether a file has that line. Texts are inert."""

    level: str
    place: FilePosition
    title: str
    text: str
    step: str = ""
    nth: int = 0
    decided: bool = True


def _annotation(remarks: Sequence[_Remark]) -> str:
    """One for all that is said of a line, the worst first."""
    first, *others = remarks
    more = f", and {counted(len(others), 'more check')}" if others else ""
    texts = ["\n".join(filter(None, [first.text, first.step])), *(f"{one.title}: {one.text}" for one in others)]
    return _command(first.level, first.place, first.title + more, "\n\n".join(texts))


def _of_failures(run: Run, mild: set[int], folder: str) -> Iterator[_Remark]:
    declared = {head.environment: head.place for head in run.heads}
    for result in findings(run.results):
        if result.outcome is not Outcome.FAIL or result.waived:
            continue
        rows = [row for row in result.rows if row.outcome == "fail"] or [JudgedRow({}, result.reason)]
        level = "notice" if id(result) in mild else _LEVEL[result.severity]
        title = f"{result.severity} {name_of(result)}"
        for nth, group in enumerate(row_groups(row for row in rows if not row.waived)):
            place = first_place([group.place, declared.get(result.environment, "")], folder)
            text = f"{sanitize(group.says)}\nExpected: {sanitize(result.title)}"
            yield _Remark(level, place, title, text, _step(result), nth, bool(group.place))
        if (left := result.failed - len(rows)) > 0:
            place = first_place([declared.get(result.environment, "")], folder)
            text = sanitize(f"{result.title}: {left:,} more, which are not listed")
            yield _Remark("notice", place, name_of(result), text, nth=len(rows), decided=False)


def _step(result: Result) -> str:
    step = sanitize(said(first_step(result.remedy)))
    return f"Do first: {step}" if step else ""


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
        yield _command("warning", first_place([place], folder), "could not be found out", sanitize(text))


def _command(level: str, place: FilePosition, title: str, text: str) -> str:
    properties = {"file": place.file, "line": place.line, "col": place.column, "title": title}
    about = ",".join(f"{name}={_escaped(str(value))}" for name, value in properties.items())
    return f"::{level} {about}::{''.join(_ESCAPED.get(sign, sign) for sign in text)}"


def _escaped(text: str) -> str:
    return "".join(_IN_PROPERTY.get(sign, sign) for sign in sanitize(text))
