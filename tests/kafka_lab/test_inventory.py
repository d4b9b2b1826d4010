import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from kafka_lab import processes
from kafka_lab.inventory import inventory_file, running_inventory, write_inventory
from kafka_lab.state import LabState

Pretend = Callable[[str], LabState]


def stop(lab: LabState) -> None:
    for broker in lab.brokers:
        processes.terminate(broker.process, patience=0)


def test_every_running_lab_is_an_environment(pretend: Pretend, tmp_path: Path) -> None:
    labs = {name: pretend(name) for name in ("broken", "healthy")}
    file = write_inventory(tmp_path)
    assert file == inventory_file(tmp_path)
    environments = yaml.safe_load(file.read_text())["environments"]
    assert list(environments) == ["broken", "healthy"]
    for name, lab in labs.items():
        assert environments[name]["kafka"] == {"bootstrap.servers": lab.bootstrap}
        assert environments[name]["cluster_id"] == f"cluster-of-{name}"
        assert environments[name]["labels"] == {"tier": "lab"}
        assert environments[name]["owner"] == "platform"
        assert environments[name]["owners"]["sessions"] == "web"
        assert environments[name]["absent"]["zookeeper"] == "KRaft cluster"


def test_a_lab_can_be_used_by_an_inventory_of_its_own(pretend: Pretend, tmp_path: Path) -> None:
    pretend("one")
    pretend("two")
    write_inventory(tmp_path)
    assert list(yaml.safe_load((tmp_path / "one" / "environments.yaml").read_text())["environments"]) == ["one"]


def test_without_a_running_lab_there_is_no_inventory(pretend: Pretend, tmp_path: Path) -> None:
    assert running_inventory(tmp_path) is None
    lab = pretend("one")
    assert running_inventory(tmp_path) == inventory_file(tmp_path)
    stop(lab)
    assert running_inventory(tmp_path) is None
    assert not inventory_file(tmp_path).exists()


def test_a_lab_that_ended_by_itself_leaves_the_inventory(pretend: Pretend, tmp_path: Path) -> None:
    ended, _ = pretend("ended"), pretend("running")
    write_inventory(tmp_path)
    stop(ended)
    file = running_inventory(tmp_path)
    assert file is not None
    assert list(yaml.safe_load(file.read_text())["environments"]) == ["running"]


def test_a_lab_that_is_still_starting_is_not_offered(pretend: Pretend, tmp_path: Path) -> None:
    lab = pretend("one")
    lab.ready = False
    lab.save()
    assert running_inventory(tmp_path) is None


def test_the_engine_reads_what_the_lab_writes(pretend: Pretend, tmp_path: Path) -> None:
    from runbook.parse.inventory import parse_inventory

    pretend("one")
    file = running_inventory(tmp_path)
    assert file is not None
    inventory = parse_inventory(file.read_text(), str(file), datetime.now(UTC).date())
    assert list(inventory.targets) == ["one"]


@pytest.mark.parametrize(("free", "expected"), [(0.24, {"ha/log-directories-have-room": {"free": 1}}), (0.26, None)])
def test_how_full_the_disk_of_this_machine_is_is_no_finding_of_a_lab(
    pretend: Pretend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: float, expected: object
) -> None:
    pretend("one")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(total=1000, free=int(1000 * free)))
    file = write_inventory(tmp_path)
    assert file is not None
    assert yaml.safe_load(file.read_text("utf-8"))["environments"]["one"].get("params") == expected
