"""Brokers without an authorizer are found, also while one of them is silent."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import kafka_lab as labs
from kafka_lab import LabState

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
CHECKS = ("security/an-authorizer-decides-on-every-broker", "security/brokers-have-the-same-authorizer")
pytestmark = pytest.mark.live


def judged(inventory: Path) -> dict[str, dict[str, Any]]:
    only = [word for check in CHECKS for word in ("--only", check)]
    command = [RUNBOOK, "check", "security", "-i", str(inventory), *only, "-f", "json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=800, check=False)
    return {result["check"]: result for result in json.loads(done.stdout)["results"]}


def test_a_broker_that_is_down_hides_no_other_without_an_authorizer(healthy_lab: LabState, lab_inventory: Path) -> None:
    decides, same = (judged(lab_inventory)[check] for check in CHECKS)
    assert [row["key"]["broker"] for row in decides["rows"]] == [1, 2, 3]
    assert decides["outcome"] == "fail"
    assert same["outcome"] in ("not_applicable", "unknown")
    labs.break_(healthy_lab.name, "stop-broker", home=Path(healthy_lab.folder).parent)
    decides, same = (judged(lab_inventory)[check] for check in CHECKS)
    assert [row["key"]["broker"] for row in decides["rows"]] == [1, 3]
    assert decides["outcome"] == "fail"
    assert same["outcome"] in ("not_applicable", "unknown")
