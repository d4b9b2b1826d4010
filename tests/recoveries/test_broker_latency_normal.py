from runbook.recoveries.broker_latency_normal import RECOVERY
from support.kafka_facts import latencies, situation


def test_it_is_as_quick_as_the_slowest_of_the_others() -> None:
    slow = latencies(10, 4000, 30)
    made = RECOVERY.sets["kafka_broker_latency"](slow, situation({"brokers": [2]}, slow))
    assert made.columns["slowest_ms"] == [10, 30, 30]
    assert made.columns["answers_ms"] == [[10], None, [30]]


def test_of_one_broker_nobody_knows_how_quick_it_would_be() -> None:
    slow = latencies(4000, None, None, down=(2, 3))
    made = RECOVERY.sets["kafka_broker_latency"](slow, situation({"brokers": [1]}, slow))
    assert made.columns["slowest_ms"] == [None, None, None]
