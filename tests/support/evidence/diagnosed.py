"""What a run says of causes, from what is kept of a state."""

import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from runbook.cli.followed_run import execute
from runbook.evidence.bundle import save_bundle
from runbook.model.diagnosis import Diagnosis
from runbook.model.result import Outcome
from runbook.model.run import Run
from runbook.reports import ReportOptions
from runbook.reports.console import report
from runbook.run.check_run import Options
from support.evidence import record


@cache
def run_as_kept(shape: str, scene: str, state: str, runbook: str) -> Run:
    """The run of a runbook over what is kept of a state."""
    evidence = record.read(record.place_of(shape, scene, state))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bundle.json"
        save_bundle(file, evidence.bundle)
        return execute(Options(runbooks=[runbook], bundle=file, deadline=60)).run


def diagnoses(shape: str, scene: str, state: str, runbook: str) -> list[Diagnosis]:
    """What it says, of each environment of which it says something."""
    return run_as_kept(shape, scene, state, runbook).diagnoses


def ids(names: list[str]) -> set[str]:
    """Names of checks or causes without their runbook."""
    return {name.rpartition("/")[2] for name in names}


def outcomes(shape: str, scene: str, state: str, runbook: str) -> dict[str, Outcome]:
    """Outcomes by the whole name of the check, of environments and links: failed where it did in any of them."""
    found: dict[str, Outcome] = {}
    for result in run_as_kept(shape, scene, state, runbook).results:
        if found.get(result.check) is not Outcome.FAIL and "links are judged where" not in result.reason:
            found[result.check] = result.outcome
    return found


def runbooks_of(shape: str, scene: str, state: str, *, needs: Mapping[str, str]) -> list[str]:
    """The runbooks that were looked for in a state; of those in `needs` all whose probe, named there, was asked."""
    evidence = record.read(record.place_of(shape, scene, state))
    asked = {name.partition(":")[0] for name in evidence.runbooks} - needs.keys()
    probes = {kept.ask.probe for kept in evidence.asked.kept}
    return sorted(asked | {runbook for runbook, probe in needs.items() if probe in probes})


class Compared(Struct, frozen=True):
    """What was said of a fault while it was there, beside what was so once it was healed.

    Attributes:
        causes: those that were named, in their order.
        explained: checks that a cause explains, alone or with others.
        perhaps: those that it may explain.
        withheld: those that are unknown because of it.
        left: failing checks that none explains.
        explained_and_failing, left_and_passing, withheld_and_unknown: what the healed system says otherwise.
    """

    causes: list[str]
    explained: list[str]
    perhaps: list[str]
    withheld: list[str]
    left: list[str]
    explained_and_failing: list[str]
    left_and_passing: list[str]
    withheld_and_unknown: list[str]


def compare(shape: str, scene: str, runbook: str, *, fault: str = "during", healed: str = "after") -> Compared:
    """Compare two states of a scene."""
    said = diagnoses(shape, scene, fault, runbook)
    after = outcomes(shape, scene, healed, runbook)
    causes = [cause for each in said for cause in each.causes]
    explained = sorted({check for cause in causes for check in (*cause.explains, *cause.helps)})
    withheld = sorted({check for cause in causes for check in cause.withholds})
    left = sorted({check for each in said for check in each.unexplained} - {*explained})
    return Compared(
        causes=[cause_found.cause for each in said for cause_found in each.named],
        explained=explained,
        perhaps=sorted({check for cause in causes for check in cause.may_explain} - {*explained}),
        withheld=withheld,
        left=left,
        explained_and_failing=[check for check in explained if after.get(check) is Outcome.FAIL],
        left_and_passing=[check for check in left if after.get(check) is not Outcome.FAIL],
        withheld_and_unknown=[check for check in withheld if after.get(check) is Outcome.UNKNOWN],
    )


def first_lines(shape: str, scene: str, state: str, runbook: str, count: int) -> list[str]:
    """The first lines of the answer at a terminal, below the head that tells which environment it is about."""
    shown = report(run_as_kept(shape, scene, state, runbook), ReportOptions()).splitlines()
    return shown[shown.index("") + 1 :][:count]
