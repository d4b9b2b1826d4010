from runbook.recoveries.broker_latency_normal import RECOVERY
from support.kafka_facts import brokers, situation


def test_it_is_as_quick_as_the_slowest_of_the_others() -> None:
    slow = brokers()
    slow.columns["greeting_ms"] = [10, 4000, 30]
    made = RECOVERY.sets["kafka_broker"](slow, situation({"brokers": [2]}, slow))
    assert made.columns["greeting_ms"] == [10, 30, 30]


def test_of_one_broker_nobody_knows_how_quick_it_would_be() -> None:
    slow = brokers()
    slow.columns = {name: cells[:1] for name, cells in slow.columns.items()}
    made = RECOVERY.sets["kafka_broker"](slow, situation({"brokers": [1]}, slow))
    assert made.columns["greeting_ms"] == [None]
