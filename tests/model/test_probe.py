import time

import pytest

from runbook.model.probe import Deadline


@pytest.mark.parametrize(("whole", "patience"), [(300, 10.0), (60, 10.0), (20, 6.0), (10, 3.0), (6, 1.8), (0.9, 0.5)])
def test_one_request_gets_a_share_of_the_time(whole: float, patience: float) -> None:
    assert Deadline(whole).request() == pytest.approx(patience, abs=0.01)


def test_a_request_leaves_time_to_report_it() -> None:
    assert Deadline(2, patience=10).request() == pytest.approx(1.8, abs=0.05)


def test_a_request_never_gets_no_time_at_all_as_libraries_read_that_as_for_ever() -> None:
    clock = Deadline(0.0)
    time.sleep(0.01)
    assert (clock.left(), clock.request()) == (0.0, 0.05)


def test_what_was_slow_before_has_more_time_and_what_was_quick_has_not() -> None:
    clock = Deadline(100, patience=3.0)
    assert clock.request(slowness=0.01) == pytest.approx(3.04)
    assert clock.request(slowness=2.0) == pytest.approx(11.0)
    assert Deadline(5, patience=3.0).request(slowness=2.0) == pytest.approx(4.8, abs=0.05)
