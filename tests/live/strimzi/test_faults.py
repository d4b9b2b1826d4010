"""Single faults on a real API server, each found by the checks that are for it, and nothing else said.

`tests/records/manifests/live.yaml` is the table.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
import yaml

from live.strimzi.scenes import Platform, lacking
from support.evidence.labs import Labs
from support.strimzi_hand import Hand

RUNBOOK: Final = str(Path(sys.executable).with_name("runbook"))
TABLE: Final[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parents[2] / "records" / "manifests" / "live.yaml").read_text("utf-8")
)
WITHIN: Final = 30.0  # seconds for controllers of Kubernetes to see what was done
LACKING = lacking()
pytestmark = [
    pytest.mark.live,
    pytest.mark.timeout(600),
    pytest.mark.skipif(bool(LACKING), reason=LACKING),
]


class Said(NamedTuple):
    """What the runbook says of a platform: what each failing check says, and what could not be told."""

    fails: dict[str, str]
    unknown: dict[str, str]


@pytest.fixture(scope="module")
def platform(running: Labs) -> Platform:
    """One that is well."""
    found: Platform = running.of("strimzi")
    return found


@pytest.fixture
def hand(platform: Platform) -> Iterator[Hand]:
    """Does a fault, and undoes it."""
    made = Hand(platform.admin, platform.folder)
    yield made
    made.undoes()


def check(platform: Platform, folder: Path, settings: dict[str, Any]) -> Said:
    """Run the runbook as a user does, with the shipped Role."""
    given = {"kubeconfig": str(platform.reader), "namespace": "kafka", "cluster": "orders"} | settings
    environment = {
        "kubernetes": {key: value for key, value in given.items() if value is not None},
        "absent": {"kafka": "objects only", "zookeeper": "KRaft"},
        "labels": {"tier": "prod"},
    }
    inventory = folder / "environments.yaml"
    inventory.write_text(json.dumps({"environments": {"lab": environment}}))
    command = [RUNBOOK, "check", "kubernetes", "-i", str(inventory), "-f", "json", "--deadline", "30s"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    results = json.loads(done.stdout)["results"]
    said = {"fail": {}, "unknown": {}}
    for result in results:
        if result["outcome"] in said:
            rows = [f"{sorted(map(str, row['key'].values()))} {row['message']}" for row in result["rows"]]
            said[result["outcome"]][result["check"].partition("/")[2]] = " | ".join([result.get("reason", ""), *rows])
    return Said(said["fail"], said["unknown"])


def wrong(said: Said, fault: dict[str, Any]) -> list[str]:
    """What is missed, false or concluded though nothing can be."""
    known, fails = set(TABLE["well"]["fails"]), fault.get("fails", {})
    lost = [
        f"missed: {name} {said.fails.get(name, '')}"
        for name, word in fails.items()
        if word not in said.fails.get(name, "")
    ]
    allowed = known | fails.keys() | set(fault.get("may", ()))
    unknown = set(fault.get("unknown", ()))
    lost += [f"false: {name} {said.fails[name]}" for name in said.fails if name not in allowed]
    lost += [f"concluded: {name}" for name in unknown - said.unknown.keys()]
    return lost + [f"unknown: {name} {said.unknown[name]}" for name in said.unknown if not fails and not unknown]


def tried() -> Iterator[Any]:
    """The faults that were not right when they were first tried, and some others; with --thorough all."""
    for name, fault in TABLE["faults"].items():
        chosen = "first" in fault or fault.get("always")
        marks = [] if chosen else [pytest.mark.thorough]
        yield pytest.param(name, marks=marks)


def test_a_platform_that_is_well(platform: Platform, tmp_path: Path):
    said = check(platform, tmp_path, {})
    assert (set(said.fails), set(said.unknown)) == (set(TABLE["well"]["fails"]), set())


@pytest.mark.parametrize("name", [*tried()])
def test_each_fault_is_found(platform: Platform, hand: Hand, tmp_path: Path, name: str):
    fault = TABLE["faults"][name]
    hand.does(fault["do"])
    end = time.monotonic() + WITHIN
    while found := wrong(check(platform, tmp_path, hand.settings), fault):
        if time.monotonic() > end:
            pytest.fail("\n".join(found), pytrace=False)
        time.sleep(1)
