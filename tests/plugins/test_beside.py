"""A call beside the work gives its value, or the reason there is none, and is never waited for longer than told."""

import threading
import time

from runbook.model.errors import CannotLook, Mistake, TimedOut
from runbook.plugins.beside import Beside
from support.busy_machine import LATE

_PATIENCE = 30.0


def test_its_value_is_given_as_often_as_it_is_asked_for() -> None:
    call = Beside(lambda: 4, "four")
    assert [call.within(_PATIENCE), call.within(0)] == [4, 4]


def test_no_value_is_a_value_too() -> None:
    assert Beside(lambda: None, "nothing").within(_PATIENCE) is None


def test_what_could_not_be_looked_at_is_told_by_its_reason() -> None:
    def refuses() -> int:
        raise CannotLook("Permission denied")

    assert str(Beside(refuses, "refused").within(_PATIENCE)) == "Permission denied"


def test_what_nobody_expected_is_a_mistake_and_no_value() -> None:
    def breaks() -> int:
        raise KeyError("region")

    found = Beside(breaks, "broken").within(_PATIENCE)
    assert isinstance(found, Mistake)
    assert "region" in str(found)


def test_one_that_hangs_is_late_and_is_told_once_it_comes() -> None:
    answers = threading.Event()
    call, began = Beside(lambda: answers.wait(_PATIENCE), "slow"), time.monotonic()
    late = call.within(0.1)
    assert time.monotonic() - began < 0.1 + LATE
    assert isinstance(late, TimedOut)
    assert str(late) == "no answer within 0.1 s"
    answers.set()
    assert call.within(_PATIENCE) is True
