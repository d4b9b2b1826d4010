from runbook.recoveries.controller_quorum_restored import RECOVERY
from support.kafka_facts import brokers, fact, partition, partitions, situation


def test_what_an_active_controller_tells_was_never_seen() -> None:
    quorum = fact("kafka_quorum", [{"node": 1, "voter": True, "leader": True}])
    made = RECOVERY.sets["kafka_quorum"](quorum, situation({"brokers": [2]}, quorum))
    assert len(made) == 0
    assert all(gap.withheld for gap in made.gaps)
    assert made.gaps


def test_brokers_come_back_with_them() -> None:
    seen = partitions(partition(0, 1, [1]))
    made = RECOVERY.sets["kafka_partition"](seen, situation({"brokers": [2, 3]}, brokers(2, 3), seen))
    assert made.columns["isr"] == [[1, 2, 3]]
