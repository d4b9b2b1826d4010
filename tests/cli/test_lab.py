from collections.abc import Callable
from pathlib import Path
from typing import Any

from kafka_lab.inventory import called
from kafka_lab.state import LabState

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
