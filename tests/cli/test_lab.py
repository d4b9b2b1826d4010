from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kafka_lab import breaking, cluster
from kafka_lab import command as lab_command
from kafka_lab.breaking import faults
from kafka_lab.cluster import BrokerStatus, LabStatus
from kafka_lab.configuration import planned
from kafka_lab.inventory import called
from kafka_lab.jars import KAFKA_VERSION, TOOLS
from kafka_lab.state import LabState, known
from runbook.model.errors import UsageError
from runbook.run.sources import inventories
from support.documented import ROOT

Command = Callable[..., Any]


def test_without_a_lab_the_way_to_one_is_shown(command: Command):
    ended = command("lab", "status")
    assert ended.code == 0
    assert "runbook lab up" in ended.out


def test_faults_are_listed_with_what_they_do(command: Command):
    ended = command("lab", "break")
    assert ended.code == 0
    assert "stop-broker" in ended.out
    assert "freeze-broker" in ended.out


def test_a_lab_that_is_not_there_is_said_so(command: Command):
    assert command("lab", "break", "stop-broker").code == 2
    assert "there is no lab" in command("lab", "down").out


def test_breaking_says_where_no_majority_of_controllers_is_left(command: Command, monkeypatch: pytest.MonkeyPatch):
    lab = LabState("lab", "/nowhere", "cluster-of-lab", "4.3.0", "/nowhere", planned(3))  # no broker has a process
    monkeypatch.setattr(breaking, "break_", lambda *_, **__: lab)
    ended = command("lab", "break", "lose-rack")
    assert ended.code == 0
    assert "no majority of controllers is left: the cluster fences nobody" in ended.out


def test_a_history_says_what_it_is_and_how_to_look_at_it(command: Command):
    size = ("--environments", "2", "--checks", "4", "--weeks", "3", "--until", "2026-11-21")
    ended = command("lab", "history", "made-up", *size)
    assert ended.code == 0
    assert "generated results of" in ended.out
    assert "none of them was measured" in ended.out
    assert "runbook scorecard made-up" in ended.out
    again = command("lab", "history", "made-up", *size)
    assert again.code == 2
    assert "holds generated results already" in again.err


def test_a_last_day_that_is_none_is_refused(command: Command):
    ended = command("lab", "history", "made-up", "--until", "tomorrow")
    assert ended.code == 2
    assert "write a day as 2026-11-21" in ended.err


def test_the_status_of_one_lab_may_be_asked_for(command: Command):
    ended = command("lab", "status", "-n", "none-of-ours")
    assert (ended.code, ended.out) == (2, "")
    assert "none-of-ours" in ended.err


def test_a_lab_of_another_name_can_not_be_stopped(command: Command):
    ended = command("lab", "down", "--name", "nix")
    assert (ended.code, ended.out, ended.err) == (2, "", "there is no lab nix: none is up\n")
    assert command("lab", "down").code == 0  # what is to be down is down


def test_a_lab_is_called_as_the_inventory_in_force_calls_it(here: Path):
    lab = LabState("lab", str(here), "cluster-of-lab", "4.3.0", "/nowhere", [])
    assert called(lab, here) == f"--inventory {here / 'environments.yaml'} --env lab"
    kafka = 'kafka: {bootstrap.servers: "localhost:1"}'
    text = f"environments: {{other: {{{kafka}}}, ours: {{{kafka}, cluster_id: cluster-of-lab}}}}\n"
    (here / "environments.yaml").write_text(text, "utf-8")
    assert called(lab, here) == "--env ours"


def test_faults_are_listed_by_the_part_that_they_break(command: Command):
    listed = command("lab", "break").out
    assert listed.startswith("in any lab\n  format-voter ")
    groups = listed.partition("\nwith groups: runbook lab up --with groups\n")[2].partition("\n\n")[0]
    assert "  stuck-reader               Writes a record that a reader fails at again and again: " in groups
    assert "poison-pill" not in groups
    assert "(with" not in listed
    assert "Needs" not in listed


def test_the_page_of_the_lab_has_every_fault():
    page = (ROOT / "docs/how-to/lab.md").read_text("utf-8")
    assert [name for name in faults() if f"`{name}`" not in page] == []


def test_what_is_to_be_done_names_the_lab(here: Path):
    assert LabState("broken one", str(here), "", "4.3.0", "/nowhere", []).anew_with("dr") == (
        "start it anew: runbook lab down --name 'broken one', then runbook lab up --name 'broken one' --with dr"
    )
    assert LabState("lab", str(here), "", "4.3.0", "/nowhere", []).anew_with() == (
        "start it anew: runbook lab down, then runbook lab up"
    )
    with pytest.raises(UsageError, match=r"\(up: none\): start it with runbook lab up --name two$"):
        known("two", here)


def test_a_running_lab_that_another_inventory_hides_is_told(command: Command, here: Path, monkeypatch: Any):
    lab = here / "lab.yaml"
    lab.write_text("environments: {lab: {kafka: {bootstrap.servers: 'localhost:2'}}}\n", "utf-8")
    ours = here / "environments.yaml"
    ours.write_text("environments: {dev: {kafka: {bootstrap.servers: 'localhost:1'}}}\n", "utf-8")
    monkeypatch.setattr(inventories, "added_inventory", lambda: lab)
    assert f"another inventory has lab: --inventory {lab}\n" in command("env", "--offline").out
    ended = command("check", "ha", "--env", "lab")
    assert ended.err == f"no environment lab in environments.yaml; there is one with --inventory {lab}\n"
    for one_of_them in ("localhost:2", "127.0.0.1:9,127.0.0.1:2"):  # the same cluster, by another of its addresses
        ours.write_text(f"environments: {{mine: {{kafka: {{bootstrap.servers: '{one_of_them}'}}}}}}\n", "utf-8")
        assert "another inventory" not in command("env", "--offline").out
    assert "another inventory" not in command("env", "--offline").out


def test_logs_of_brokers_stand_in_one_column_whether_they_run_or_not(command: Command, monkeypatch: Any):
    brokers = [
        BrokerStatus(number, f"az-{number}", f"localhost:1909{number}", condition, pid, Path("/tmp/kafka.log"))
        for number, condition, pid in ((1, "alive", 4321), (2, "stopped", None), (3, "alive", 4194304))
    ]
    status = LabStatus("lab", "4.1.1", "5L6g3nShT", "localhost:19091", ("stop-broker",), tuple(brokers))
    monkeypatch.setattr(cluster, "labs", lambda: ["lab"])
    monkeypatch.setattr(cluster, "status", lambda _: status)
    lines = [line for line in command("lab", "status").out.splitlines() if line.startswith("  broker")]
    assert len(lines) == 3
    assert len({line.index("/tmp/kafka.log") for line in lines}) == 1


def test_of_a_broker_that_is_stopped_the_file_with_its_last_words_is_named(command: Command, monkeypatch: Any):
    brokers = [
        BrokerStatus(number, "az-1", "localhost:19091", condition, pid, Path(f"/tmp/broker-{number}.log"))
        for number, condition, pid in ((1, "alive", 4321), (3, "stopped", None))
    ]
    status = LabStatus("lab", "4.1.1", "5L6g3nShT", "localhost:19091", ("tiny-heap",), tuple(brokers))
    monkeypatch.setattr(cluster, "labs", lambda: ["lab"])
    monkeypatch.setattr(cluster, "status", lambda _: status)
    told = command("lab", "status").out
    assert "/tmp/broker-3.log  /tmp/broker-3.out\n" in told
    assert "broker-1.out" not in told


def test_breaking_says_what_a_lab_lacks_without_which_no_check_sees_the_fault():
    plain = LabState("lab", "/nowhere", "cluster-of-lab", "4.3.0", "/nowhere", planned(3))
    assert breaking.unseen("tiny-heap", plain) == (
        "gc sees it in a lab with files or jmx, and this one has neither: "
        "start it anew: runbook lab down, then runbook lab up --with files"
    )
    assert breaking.unseen("stop-broker", plain) == ""
    plain.parts["jmx"] = {}
    assert breaking.unseen("tiny-heap", plain) == ""


@pytest.mark.parametrize(
    ("fault", "says", "not_"),
    [
        ("tiny-heap", "start it anew: runbook lab down", "see it:"),
        ("changed-format", "see it: runbook check consumers", "start it anew"),
        ("stop-broker", "see it: runbook check ha", "in two minutes"),
    ],
)
def test_breaking_says_what_sees_the_fault_and_nothing_that_sees_it_not(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, fault: str, says: str, not_: str
):
    plain = LabState("lab", "/nowhere", "cluster-of-lab", "4.3.0", "/nowhere", planned(3))
    monkeypatch.setattr("kafka_lab.state.read", lambda _: plain)
    monkeypatch.setattr(breaking, "break_", lambda *_, **__: plain)
    monkeypatch.setattr("kafka_lab.aftermath.missing", lambda *_: [])
    monkeypatch.setattr("kafka_lab.aftermath.processes_of", lambda *_: {})
    monkeypatch.setattr("kafka_lab.recovery.has_majority", lambda _: True)
    assert lab_command.break_(fault) == 0
    told = capsys.readouterr().out
    assert says in told
    assert not_ not in told
    assert "mend it: runbook lab heal --name lab" in told
    assert ("in two minutes" in told) == (fault == "changed-format")


def test_what_needs_time_to_be_seen_are_faults_that_there_are():
    assert {*breaking._STAND_STILL} <= faults().keys()


def test_what_is_said_of_faults_and_parts_stands_beneath_itself_at_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COLUMNS", "60")
    told = faults()
    lab_command.break_(None)
    piped = capsys.readouterr().out
    assert all(f"  {fault:26} {what[:20]}" in piped for fault, what in told.items())
    assert max(map(len, piped.splitlines())) > 60
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    lab_command.break_(None)
    lab_command.parts_()
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 60
    assert "  stop-broker                Stops broker 2 in good order," in lines
    assert f"{' ' * 29}as an upgrade would: its" in lines


def test_the_tools_of_kafka_are_written_and_the_line_for_the_path_is_all_that_is_printed(
    command: Command, here: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("RUNBOOK_LAB_HOME", str(here / "labs"))
    monkeypatch.setenv("RUNBOOK_CACHE", str(here / "cache"))
    for folder in (TOOLS.folder, "jars"):
        (here / "cache" / folder).mkdir(parents=True)
    lab = LabState("lab", str(here / "labs" / "lab"), "c", KAFKA_VERSION, str(here / "cache" / "jars"), planned(3))
    lab.save()
    assert command("lab", "tools").out == f"export PATH={here / 'labs' / 'lab' / 'tools'}:$PATH\n"
    assert command("lab", "tools", "its bin").out == f"export PATH='{here / 'its bin'}':$PATH\n"
    assert (here / "its bin" / "kafka-topics.sh").stat().st_mode & 0o111 == 0o111
    assert command("lab", "tools", "--name", "other").code == 2


@pytest.mark.parametrize(("parts", "book"), [({}, "ha"), ({"dr": {}}, "dr")])
def test_what_to_try_first_is_what_the_lab_was_started_for(
    command: Command, monkeypatch: pytest.MonkeyPatch, parts: dict[str, Any], book: str
):
    lab = LabState("lab", "/nowhere", "cluster-of-lab", "4.3.0", "/nowhere", planned(3), parts=parts)
    monkeypatch.setattr(cluster, "up", lambda *_, **__: lab)
    assert f"try: runbook check {book} " in command("lab", "up").out
