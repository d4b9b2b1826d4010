from collections.abc import Callable
from pathlib import Path

import pytest

import kafka_lab as labs
from kafka_lab import cluster, processes
from kafka_lab.errors import LabError
from kafka_lab.state import LabState, read
from runbook.model.errors import UsageError

Pretend = Callable[[str], LabState]


def test_status_says_how_each_broker_is(pretend: Pretend, tmp_path: Path) -> None:
    lab = pretend("one")
    processes.freeze(lab.broker(2).process)
    processes.terminate(lab.broker(3).process, patience=0)
    seen = labs.status("one", home=tmp_path)
    assert [broker.condition for broker in seen.brokers] == ["alive", "frozen", "stopped"]
    assert [broker.pid is None for broker in seen.brokers] == [False, False, True]
    assert [broker.rack for broker in seen.brokers] == ["az-a", "az-b", "az-c"]
    assert seen.running


def test_down_ends_the_brokers_removes_the_data_and_keeps_the_logs(pretend: Pretend, tmp_path: Path) -> None:
    lab, other = pretend("one"), pretend("other")
    processes.freeze(lab.broker(1).process)
    assert labs.down("one", home=tmp_path)
    assert {broker.condition for broker in lab.brokers} == {"stopped"}
    assert {broker.condition for broker in other.brokers} == {"alive"}
    assert not (tmp_path / "one" / "data").exists()
    assert lab.log_of(lab.broker(1)).read_text() == "a line\n"
    assert labs.labs(tmp_path) == ["other"]


def test_down_is_safe_at_any_time(pretend: Pretend, tmp_path: Path) -> None:
    pretend("one")
    assert labs.down("one", home=tmp_path)
    assert not labs.down("one", home=tmp_path)
    assert not labs.down("never-up", home=tmp_path)
    assert not (tmp_path / "never-up").exists()


def test_a_running_lab_is_not_started_again_also_when_broken_on_purpose(pretend: Pretend, tmp_path: Path) -> None:
    lab = pretend("one")
    assert labs.up("one", home=tmp_path, progress=lambda _: None) == lab
    processes.terminate(lab.broker(2).process, patience=0)
    lab.faults.append("stop-broker")
    lab.save()
    assert labs.up("one", home=tmp_path, progress=lambda _: None) == lab


def test_what_a_crash_left_is_removed_and_the_lab_started_anew(
    pretend: Pretend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashed = pretend("one")
    processes.terminate(crashed.broker(2).process, patience=0)
    monkeypatch.setattr(cluster, "kafka_jars", lambda *_: tmp_path)
    monkeypatch.setattr(cluster, "_start", lambda lab, _: lab.save())
    started = labs.up("one", home=tmp_path, progress=lambda _: None)
    assert started.cluster_id != crashed.cluster_id
    assert {broker.condition for broker in crashed.brokers} == {"stopped"}
    assert read("one", tmp_path) == started


@pytest.mark.parametrize("end", [LabError("it died"), KeyboardInterrupt()])
def test_a_start_that_is_cut_short_leaves_no_process(
    end: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[processes.Process] = []

    def start(lab: LabState, _: object) -> None:
        begun.append(processes.start(["sleep", "60"], output=tmp_path / "out", folder=tmp_path))
        lab.broker(1).process = begun[0]
        raise end

    monkeypatch.setattr(cluster, "kafka_jars", lambda *_: tmp_path)
    monkeypatch.setattr(cluster, "_start", start)
    with pytest.raises(type(end)):
        labs.up("one", home=tmp_path, progress=lambda _: None)
    assert processes.condition(begun[0]) == "stopped"
    assert labs.labs(tmp_path) == []


def test_a_broker_that_dies_at_once_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "Error: Could not find or load main class"
    monkeypatch.setattr(cluster, "kafka_jars", lambda *_: tmp_path)
    with pytest.raises(LabError, match=said):
        labs.up("one", home=tmp_path / "home", progress=lambda _: None)


def test_a_lab_that_is_not_there_has_no_status(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No lab named lab is up"):
        labs.status(home=tmp_path)


def test_one_broker_is_told_in_the_singular(pretend: Pretend, monkeypatch: pytest.MonkeyPatch) -> None:
    lab, said = pretend("one"), []
    lab.brokers = lab.brokers[:1]
    for name in ("format_all", "start", "wait_for_brokers"):
        monkeypatch.setattr(cluster, name, lambda *_, **__: None)
    for module, name in ((cluster.content, "fill"), (cluster.parts, "prepare"), (cluster.parts, "start")):
        monkeypatch.setattr(module, name, lambda *_: None)
    cluster._start(lab, said.append)
    assert said[0] == f"Formatting 1 broker of Kafka {lab.kafka}"
