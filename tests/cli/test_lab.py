from collections.abc import Callable
from typing import Any

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
