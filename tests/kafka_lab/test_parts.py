"""Parts of a lab: found by file name, chosen with what they need, started and stopped in order."""

import re
import subprocess
import sys
from collections.abc import Callable
from difflib import get_close_matches
from inspect import isfunction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import kafka_lab as labs
from kafka_lab import brokers, cluster, parts
from kafka_lab.configuration import controllers, planned, settings_of
from kafka_lab.inventory import environment
from kafka_lab.jars import Release, Wanted
from kafka_lab.state import LabState, read
from runbook.model.errors import UsageError
from runbook.parse.unobserved import ALWAYS_THERE

Pretend = Callable[[str], LabState]
HOOKS = set(re.findall(r"`(\w+)[`(]", parts.__doc__ or ""))
"""What a part may have: all of it is optional, so a name that is misspelt would be passed over."""


def test_every_part_says_what_it_is_and_has_what_a_part_has():
    for name, description in parts.parts().items():
        assert description, name
        part = parts._load(name)
        assert isinstance(parts.lacking(name), str)
        own = {does for does, value in vars(part).items() if isfunction(value) and value.__module__ == part.__name__}
        assert [does for does in own - HOOKS if get_close_matches(does, HOOKS, cutoff=0.8)] == []
        assert HOOKS & vars(part).keys(), "it does nothing"
        assert set(getattr(part, "NEEDS", ())) <= set(parts.parts())


def test_listing_the_parts_runs_none_of_their_code():
    program = (
        "import sys; from kafka_lab.parts import parts; parts(); print([m for m in sys.modules if 'lab.parts.' in m])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_a_part_needs_comes_before_it():
    assert parts.chosen(["prometheus"]) == ["jmx", "prometheus"]
    assert parts.chosen(["prometheus", "jmx"]) == ["jmx", "prometheus"]


def test_a_part_that_is_none_is_refused_with_the_nearest():
    with pytest.raises(UsageError, match=r'no part "jmz": did you mean jmx'):
        parts.chosen(["jmz"])


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two parts that note what is done with them: `second` needs `first`."""
    log: list[str] = []

    def part(name: str) -> Any:
        def start(lab: LabState, _: object) -> dict[str, Any]:
            log.append(f"start {name} {lab.parts[name]}")
            return {"started": True}

        return SimpleNamespace(
            NEEDS=("first",) if name == "second" else (),
            lacking=lambda: "",
            prepare=lambda _lab, _progress: log.append(f"prepare {name}") or {"ready": True},
            jvm_options=lambda _lab, broker: [f"-D{name}={broker.number}"],
            start=start,
            stop=lambda _lab, state: log.append(f"stop {name} {state}"),
            connections=lambda _lab, _state: {"jolokia": {"of": name}},
        )

    monkeypatch.setattr(parts, "parts", lambda: {"first": "One.", "second": "Two."})
    monkeypatch.setattr(parts, "_load", part)
    return log


def test_parts_are_made_ready_before_the_brokers_and_stopped_the_last_first(
    recorded: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cluster, "kafka_jars", lambda *_: tmp_path)
    monkeypatch.setattr(cluster, "format_all", lambda _: recorded.append("format"))
    monkeypatch.setattr(cluster, "start", lambda _, broker: recorded.append(f"broker {broker.number}"))
    monkeypatch.setattr(cluster, "wait_for_brokers", lambda _, **_within: None)
    monkeypatch.setattr(cluster.content, "fill", lambda _: recorded.append("fill"))
    lab = labs.up("one", home=tmp_path, progress=lambda _: None, brokers=1, with_parts=["second"])
    assert list(lab.parts) == ["first", "second"]
    assert read("one", tmp_path) == lab
    assert labs.status("one", home=tmp_path).parts == ("first", "second")
    assert labs.down("one", home=tmp_path)
    assert recorded == [
        *("prepare first", "prepare second", "format", "broker 1", "fill"),
        *("start first {'ready': True}", "start second {'ready': True}"),
        *("stop second {'started': True}", "stop first {'started': True}"),
    ]


def test_a_part_that_never_began_is_not_stopped(recorded: list[str], pretend: Pretend):
    lab = pretend("one")
    lab.parts = {"first": {"ready": True}, "second": {}}
    parts.stop(lab)
    assert recorded == ["stop first {'ready': True}"]


def test_a_running_lab_that_lacks_a_part_is_not_started_over(recorded: list[str], pretend: Pretend, tmp_path: Path):
    pretend("one")
    with pytest.raises(UsageError, match="up without first, second: stop it first with runbook lab down --name one"):
        labs.up("one", home=tmp_path, progress=lambda _: None, with_parts=["second"])
    assert recorded == []


def test_a_part_that_can_not_run_here_is_left_out_and_said(
    recorded: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    del recorded
    monkeypatch.setattr(parts, "lacking", lambda name: "it takes root" if name == "second" else "")
    monkeypatch.setattr(cluster, "kafka_jars", lambda *_: tmp_path)
    monkeypatch.setattr(cluster, "_start", lambda lab, _: lab.save())
    said: list[str] = []
    lab = labs.up("one", home=tmp_path, progress=said.append, with_parts=["second"])
    assert (list(lab.parts), lab.left_out) == (["first"], {"second": "it takes root"})
    assert "Without second: it takes root" in said


def test_what_parts_offer_replaces_what_is_absent(recorded: list[str], pretend: Pretend):
    del recorded
    lab = pretend("one")
    lab.parts = {"first": {}, "second": {}}
    lab.left_out = {"kubernetes": "it takes Go"}
    described = environment(lab)
    assert described["jolokia"] == {"of": "second"}
    assert "jolokia" not in described["unobserved"]
    assert described["unobserved"]["ssh"]["because"] == "the lab's brokers are processes of this machine"
    assert not {*ALWAYS_THERE} & {*described["absent"]}
    assert described["absent"]["kubernetes"] == "the lab runs without it: it takes Go"


def test_brokers_start_with_the_options_of_the_parts_and_log_their_collections(
    recorded: list[str], pretend: Pretend, monkeypatch: pytest.MonkeyPatch
):
    del recorded
    lab = pretend("one")
    lab.parts = {"first": {}}
    commands: list[list[str]] = []
    monkeypatch.setattr(brokers.processes, "start", lambda command, **_: commands.append(command))
    brokers.start(lab, lab.brokers[1])
    [command] = commands
    assert "-Dfirst=2" in command[: command.index("kafka.Kafka")]
    assert any(word.startswith("-Xlog:gc*,safepoint:file=") and "broker-2-gc.log" in word for word in command)


def test_a_part_may_need_another_release_of_kafka_and_other_settings(
    recorded: list[str], pretend: Pretend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    del recorded
    release = Release("3.9.1", Wanted("Kafka 3.9.1", "kafka-3.9.1", "50 MB", ()))
    load = parts._load

    def with_release(name: str) -> Any:
        part = load(name)
        if name == "second":
            part.RELEASE = release
            part.broker_settings = lambda _lab, broker: {"broker.id": broker.number, "process.roles": None}
        return part

    monkeypatch.setattr(parts, "_load", with_release)
    monkeypatch.setattr(cluster, "fetch_jars", lambda wanted, *_: tmp_path / wanted.folder)
    monkeypatch.setattr(cluster, "_start", lambda lab, _: lab.save())
    lab = labs.up("two", home=tmp_path, progress=lambda _: None, with_parts=["second"])
    assert (lab.kafka, lab.jars) == ("3.9.1", str(tmp_path / "kafka-3.9.1"))
    settings = settings_of(lab, lab.brokers[0])
    assert settings["broker.id"] == 1
    assert "process.roles" not in settings
    assert "process.roles" in settings_of(pretend("one"), lab.brokers[0])


def test_brokers_in_zookeeper_mode_are_not_formatted(pretend: Pretend, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(parts, "broker_settings", lambda *_: {"process.roles": None})
    lab = pretend("one")
    monkeypatch.setattr(brokers.child_process, "start", lambda *_, **__: pytest.fail("the storage tool was run"))
    brokers.format_all(lab)
    assert not any(lab.data_of(broker).exists() for broker in lab.brokers)


def test_a_part_may_want_brokers_of_its_own_number_and_racks():
    assert parts.racks(["jmx"]) == ()
    racks = parts.racks(["jmx", "stretched"])
    assert [broker.rack for broker in planned(len(racks), racks)] == ["east-1", "west-1", "east-2", "west-2"]


def test_a_lab_for_development_is_one_broker_with_one_copy_of_everything(pretend: Pretend):
    assert parts.racks(["development"]) == ("local",)
    lab = pretend("kafka")
    lab.brokers, lab.parts = planned(1, parts.racks(["development"])), {"development": {}}
    settings = settings_of(lab, lab.brokers[0])
    copies = [value for name, value in settings.items() if name.endswith(("replication.factor", "min.isr"))]
    assert [*copies, settings["min.insync.replicas"]] == [1] * 7
    assert not {"broker.rack", "auto.create.topics.enable"} & settings.keys()
    with pytest.raises(UsageError, match="can't have both"):
        parts.chosen(["development", "zookeeper"])


def test_a_stretched_lab_has_copies_in_both_places_and_an_odd_number_of_votes(pretend: Pretend):
    lab = pretend("one")
    lab.brokers, lab.parts = planned(4, parts.racks(["stretched"])), {"stretched": {}}
    assert [controller.number for controller in controllers(lab)] == [1, 2, 3]
    for broker in lab.brokers:
        settings = settings_of(lab, broker)
        assert settings["default.replication.factor"] > settings["min.insync.replicas"] > 2
        assert ("CONTROLLER" in settings["listeners"]) is (broker in controllers(lab))
        assert settings["controller.quorum.bootstrap.servers"].count(",") == 2
    assert environment(lab)["params"]["topologies/*"]["layout"] == "2"


def test_a_lab_without_parts_votes_with_every_broker(pretend: Pretend):
    assert [broker.number for broker in controllers(pretend("one"))] == [1, 2, 3]
