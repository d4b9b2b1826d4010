"""What is on record of an incident: runs, walks, and the page that is made of them."""

from pathlib import Path
from typing import Any

from msgspec import structs

from runbook.evidence.store import write_run
from runbook.model.diagnosis import CauseFound, Diagnosis
from runbook.model.result import Outcome, Result
from runbook.procedure.walk_file import SUFFIX
from runbook.procedure.walk_record import Entry, GateSeen, Judged
from support.small_runbooks import empty_run, result
from support.small_walks import BEGUN, written

SPAN = ("--env", "prod", "--from", "2026-11-24T06:00", "--to", "2026-11-24T08:00", "--results", "kept")


def keep(hour: int, *results: Result, cause: str = "", about: str = "", **fields: Any) -> None:
    """Keep a run of that hour."""
    began = f"2026-11-24T{hour:02}:30:00.000Z"
    whole = [structs.replace(one, check_digest=one.check_digest or "d", runbook_digest="d") for one in results]
    run = empty_run("prod", results=whole, started_at=began, **fields)
    if cause:
        found = CauseFound(cause="ha/down", title="Down", says=cause, certain=True, explains=["ha/a"])
        found.keys = {"group": [about]} if about else {}
        run.diagnoses = [Diagnosis(environment="prod", causes=[found])]
    write_run(Path("kept"), structs.replace(run, id=f"20261124T{hour:02}3000Z-0123456789ab"))


def fails(check: str) -> Result:
    """A check that failed."""
    return result(check, "prod", Outcome.FAIL, reason="because")


def page(command: Any, *more: str) -> str:
    """The page of the span."""
    ended = command("incident", *SPAN, "--walks", "walks", *more)
    assert (ended.code, ended.err) == (0, "")
    return str(ended.out)


def keep_walk(*entries: Entry, **begun: Any) -> None:
    """Keep a walk that began at seven."""
    began = structs.replace(BEGUN, at="2026-11-24T07:00:00.000Z", **begun)
    Path("walks").mkdir(exist_ok=True)
    Path("walks", f"w{SUFFIX}").write_bytes(written([began, *entries]))


def gate(subject: str, *checks: str, outcome: Outcome = Outcome.PASS) -> Judged:
    """A gate that was looked through at ten past seven, and what it saw of these checks there."""
    seen = [GateSeen(check, outcome, "so it is", subject=subject) for check in checks]
    return Judged("after", "2026-11-24T07:10:00.000Z", 5, open=True, seen=seen)
