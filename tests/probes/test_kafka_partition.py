from typing import Any

import pytest


def test_a_healthy_partition_has_its_replicas_in_sync_and_in_three_racks(healthy: Any):
    row = healthy.row("kafka_partition", topic="orders", partition=0)
    assert sorted(row["replicas"]) == sorted(row["isr"]) == [1, 2, 3]
    assert row["preferred_leader"] == row["replicas"][0]
    assert row["racks"] == ["az-a", "az-b", "az-c"]
    assert (row["min_insync_replicas"], row["needs"], row["elr"]) == (2, 2, [])


def test_where_all_replicas_are_in_sync_eligible_leaders_are_not_asked_for(healthy: Any):
    assert healthy.observe("kafka_partition").complete
    assert "DescribeTopicPartitions" not in healthy.python.asked


def test_a_partition_below_its_minimum_keeps_its_eligible_leader(broker_stopped: Any):
    row = broker_stopped.row("kafka_partition", topic="strict", partition=0)
    assert (sorted(row["isr"]), row["elr"], row["needs"]) == ([1, 2], [3], 3)


def test_a_partition_whose_only_replica_is_dead_has_no_leader(broker_stopped: Any):
    row = broker_stopped.row("kafka_partition", topic="single", partition=0)
    assert (row["leader"], row["isr"], row["elr"]) == (-1, [], [3])
    assert (row["preferred_leader"], row["racks"]) == (3, ["az-c"])


def test_a_minimum_above_the_replicas_asks_for_all_of_them(healthy: Any):
    row = healthy.row("kafka_partition", topic="oversized", partition=0)
    assert (row["min_insync_replicas"], row["needs"]) == (2, 1)
    assert row["unclean_leader_election"] is True


def test_before_kafka_3_7_a_minimum_above_the_replicas_could_never_be_met(healthy: Any):
    healthy.recording["release"] = [3, 6]
    assert healthy.row("kafka_partition", topic="oversized", partition=0)["needs"] == 2


def test_eligible_leaders_that_can_not_be_asked_for_are_unknown(broker_stopped: Any):
    broker_stopped.python.refused["DescribeTopicPartitions"] = 7
    assert broker_stopped.row("kafka_partition", topic="strict", partition=0)["elr"] is None
    assert broker_stopped.row("kafka_partition", topic="single", partition=1)["elr"] == []


def test_brokers_that_know_no_eligible_leaders_have_none(broker_stopped: Any):
    broker_stopped.recording["requests"].remove(75)
    assert broker_stopped.row("kafka_partition", topic="strict", partition=0)["elr"] == []


def test_racks_are_unknown_when_a_replica_is_on_an_unregistered_broker(healthy: Any):
    healthy.recording["topics"]["orders"][0][2] = [9, 2, 1]
    assert healthy.row("kafka_partition", topic="orders", partition=0)["racks"] is None


def test_a_broker_in_sync_by_hearsay_only_leaves_the_partitions_incomplete(healthy: Any):
    healthy.python.silent = {2}
    fact = healthy.observe("kafka_partition")
    [gap] = fact.gaps
    assert "counts as in sync" in gap.reason
    assert gap.keys == {"broker": 2}
    assert len(fact) > 0


@pytest.mark.parametrize(("leader", "complete"), [(-1, True), (3, False)])
def test_a_dead_broker_hides_nothing_once_nobody_leads_where_it_was_the_last_in_sync(
    broker_stopped: Any, leader: int, *, complete: bool
):
    number, _, replicas, _ = broker_stopped.recording["topics"]["single"][0]
    broker_stopped.recording["topics"]["single"][0] = [number, leader, replicas, [3]]
    assert broker_stopped.observe("kafka_partition").complete is complete


def test_a_dead_broker_that_is_out_of_sync_hides_nothing(broker_stopped: Any):
    assert broker_stopped.observe("kafka_partition").complete
