"""Signals by which others end a command."""

import os
import signal

import pytest
import typer

from runbook.terminal.end_signals import ENDING, ended_by_signals

pytestmark = pytest.mark.usefixtures("hang_ups_end")

WATCHED = (*ENDING, signal.SIGINT)


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_is_an_interrupt_with_a_code_of_its_own_and_a_second_one_loses_nothing(number: int) -> None:
    before = [signal.getsignal(name) for name in WATCHED]
    with ended_by_signals() as ended:
        try:
            os.kill(os.getpid(), number)
        except KeyboardInterrupt:
            for name in WATCHED:
                os.kill(os.getpid(), name)
    assert ended.code(1) == 128 + number
    assert [signal.getsignal(name) for name in WATCHED] == before


@pytest.mark.parametrize("number", ENDING)
def test_one_that_comes_before_there_is_anything_to_keep_ends_the_command(
    number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as ended, ended_by_signals():
        os.kill(os.getpid(), number)
    assert ended.value.exit_code == 128 + number
    assert capsys.readouterr().err == "interrupted\n"


def test_a_ctrl_c_is_none_of_them() -> None:
    with pytest.raises(KeyboardInterrupt), ended_by_signals() as ended:
        raise KeyboardInterrupt
    assert ended.code(3) == 3


def test_what_is_ignored_stays_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ended_by_signals() as ended:
            os.kill(os.getpid(), signal.SIGHUP)
        assert ended.number == 0
    finally:
        signal.signal(signal.SIGHUP, before)
