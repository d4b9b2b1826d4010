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
