from runbook.answers.kafka.stamps import written
from runbook.model.quantity import Timestamp


def test_a_timestamp_is_written_and_none_is_none():
    assert written(Timestamp(1_796_041_860_053)) == "2026-11-30T12:31:00.053Z"
    assert written(Timestamp(-1)) is None


def test_what_lies_behind_the_last_year_that_can_be_written_is_its_end():
    microseconds = Timestamp(1_796_041_860_053_096)
    assert written(microseconds) == written(Timestamp(2**63 - 1)) == "9999-12-31T23:59:59.999Z"
