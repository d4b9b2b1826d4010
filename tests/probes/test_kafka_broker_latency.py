from typing import Any

import pytest

from runbook.answers.kafka import AnswerTimes
from runbook.model.errors import Misconfigured


def test_each_broker_has_its_greeting_and_the_answers_after_it(healthy: Any):
    healthy.python.times[2] = AnswerTimes([0.02, 2.4931, 0.004], 0)
    fact = healthy.observe("kafka_broker_latency")
    assert fact.complete
    assert fact.columns["broker"] == [1, 2, 3]
    assert fact.columns["silence"] == ["", "", ""]
    assert fact.columns["answers_ms"] == [[12, 20, 3, 4], [12, 20, 2493, 4], [12, 20, 3, 4]]
    assert fact.columns["slowest_ms"] == [20, 2493, 20]


def test_a_dead_broker_has_no_times_and_says_why(broker_stopped: Any):
    row = broker_stopped.row("kafka_broker_latency", broker=3)
    assert (row["answers_ms"], row["slowest_ms"]) == (None, None)
    assert row["silence"].endswith("can't be reached: connection refused")


def test_a_request_without_an_answer_is_a_gap_as_it_may_be_lost_on_the_way(healthy: Any):
    healthy.python.times[2] = AnswerTimes([0.02, 0.003], 1)
    fact = healthy.observe("kafka_broker_latency")
    [gap] = fact.gaps
    assert gap.keys == {"broker": 2}
    assert gap.reason.endswith("left 1 of 3 requests unanswered")
    assert fact.columns["slowest_ms"] == [20, 20, 20]


def test_without_kafka_python_nothing_is_timed_and_that_is_said(healthy: Any):
    healthy.without_kafka_python("ssl.curves.list has no equal")
    with pytest.raises(Misconfigured, match=r"ssl\.curves\.list"):
        healthy.observe("kafka_broker_latency")
