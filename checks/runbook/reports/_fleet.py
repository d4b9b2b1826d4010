"""Several environments at a glance: one line each, the worst first, and what they have in common."""

from collections.abc import Sequence

from msgspec import Struct

from runbook.judge.summary import RunSummary, findings, summarize
from runbook.model.block import SEVERITIES
from runbook.model.diagnosis import Diagnosis, of_environment
from runbook.model.result import Outcome, Result
from runbook.model.run import Run

MOST_IN_COMMON = 3  # lines; our judgement: what is more is no longer one cause
_TWO = 2  # environments at least, to have something in common


class EnvironmentLine(Struct, frozen=True):
    """An environment in a line.

    Attributes:
        environment: its name.
        summary: how many of its results came out how.
        word: CAUSE, POSSIBLE, or the severity of its worst finding; empty where there is none.
        says: the cause, or the reason of that finding.
        more: causes, or findings, that are not told.
    """

    environment: str
    summary: RunSummary
    word: str
    says: str
    more: int


class InCommon(Struct, frozen=True):
    """What is the same in several environments.

    Attributes:
        says: the cause, or the check with its reason.
        environments: their names.
    """

    says: str
    environments: list[str]


def environment_lines(run: Run) -> list[EnvironmentLine]:
    """A line for each environment: what fails most gravely first, then what is unknown, then what is well."""
    names = dict.fromkeys([*(head.environment for head in run.heads), *(result.environment for result in run.results)])
    by_name = {name: [result for result in run.results if result.environment == name] for name in names}
    order = sorted(by_name, key=lambda name: _gravity(by_name[name]))
    return [_line(name, by_name[name], of_environment(run.diagnoses, name)) for name in order]


def in_common(run: Run) -> list[InCommon]:
    """Causes that hold in two environments or more; then findings that read the same, neither explained nor waived."""
    causes: dict[str, list[str]] = {}
    for diagnosis in run.diagnoses:
        for title in dict.fromkeys(cause.title for cause in diagnosis.named):
            causes.setdefault(title, []).append(diagnosis.environment)
    alike: dict[str, list[str]] = {}
    for result in findings(run.results):
        here = of_environment(run.diagnoses, result.environment)
        explained = here is not None and any(_accounts(here, result.check))
        if not result.waived and not explained:
            alike.setdefault(f"{result.check}: {result.reason}", []).append(result.environment)
    found = [InCommon(says, names) for says, names in causes.items() if len(names) >= _TWO]
    same = [InCommon(says, [*dict.fromkeys(names)]) for says, names in alike.items() if len({*names}) >= _TWO]
    return [*found, *sorted(same, key=lambda one: -len(one.environments))][:MOST_IN_COMMON]


def _accounts(diagnosis: Diagnosis, check: str) -> list[bool]:
    return [check in (*cause.explains, *cause.helps, *cause.may_explain, *cause.withholds) for cause in diagnosis.named]


def _gravity(results: Sequence[Result]) -> tuple[int, int, int]:
    """What sorts environments: the worst failure's severity, how many there are, and how much is not known."""
    failing = [result for result in results if result.outcome is Outcome.FAIL and not result.waived]
    worst = max((SEVERITIES.index(result.severity) for result in failing), default=-1)
    return -worst, -len(failing), -sum(result.is_unknown for result in results)


def _line(name: str, results: Sequence[Result], diagnosis: Diagnosis | None) -> EnvironmentLine:
    summary = summarize(results)
    if diagnosis is not None and diagnosis.named:
        first, *more = diagnosis.named
        return EnvironmentLine(name, summary, "CAUSE", first.says, len(more))
    found = [finding for finding in findings(results) if not finding.waived]
    if not found:
        return EnvironmentLine(name, summary, "", "", 0)
    worst, *others = found
    word = worst.severity if worst.outcome is Outcome.FAIL else "unknown"
    return EnvironmentLine(name, summary, word, worst.reason, len(others))
