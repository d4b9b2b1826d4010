"""`runbook measure` on a real cluster: nothing without consent, bounded, and nothing left behind."""

import json
import os
import subprocess
from pathlib import Path

import pytest
import yaml

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.admin import partitions
from runbook.plugins.request import CANARY, requests
from support.driven_drill import RUNBOOK
from support.request_logs import used, written_down

pytestmark = pytest.mark.live
NAME = "a-measurement"


@pytest.fixture
def folder(healthy_lab: LabState, tmp_path: Path) -> Path:
    """The lab's inventory, without consent."""
    found = labs.running_inventory(Path(healthy_lab.folder).parent)
    assert found is not None
    (tmp_path / "environments.yaml").write_text(found.read_text("utf-8"), "utf-8")
    return tmp_path


def allow(folder: Path, lab: LabState) -> None:
    file = folder / "environments.yaml"
    inventory = yaml.safe_load(file.read_text("utf-8"))
    here = inventory["environments"][lab.name]
    here["measure"] = {"topic": folder.name, "megabytes": 2, "kafka": {"client.id": NAME}}
    file.write_text(yaml.safe_dump(inventory), "utf-8")


def measure(folder: Path, lab: LabState, *words: str) -> subprocess.CompletedProcess[str]:
    command = [RUNBOOK, "measure", "--env", lab.name, "--allow-measure", *words]
    environment = os.environ | {"XDG_STATE_HOME": str(folder)}
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=300, check=False, env=environment
    )


def test_it_writes_with_consent_only_and_leaves_nothing(healthy_lab: LabState, folder: Path):
    lab = healthy_lab
    before = set(partitions(lab))
    refused = measure(folder, lab)
    assert (refused.returncode, "nothing was written" in refused.stderr) == (2, True)
    assert set(partitions(lab)) == before

    allow(folder, lab)
    with written_down(lab):
        done = measure(folder, lab, "--seconds", "1", "--repeat", "1", "--acks", "1,all", "--rate", "200", "-o", "json")
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert [repetition["trial"]["setting"].get("acks", "all") for repetition in told["repetitions"]] == ["1", "all"]
    for repetition in told["repetitions"]:
        assert repetition["written"]["acknowledged"] == repetition["read"]["records"] == repetition["written"]["sent"]
        assert 0 < repetition["read"]["latency"]["p50"] <= repetition["read"]["latency"]["max"]
    assert (told["cluster"], told["copies"], told["insisted"]) == (lab.cluster_id, 3, True)
    assert set(partitions(lab)) == before

    listed = {request.parts["key"] for request in requests(["kafka", CANARY])}
    assert used(NAME, lab) - listed == set()


def test_what_clients_feel_is_counted_record_by_record(healthy_lab: LabState, folder: Path):
    allow(folder, healthy_lab)
    done = measure(folder, healthy_lab, "--while", "2s", "--rate", "50")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "lost: 0 of 100 acknowledged; duplicates: 0; order was kept" in done.stdout
    assert "producer: longest gap " in done.stdout
    assert not [name for name in partitions(healthy_lab) if folder.name in name]
