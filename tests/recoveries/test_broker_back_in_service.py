from typing import Any

import pytest

from runbook.model.fact import Fact, Gap
from runbook.model.recovery import WITHHELD
from runbook.recoveries.broker_back_in_service import RECOVERY
from support.kafka_facts import brokers, fact, partition, partitions, situation


def after(probe: str, back: list[int], *facts: Fact) -> list[dict[str, Any]]:
    mine = next(fact for fact in facts if fact.source == probe)
    return list(RECOVERY.sets[probe](mine, situation({"brokers": back}, *facts)).rows())


def test_a_broker_that_is_back_is_in_sync_with_the_leaders_of_its_partitions() -> None:
    [row] = after("kafka_partition", [2], brokers(2), partitions(partition(0, 1, [1, 3])))
    assert (row["isr"], row["out_of_sync"], row["leader"], row["elr"]) == ([1, 2, 3], [], 1, [])


def test_who_leads_what_had_another_leader_is_not_known_where_the_first_replica_is_back() -> None:
    [row] = after("kafka_partition", [1], brokers(1), partitions(partition(0, 2, [2, 3])))
    assert (row["isr"], row["leader"]) == ([1, 2, 3], None)


def test_others_that_are_down_stay_out() -> None:
    [row] = after("kafka_partition", [2], brokers(2, 3), partitions(partition(0, 1, [1])))
    assert (row["isr"], row["out_of_sync"], row["elr"]) == ([1, 2], [3], None)


def test_a_partition_without_a_leader_is_led_by_the_last_in_sync_and_those_that_waited_join() -> None:
    [row] = after("kafka_partition", [1], brokers(1), partitions(partition(0, -1, [1])))
    assert (row["leader"], row["isr"]) == (1, [1, 2, 3])


def test_a_partition_whose_last_in_sync_stays_away_gets_no_leader() -> None:
    [row] = after("kafka_partition", [2], brokers(1, 2), partitions(partition(0, -1, [1])))
    assert (row["leader"], row["isr"]) == (-1, [1])


def test_an_eligible_replica_may_lead_when_it_is_back() -> None:
    lost = partition(0, -1, []) | {"elr": [2], "last_leader": 2}
    [row] = after("kafka_partition", [2], brokers(1, 2), partitions(lost))
    assert (row["leader"], row["isr"]) == (2, [2, 3])


@pytest.mark.parametrize(("elr", "last"), [([1, 2, 3], 3), ([2, 3], 3), ([3], 2), ([3], None)])
def test_where_it_hangs_on_how_a_broker_ended_who_leads_is_not_known(elr: list[int], last: int | None) -> None:
    lost = partition(0, -1, [], replicas=[3]) | {"elr": elr, "last_leader": last}
    [row] = after("kafka_partition", [3], brokers(3), partitions(lost))
    assert (row["leader"], row["isr"]) == (None, None)


def test_two_that_come_back_one_after_the_other_are_taken_together_where_it_hung_on_the_first() -> None:
    lost = partition(0, -1, [], replicas=[2, 3]) | {"elr": [2, 3], "last_leader": 3}
    both = brokers(2, 3)
    listed = partitions(lost)
    first = RECOVERY.sets["kafka_partition"](listed, situation({"brokers": [2]}, both, listed))
    assert first.columns["leader"] == [None]
    [row] = after("kafka_partition", [3], brokers(3), first)
    assert (row["isr"], row["out_of_sync"]) == ([2, 3], [])
    assert row["leader"] in (2, 3)


def test_who_comes_back_joins_where_it_is_not_known_who_leads() -> None:
    [row] = after("kafka_partition", [3], brokers(3), partitions(partition(0, 1, [1, 2]) | {"leader": None}))
    assert (row["leader"], row["isr"]) == (None, [1, 2, 3])


def test_who_is_eligible_and_holds_no_replica_does_not_lead() -> None:
    lost = partition(0, -1, [], replicas=[3]) | {"elr": [1, 2], "last_leader": 3}
    [row] = after("kafka_partition", [1], brokers(1), partitions(lost))
    assert (row["leader"], row["isr"]) == (-1, [])


def test_where_it_is_not_known_who_is_eligible_nothing_is_made_up() -> None:
    lost = partition(0, -1, []) | {"elr": None}
    [row] = after("kafka_partition", [2], brokers(1, 2), partitions(lost))
    assert (row["leader"], row["isr"]) == (None, None)


def test_a_broker_that_is_back_serves_and_how_fast_it_is_was_never_seen() -> None:
    rows = after("kafka_broker", [2], brokers(2))
    assert rows[1] | {"silence": ""} == {
        "broker": 2,
        "rack": "b",
        "host": "h",
        "port": 9092,
        "fenced": False,
        "unregistered": False,
        "registered": True,
        "answers": True,
        "silence": "",
        "failure": "",
        "waited_ms": None,
        "greeting_ms": None,
        "in_service": True,
    }
    assert rows[1]["silence"] is WITHHELD
    assert (rows[0]["greeting_ms"], rows[0]["waited_ms"]) == (10, 11)


def test_where_a_broker_that_was_not_registered_lies_is_not_made_up() -> None:
    gone = brokers(2)
    gone.columns["host"][1] = ""
    gone.columns["unregistered"][1] = True
    rows = after("kafka_broker", [2], gone)
    assert (rows[1]["host"], rows[1]["rack"], rows[1]["unregistered"]) == (None, None, False)


def test_replicas_follow_their_partitions() -> None:
    replicas = fact(
        "kafka_replica",
        [
            {"topic": "t", "partition": 0, "broker": node, "in_sync": node != 2, "leads": node == 1}
            for node in (1, 2, 3)
        ],
    )
    rows = after("kafka_replica", [2], brokers(2), partitions(partition(0, 1, [1, 3])), replicas)
    assert [row["in_sync"] for row in rows] == [True, True, True]
    assert [row["leads"] for row in rows] == [True, False, False]


def test_a_voter_that_is_back_keeps_up_with_the_leader() -> None:
    quorum = fact(
        "kafka_quorum",
        [
            {"node": 1, "voter": True, "leader": True, "log_end_offset": 90, "lag": 0, "last_fetch_ms": 0},
            {"node": 2, "voter": True, "leader": False, "log_end_offset": 40, "lag": 50, "last_fetch_ms": 9000},
        ],
    )
    rows = after("kafka_quorum", [2], brokers(2), quorum)
    assert (rows[1]["lag"], rows[1]["last_fetch_ms"], rows[1]["log_end_offset"]) == (0, 0, 90)


def test_the_vote_of_a_node_that_runs_on_another_disk_does_not_come_back_with_it() -> None:
    rows = [
        {"node": 1, "voter": True, "leader": True, "log_end_offset": 90, "lag": 0, "replaced_by": ""},
        {"node": 2, "voter": True, "leader": False, "log_end_offset": 40, "lag": 50, "replaced_by": "new"},
    ]
    quorum = fact("kafka_quorum", rows)
    assert after("kafka_quorum", [2], brokers(2), quorum)[1]["lag"] == 50


def test_gaps_about_it_go_where_others_tell_its_rows_and_stay_for_the_rest() -> None:
    listed = partitions(partition(0, 1, [1, 3]))
    listed.gaps = [Gap("it counts as in sync", {"broker": 2}), Gap("another")]
    made = RECOVERY.sets["kafka_partition"](listed, situation({"brokers": [2]}, brokers(2), listed))
    assert [gap.reason for gap in made.gaps] == ["another"]


def test_the_cluster_counts_it_among_those_that_answer() -> None:
    cluster = fact("kafka_cluster", [{"cluster_id": "c", "brokers": 3, "answering": 2, "controller": 1}])
    [row] = after("kafka_cluster", [2], brokers(2), cluster)
    assert (row["answering"], row["brokers"], row["controller"]) == (3, 3, None)
