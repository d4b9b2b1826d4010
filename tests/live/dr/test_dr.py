"""Two real clusters with MirrorMaker 2 between them: `runbook check dr` when all is well, and when it is not."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from runbook import lab as labs
from runbook.lab import LabState

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
PATIENT = 90.0  # seconds until what a fault did is seen: promises of seconds are to pass, and the machine may be busy
pytestmark = pytest.mark.live

LINK = {
    "promises": [{"rpo": "10s", "rto": "15m"}],
    "params": {
        "dr/heartbeats-arrive": {"seconds": 10},
        "dr/groups-would-not-read-much-again": {"records": 3},
    },
}
"""What the link promises here: so little that a fault breaks it within seconds."""

FAULTS = {
    "stop-mirror": {"the-flow-runs", "replication-keeps-its-promise", "heartbeats-arrive"},
    "fail-mirror-task": {"the-flow-runs", "replication-keeps-its-promise", "the-flow-takes-the-largest-records"},
    "unmirrored-topic": {"topics-have-their-mirror", "filters-take-what-is-meant", "the-standby-can-be-read"},
    "mirror-drift": {"mirrors-keep-as-long", "mirrors-have-all-partitions"},
    "no-checkpoints": {"the-flow-runs", "groups-would-not-read-much-again"},
    "mirrored-changelog": {"no-state-of-applications-is-mirrored", "no-mirrored-state-is-there"},
    "mirror-loop": {
        "nothing-goes-round",
        "no-mirror-of-a-mirror-of-ones-own",
        "names-are-as-declared",
    },
    "cut-link": {"heartbeats-arrive", "replication-keeps-its-promise"},
    "slow-link": {"heartbeats-arrive"},
    "lose-primary": {"heartbeats-arrive"},
}
"""Of each fault the checks that it makes fail: all of these, and no others but those of `AT_TIMES`."""

AT_TIMES = {
    "fail-mirror-task": {"heartbeats-arrive"},  # where they are copied by that very task
    # What was written has come after a while; connectors whose requests take too long fail at last.
    "slow-link": {"replication-keeps-its-promise", "the-flow-runs"},
    "cut-link": {"the-flow-runs"},
    "lose-primary": {"the-flow-runs"},
}
NOTHING_TO_JUDGE = {"nothing-goes-round"}  # while all is well: no topic returns


def checked(lab: LabState) -> dict[str, set[str]]:
    """The checks over the link by outcome."""
    inventory = yaml.safe_load(Path(lab.folder, "environments.yaml").read_text("utf-8"))
    inventory["mirrors"][0] |= LINK
    file = Path(lab.folder, "with-promises.yaml")
    file.write_text(yaml.safe_dump(inventory), "utf-8")
    command = [RUNBOOK, "check", "dr", "-i", str(file), "-f", "json", "--deadline", "40s"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=dict(os.environ), check=False)
    assert done.stderr == ""
    found: dict[str, set[str]] = {}
    results: list[dict[str, Any]] = json.loads(done.stdout)["results"]
    for result in results:
        found.setdefault(result["outcome"], set()).add(result["check"].partition("/")[2])
    return found


def failing(lab: LabState, wanted: set[str], besides: set[str]) -> set[str]:
    """The checks that fail, as soon as these do and no others but `besides`; else those of the last look."""
    end = time.monotonic() + PATIENT
    while True:
        found = checked(lab).get("fail", set())
        if wanted <= found <= wanted | besides or time.monotonic() > end:
            return found


def test_a_link_that_is_well_passes(healthy: LabState):
    assert failing(healthy, set(), set()) == set()
    assert checked(healthy)["pass"] >= set().union(*FAULTS.values()) - NOTHING_TO_JUDGE


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_fails_the_checks_that_are_about_it_until_it_is_healed(healthy: LabState, fault: str):
    home = Path(healthy.folder).parent
    labs.break_(healthy.name, fault, home=home)
    besides = AT_TIMES.get(fault, set())
    assert failing(healthy, FAULTS[fault], besides) - besides == FAULTS[fault]
    assert labs.heal(healthy.name, home=home) == [fault]
    assert failing(healthy, set(), set()) == set()
    assert checked(healthy)["pass"] >= FAULTS[fault] - NOTHING_TO_JUDGE
