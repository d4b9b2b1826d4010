"""A real Connect cluster of two workers: `runbook check error-handling` when all is well, and when it is not."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runbook import lab as labs
from runbook.lab import LabState

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
MADE_UP = "lab-made-up-password"  # of the fault plain-secret
pytestmark = pytest.mark.live

OF_CONNECT = {
    "connect-workers-answer",
    "tasks-are-where-a-worker-answers",
    "connect-workers-are-alike",
    "connect-plugins-are-everywhere",
    "connect-works-with-this-cluster",
    "connect-work-is-shared",
    "connectors-run",
    "tasks-run",
    "connectors-have-tasks",
    "sinks-drop-nothing-silently",
    "dead-letters-of-sinks-tell-why",
    "dead-letter-topics-of-sinks-exist",
    "dead-letters-of-sinks-are-as-safe-as-their-source",
    "connect-topics-are-compacted",
    "connect-topics-have-three-copies",
    "connect-topics-have-the-right-partitions",
    "connectors-keep-secrets-elsewhere",
}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabState]:
    """A lab with Connect, in a folder of its own."""
    home = tmp_path_factory.mktemp("connect")
    try:
        yield labs.up("connect", home=home, progress=lambda _: None, with_parts=["connect"])
    finally:
        labs.down("connect", home=home)


@pytest.fixture
def healthy(lab: LabState) -> Iterator[LabState]:
    """The lab, healed afterwards."""
    yield lab
    labs.heal(lab.name, home=Path(lab.folder).parent)


def inject(lab: LabState, *faults: str) -> None:
    for fault in faults:
        labs.break_(lab.name, fault, home=Path(lab.folder).parent)


def checked(lab: LabState, *options: str) -> str:
    """The report as JSON, made with time for a busy machine."""
    inventory = str(Path(lab.folder, "environments.yaml"))
    command = [RUNBOOK, "check", "error-handling", "-i", inventory, "-f", "json", "--deadline", "40s", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=dict(os.environ), check=False)
    assert done.stderr == ""
    return done.stdout


def outcomes(report: str) -> dict[str, set[str]]:
    """The checks by outcome."""
    found: dict[str, set[str]] = {}
    for result in json.loads(report)["results"]:
        found.setdefault(result["outcome"], set()).add(result["check"].partition("/")[2])
    return found


def offending(report: str, check: str) -> list[dict[str, Any]]:
    """The keys of the rows that a check does not like."""
    [result] = [one for one in json.loads(report)["results"] if one["check"] == f"error-handling/{check}"]
    return [row["key"] for row in result["rows"]]


def test_a_cluster_that_is_well_passes(healthy: LabState):
    found = outcomes(checked(healthy))
    assert found.get("fail", set()) == set()
    assert found.get("unknown", set()) == set()
    assert found["pass"] >= OF_CONNECT


def test_what_is_wrong_with_connectors_fails_and_shows_no_credential(healthy: LabState):
    inject(healthy, "poison-pill", "plain-secret", "unsafe-connect-topics")
    report = checked(healthy, "--full", "--rows", "all")
    found = outcomes(report)
    assert found["fail"] >= {
        "tasks-run",
        "connectors-keep-secrets-elsewhere",
        "connect-topics-are-compacted",
        "connect-topics-have-three-copies",
        "connect-topics-have-the-right-partitions",
    }
    assert offending(report, "tasks-run") == [{"connector": "refunds-archive", "task": 0}]
    assert offending(report, "connect-topics-are-compacted") == [{"name": "old-connect-offsets"}]
    assert "connectors-run" in found["pass"]  # as Connect says while none of its tasks runs
    assert "JsonParseException" in report
    assert MADE_UP not in report


def test_a_sink_that_drops_what_it_cant_read_fails(healthy: LabState):
    inject(healthy, "no-dead-letter-queue")
    report = checked(healthy)
    assert offending(report, "sinks-drop-nothing-silently") == [{"connector": "shipments-archive"}]


def test_a_worker_that_was_killed_fails_and_its_tasks_are_not_believed(healthy: LabState):
    inject(healthy, "stop-connect-worker")
    report = checked(healthy)
    found = outcomes(report)
    assert offending(report, "connect-workers-answer") == [{"worker": "connect-2"}]
    assert found["unknown"] >= {"connect-workers-are-alike", "connect-plugins-are-everywhere"}
    # Until the group has noticed, its tasks run as their states say; then they are nobody's, or another worker's.
    assert "connect-workers-answer" in found["fail"]
    assert "tasks-are-where-a-worker-answers" in found["fail"] | found["pass"]
