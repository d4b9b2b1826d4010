from typing import Any

from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.outage import VIEW, compute
from support.kafka_facts import brokers, fact, partition, partitions


def rows(partition_: Fact, broker: Fact, mode: str | None = "kraft") -> list[dict[str, Any]]:
    cluster = fact("kafka_cluster", [{"mode": mode}])
    return list(tabulate("outage", VIEW.columns, compute(partition=partition_, broker=broker, cluster=cluster)).rows())


def test_with_one_of_three_down_nothing_has_stopped_and_any_other_stops_writes() -> None:
    now, then = rows(partitions(partition(0, 1, [1, 3]), partition(1, 3, [1, 3])), brokers(2))
    assert (now["moment"], now["refusing_writes"], now["offline"], now["led_by_silent"]) == ("now", 0, 0, 0)
    assert (then["moment"], then["refusing_writes"], then["offline"], then["brokers"]) == ("next", 2, 0, [1, 3])


def test_the_topics_that_refuse_writes_are_named_those_of_kafka_last_and_counted_from_the_fourth_on() -> None:
    few = [("__offsets", 3), ("clicks", 1), ("orders", 2), ("audit", 1), ("refunds", 1)]
    hit = [partition(number, 1, [1], [1, 2, 3]) | {"topic": name} for name, many in few for number in range(many)]
    well = partition(9, 1, [1, 2, 3]) | {"topic": "well"}
    now, _ = rows(partitions(*hit, well), brokers())
    assert (now["topics"], now["more_topics"]) == (["orders", "audit", "clicks"], 2)


def test_partitions_without_a_leader_are_counted() -> None:
    now, _ = rows(partitions(partition(0, -1, [1], [1]), partition(1, 3, [2, 3])), brokers(1))
    assert (now["refusing_writes"], now["offline"]) == (1, 1)


def test_what_has_no_leader_or_too_few_in_sync_refuses_writes_whoever_may_be_elected() -> None:
    eligible = partition(0, -1, [], [1])
    assert rows(partitions(eligible | {"needs": 1, "elr": [1]}), brokers())[0]["refusing_writes"] == 1
    now, then = rows(partitions(partition(0, 1, [1], [1, 2, 3])), brokers())
    assert (now["refusing_writes"], now["offline"]) == (1, 0)
    assert then["refusing_writes"] >= 1


def test_where_all_is_well_the_loss_of_one_stops_nothing() -> None:
    _, then = rows(partitions(partition(0, 1, [1, 2, 3])), brokers())
    assert (then["refusing_writes"], then["offline"], then["brokers"]) == (0, 0, [])


def test_what_could_not_be_seen_is_not_counted_as_none() -> None:
    seen = partitions(partition(0, 2, [1, 2, 3]))
    seen.gaps = [Gap("broker 2 is silent")]
    now, then = rows(seen, brokers(2, fenced=False))
    assert (now["topics"], now["more_topics"]) == (None, None)
    assert (now["known"], now["refusing_writes"], now["offline"], now["led_by_silent"]) == (False, None, None, 1)
    assert (then["refusing_writes"], then["offline"], then["brokers"]) == (None, None, None)


def test_where_metadata_is_kept_is_said_or_unknown() -> None:
    seen = partitions(partition(0, 1, [1, 2, 3]))
    modes = [{row["mode"] for row in rows(seen, brokers(), mode)} for mode in ("kraft", "zookeeper", None)]
    assert modes == [{"kraft"}, {"zookeeper"}, {"unknown"}]
