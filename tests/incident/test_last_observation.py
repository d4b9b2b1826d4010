"""The last kept look is read beside the asking, and never waited for longer than told."""

import datetime as dt
import threading
import time
from pathlib import Path

import pytest

from runbook.evidence.bundle import FORMAT, Bundle
from runbook.evidence.kept_facts import fact_store, keep_facts
from runbook.incident.last_observation import PATIENCE, LastObservation
from runbook.model.errors import UsageError
from runbook.parse.inventory import Environment
from runbook.stores import open_store
from support.busy_machine import LATE


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store that keeps the facts of two runs of `prod`."""
    for day in ("22", "23"):
        began = f"2026-11-{day}T06:00:00.000Z"
        of = {"prod": Environment()}
        bundle = Bundle(FORMAT, "0", f"202611{day}T060000Z-abc", began, of, {}, [], [], ["prod"], typed_gaps=True)
        keep_facts(fact_store(open_store(str(tmp_path))), bundle, dt.timedelta(days=30))
    return tmp_path


def newest(store: Path) -> Path:
    return max(store.rglob("*.json.gz"))


def test_the_newest_facts_of_the_environment_are_read(store: Path) -> None:
    found = LastObservation("prod", str(store), {}).facts()
    assert found is not None
    assert found.run == "20261123T060000Z-abc"


def test_where_nothing_is_kept_there_is_nothing_to_compare_with(store: Path) -> None:
    assert LastObservation("stage", str(store), {}).facts() is None


def test_what_can_not_be_read_is_said(store: Path) -> None:
    newest(store).write_bytes(b"no gzip")
    with pytest.raises(UsageError, match="is not as it was written"):
        LastObservation("prod", str(store), {}).facts()


def test_a_mistake_of_a_driver_is_no_proof_that_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> None:
        raise KeyError("region")

    monkeypatch.setattr("runbook.stores.open_store", breaks)
    with pytest.raises(UsageError, match=r"the facts kept in far-away were not read: .*region"):
        LastObservation("prod", "far-away", {}).facts()


def test_a_store_that_hangs_is_not_waited_for(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = threading.Event()
    monkeypatch.setattr("runbook.stores.open_store", lambda *_: answers.wait(30) and open_store(str(store)))
    looking = LastObservation("prod", "far-away", {})
    began = time.monotonic()
    with pytest.raises(UsageError, match=r"the facts kept in far-away were not read: no answer within 0\.3 s"):
        looking.facts()
    assert time.monotonic() - began < PATIENCE + LATE
    answers.set()
