"""Walks on record are read beside a run, and never waited for longer than told."""

import threading
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from runbook.incident.last_observation import PATIENCE
from runbook.incident.recent_walks import RecentWalks
from runbook.model.diagnosis import Diagnosis
from runbook.procedure.walk_record import Begun
from support.busy_machine import LATE
from support.small_walks import BEGUN, own_records, written


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder of records."""
    return own_records(tmp_path, monkeypatch)


def keeps(folder: Path, begun: Begun) -> None:
    (folder / f"{begun.walk}.jsonl").write_bytes(written([begun], begun.walk))


def test_each_environment_is_told_of_its_own_walks_at_either_end(home: Path, tmp_path: Path) -> None:
    keeps(home, BEGUN)
    keeps(tmp_path, replace(BEGUN, walk="over", source="prod", environment="us", target="us"))
    diagnoses = [Diagnosis(environment=name) for name in ("prod", "us", "stage")]
    RecentWalks([tmp_path]).tell(diagnoses)
    assert [{walk.walk for walk in one.walks} for one in diagnoses] == [{"w", "over"}, {"over"}, set()]
    assert [one.notes for one in diagnoses] == [[], [], []]


def test_where_no_walk_was_ever_kept_nothing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "not-there"))
    diagnosis = Diagnosis(environment="prod")
    RecentWalks([]).tell([diagnosis])
    assert (diagnosis.walks, diagnosis.notes) == ([], [])


def test_records_that_can_not_be_read_are_no_proof_that_nobody_walks(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object) -> None:
        raise PermissionError(13, "Permission denied", str(home))

    monkeypatch.setattr("runbook.procedure.walk_status.recent_walks", refuses)
    diagnosis = Diagnosis(environment="prod")
    RecentWalks([]).tell([diagnosis])
    assert diagnosis.notes == ["who walks what is not known, as records of walks were not read: Permission denied"]


def test_a_folder_that_hangs_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = threading.Event()
    monkeypatch.setattr("runbook.procedure.walk_status.recent_walks", lambda _: answers.wait(30) and [])
    walks, diagnosis, began = RecentWalks([]), Diagnosis(environment="prod"), time.monotonic()
    walks.tell([diagnosis])
    assert time.monotonic() - began < PATIENCE + LATE
    answers.set()
    assert diagnosis.notes == ["who walks what is not known, as records of walks were not read: no answer within 0.3 s"]
