"""`runbook check gc` on a real cluster: a broker whose heap is too small, seen in the log that its own JVM writes."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runbook import lab as labs
from runbook.lab import LabState

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
pytestmark = pytest.mark.live

# The checks that say how much pauses cost depend on what else this machine does; these do not.
JUDGED = {"full-collections-do-not-happen", "collections-find-room", "gc-logs-are-being-written"}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabState]:
    home = tmp_path_factory.mktemp("labs")
    up = labs.up("gc", progress=lambda _: None, home=home, with_parts=["files"])
    yield up
    labs.down("gc", home=home)


def outcomes(lab: LabState) -> dict[str, dict[str, Any]]:
    inventory = Path(lab.folder).parent / "environments.yaml"
    command = [RUNBOOK, "check", "gc", "--env", lab.name, "--inventory", str(inventory), "--format", "json"]
    command += ["--deadline", "60s"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    results = json.loads(done.stdout)["results"]
    return {result["check"].removeprefix("gc/"): result for result in results}


def test_a_broker_with_a_tiny_heap_fails_the_check_and_no_broker_without_full_collections_does(lab: LabState):
    home = Path(lab.folder).parent
    before = outcomes(lab)
    assert {name: before[name]["outcome"] for name in JUDGED} == dict.fromkeys(JUDGED, "pass")
    assert before["pauses-stay-below-the-session-timeout"]["outcome"] == "pass"
    labs.break_("gc", "tiny-heap", home=home)
    broken = outcomes(lab)["full-collections-do-not-happen"]
    assert broken["outcome"] == "fail"
    # On a busy machine another broker may really have one too: it is then in that broker's own log.
    forced = "Pause Full (Allocation Failure)"  # for want of heap; others grow the room for classes
    full = [broker.number for broker in lab.brokers if forced in lab.gc_log_of(broker).read_text("latin-1")]
    assert 3 in full
    assert [row["key"]["broker"] for row in broken["rows"]] == full
    assert labs.heal("gc", home=home) == ["tiny-heap"]
