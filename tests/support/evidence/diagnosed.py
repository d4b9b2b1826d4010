"""What a run says of causes, from what is kept of a state."""

import tempfile
from functools import cache
from pathlib import Path

from runbook.cli.running import execute
from runbook.evidence.bundle import save_bundle
from runbook.model.diagnosis import Diagnosis
from runbook.model.result import Outcome
from runbook.model.run import Run
from runbook.run.checking import Options
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
    """Outcomes by the whole name of the check, of checks of environments."""
    run = run_as_kept(shape, scene, state, runbook)
    return {one.check: one.outcome for one in run.results if one.subject_kind == "environment"}
