import pytest

from runbook.model.errors import Misconfigured
from runbook.views.batch_time import BatchTime, compute
from support.client_configs import consumer


def test_a_full_batch_takes_the_mean_of_a_record_times_their_number() -> None:
    config = consumer(("max.poll.records", "200"), ("max.poll.interval.ms", "60000"))
    assert compute(config=config, record_ms=["billing=12.5"], batch_ms=["billing = 40000"]).rows == [
        BatchTime(client="billing", records=200, interval=60000, mean=2500.0, worst=40000.0)
    ]


def test_what_was_not_measured_is_0_and_needs_no_number_of_records() -> None:
    [row] = compute(config=consumer(("max.poll.records", None)), batch_ms=["billing=1"]).rows
    assert (row.records, row.mean, row.worst, row.interval) == (None, 0.0, 1.0, 300000)
    [row] = compute(config=consumer(), record_ms=["billing=1"]).rows
    assert (row.mean, row.worst) == (500.0, 0.0)


def test_without_a_number_of_records_a_full_batch_is_not_known() -> None:
    assert compute(config=consumer(("max.poll.records", None)), record_ms=["billing=1"]).rows[0].mean is None
    computed = compute(config=consumer(), record_ms=["billing=1"], libraries=["*=librdkafka-2.3"])
    assert computed.rows[0].mean is None  # it hands out one record at a time


def test_a_client_without_a_file_is_a_gap() -> None:
    observed = compute(config=consumer(), record_ms=["shop=1"])
    assert (observed.rows, [gap.reason for gap in observed.gaps]) == ([], ["no file of consumer shop is known"])


def test_a_measurement_is_a_number_of_a_client() -> None:
    with pytest.raises(Misconfigured, match="batch_ms: 'billing=soon' is no time of a client"):
        compute(config=consumer(), batch_ms=["billing=soon"])
