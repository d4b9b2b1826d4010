"""Without a recording every question is put to the system, and time is that of now."""

import time

from runbook.model.probe import Deadline
from runbook.model.tape import LIVE


def test_each_question_is_put_each_time():
    answers = iter([1, 2])
    assert [LIVE.answer("a", {}, lambda: next(answers), int) for _ in range(2)] == [1, 2]


def test_a_clock_goes_on_and_its_names_are_new():
    clock = Deadline(5)
    assert abs(clock.now("anything") - time.time()) < 1
    assert clock.unused_name("topic") != clock.unused_name("topic")
    assert clock.at_most(0.5) == 0.5
    before = clock.left()
    clock.sleep(0.01)
    assert clock.left() <= before - 0.01
