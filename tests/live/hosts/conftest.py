"""Hosts that walks change."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kafka_lab import LabState
from kafka_lab.inventory import environment
from support.evidence.labs import kafka_lab
from support.hosts_to_change import ALLOWED
from support.operators import Operator


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[LabState]:
    """Brokers in hosts of their own, which are changed; an inventory of it is in the test's folder."""
    with (
        tempfile.TemporaryDirectory(prefix="runbook-hosts-", dir="/var/lib") as home,
        kafka_lab("hosts", Path(home), ["hosts"]) as up,
    ):
        said = environment(up)
        of_files = ("brokers-may-open-many-files", "the-limit-of-open-files-is-kept")
        said["params"] = said.get("params", {}) | {f"os-hardware/{check}": {"least": ALLOWED} for check in of_files}
        (tmp_path / "environments.yaml").write_text(json.dumps({"environments": {up.name: said}}), "utf-8")
        yield up


@pytest.fixture
def operator(lab: LabState, tmp_path: Path) -> Operator:
    """Somebody who is root of each of these hosts."""
    return Operator(lab, tmp_path)
