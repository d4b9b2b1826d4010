"""The first line of a run's file under the present names of checks and causes."""

from runbook.evidence.lines import ExpectedLine, RunLine
from runbook.evidence.lines_of_today import run_of_today
from runbook.model.run import DeclaredWaiver, DeclaredWaivers, NamedCause

NAMES = {"ha/old": "ha/new", "ha/why": "ha/because"}


def run(check: str, cause: str) -> RunLine:
    return RunLine(
        run="20261121T090000Z-0",
        environment="prod",
        started_at="2026-11-21T09:00:00Z",
        trigger="scheduled",
        version=3,
        complete=True,
        interrupted=False,
        expected=[ExpectedLine("ha", check, "high", "d"), ExpectedLine("ha", "ha/other", "low", "d")],
        head=DeclaredWaivers(waivers=[DeclaredWaiver(check, "ann", "new disks", "2026-12-31", {}, needed=True)]),
        named_causes=[NamedCause(cause, "a broker is down", [check, "ha/other"])],
    )


def test_checks_causes_and_waivers_have_their_present_names() -> None:
    assert run_of_today(run("ha/old", "ha/why"), NAMES) == run("ha/new", "ha/because")


def test_what_was_not_renamed_stays() -> None:
    assert run_of_today(run("ha/new", "ha/because"), NAMES) == run("ha/new", "ha/because")
