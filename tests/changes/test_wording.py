"""A change in words: whom it is of, and what of several keys is which."""

from typing import Any

from runbook.changes.difference import CellChange, EntityChange
from runbook.changes.wording import sentence

BEHIND = CellChange("in_sync", before=True, after=False)


def changed(entity: str, *subjects: dict[str, Any]) -> str:
    return sentence(EntityChange("changed", entity, "probe", subjects, (BEHIND,))).partition(":")[0]


def replicas(*places: tuple[str, int, int]) -> str:
    keys = [dict(zip(("topic", "partition", "broker"), place, strict=True)) for place in places]
    return changed("partition", *keys)


def test_replicas_are_no_partitions_and_each_number_says_what_it_is() -> None:
    assert replicas(("payments", 0, 3), ("payments", 0, 1), ("payments", 1, 1), ("payments", 1, 3)) == (
        "topic payments, 4 replicas (partition 0 on broker 3, partition 0 on broker 1, "
        "partition 1 on broker 1 and 1 more)"
    )
    assert replicas(("a", 0, 3), ("b", 1, 1)) == (
        "2 replicas (topic a partition 0 on broker 3, topic b partition 1 on broker 1)"
    )


def test_replicas_of_one_broker_are_partitions_and_those_of_one_partition_brokers() -> None:
    assert replicas(("a", 0, 3), ("a", 1, 3)) == "topic a, broker 3, 2 partitions (0, 1)"
    assert replicas(("a", 0, 3), ("a", 0, 1)) == "topic a, partition 0, 2 brokers (3, 1)"


def test_topic_and_number_name_a_partition() -> None:
    first, second = {"topic": "a", "partition": 0}, {"topic": "b", "partition": 1}
    assert changed("partition", first, second) == "2 partitions (a 0, b 1)"
    assert changed("partition", {"group": "g", **first}, {"group": "g", **second}) == "group g, 2 partitions (a 0, b 1)"


def test_what_has_no_name_of_its_own_is_rows() -> None:
    one, other = {"group": "g", "topic": "a", "partition": 0}, {"group": "h", "topic": "a", "partition": 1}
    assert changed("partition", one, other) == "topic a, 2 rows (group g partition 0, group h partition 1)"
