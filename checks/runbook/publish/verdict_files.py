"""The last verdicts of each environment as a script for pages that answer an incident (docs/scripts/respond.js)."""

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from runbook.evidence.lines import WholeRunLine
from runbook.model.run import NamedCause
from runbook.publish.evidence import EnvironmentEvidence, LastSeen
from runbook.publish.evidence_pages import OPEN, ORDER
from runbook.publish.page import STATUS, Page
from runbook.publish.site_paths import built, evidence_folder, evidence_page, file_name, result_anchor

STATUSES = (*ORDER[:-2], "none", *ORDER[-2:])
"""Worst first: a check that nobody ran is worse than one that does not apply or that passes."""


def verdict_file(environment: str) -> str:
    """The script of an environment."""
    return f"scripts/verdicts/{file_name(environment)}.js"


def verdict_files(environments: Sequence[EnvironmentEvidence], wanted: Collection[str]) -> Iterator[Page]:
    """Make the script of each environment.

    Args:
        environments: the last results of each.
        wanted: the checks that are published.
    """
    for environment in environments:
        yield Page(verdict_file(environment.name), _script(environment, wanted))


def as_script(name: str, data: Mapping[str, object]) -> str:
    """A script that adds data to a global: a page from a folder can run one, and can fetch nothing."""
    said = msgspec.json.encode(data).decode().replace("<", "\\u003c")  # harmless should somebody put it in a page
    return f"window.{name}=Object.assign(window.{name}||{{}},{said});\n"


def _script(environment: EnvironmentEvidence, wanted: Collection[str]) -> str:
    runs = {seen.run.run: seen.run for seen in environment.seen()}
    at = {run: place for place, run in enumerate(runs)}
    data = {
        "statuses": [(one.css, one.shape, one.word) for one in map(STATUS.__getitem__, STATUSES)],
        "evidence": built(evidence_folder(environment.name)),
        "generated": environment.generated,
        "last": environment.last.started_at if environment.last else "",
        "runs": [run.started_at for run in runs.values()],
        "checks": {
            check: _cell(environment.name, _worst(results), at)
            for check, results in environment.results.items()
            if check in wanted
        },
        "causes": {cause.cause: (cause.says, at[run.run]) for run, cause in _held(environment)},
    }
    return as_script("RUNBOOK_VERDICTS", {file_name(environment.name): data})


def _held(environment: EnvironmentEvidence) -> Iterator[tuple[WholeRunLine, NamedCause]]:
    """The causes that runs named, the newest run last; only of runs that are the last to have judged their runbook."""
    judged = {(seen.result.runbook, seen.run.run): seen.run for seen in environment.seen()}
    for (runbook, _), run in sorted(judged.items(), key=lambda one: one[1].started):
        yield from ((run, cause) for cause in run.named_causes if cause.cause.startswith(f"{runbook}/"))


def _worst(results: Sequence[LastSeen]) -> LastSeen:
    """Of the results of a check, one for each subject, the one to show; of equal ones the oldest."""
    return min(results, key=lambda seen: (STATUSES.index(seen.status), seen.run.started_at))


def _cell(environment: str, seen: LastSeen, at: Mapping[str, int]) -> tuple[int, int, str]:
    result = seen.result
    page = built(evidence_page(environment, result.runbook))
    place = f"{page}#{result_anchor(result.check, result.subject)}" if seen.status in OPEN else ""
    return STATUSES.index(seen.status), at[seen.run.run], place
