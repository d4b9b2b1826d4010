import time

import pytest

from runbook.engine.probe import Clock


@pytest.mark.parametrize(("whole", "patience"), [(30, 3.0), (6, 2.0), (0.9, 0.5)])
def test_one_request_gets_a_share_of_the_time(whole: float, patience: float) -> None:
    assert Clock(whole).request() == pytest.approx(patience, abs=0.01)


def test_a_request_leaves_time_to_report_it() -> None:
    assert Clock(2, patience=10).request() == pytest.approx(1.8, abs=0.05)


def test_a_request_never_gets_no_time_at_all_as_libraries_read_that_as_for_ever() -> None:
    clock = Clock(0.0)
    time.sleep(0.01)
    assert (clock.left(), clock.request()) == (0.0, 0.05)
