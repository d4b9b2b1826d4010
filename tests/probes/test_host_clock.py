import pytest

from support.recorded_hosts import look, recorded


def test_the_offset_is_taken_in_the_middle_of_the_question():
    # The recorded link says that it asked from 10.0 to 10.02.
    fact = look("host_clock", recorded({"kafka-1": {"clock": "12.510000000\n"}}))
    [row] = fact.rows()
    assert row["offset_ms"] == pytest.approx(2500, abs=50)
    assert row["uncertainty_ms"] == pytest.approx(10, abs=0.1)


def test_a_time_that_is_no_number_is_a_gap():
    fact = look("host_clock", recorded({"kafka-1": {"clock": "%s.%N\n"}}))
    assert not len(fact)
    assert "no number" in fact.gaps[0].reason
