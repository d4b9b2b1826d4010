from typing import Any


def test_a_partition_has_a_row_for_each_of_its_replicas_and_one_of_them_leads(healthy: Any):
    rows = [row for row in healthy.observe("kafka_replica").rows() if (row["topic"], row["partition"]) == ("orders", 0)]
    assert sorted(row["broker"] for row in rows) == [1, 2, 3]
    assert [row["preferred"] for row in rows] == [True, False, False]
    assert sum(row["leads"] for row in rows) == 1
    assert all(row["in_sync"] for row in rows)


def test_a_replica_on_a_dead_broker_neither_leads_nor_is_in_sync(broker_stopped: Any):
    row = broker_stopped.row("kafka_replica", topic="single", partition=0)
    assert (row["broker"], row["leads"], row["in_sync"]) == (3, False, False)


def test_a_broker_in_sync_by_hearsay_only_leaves_the_replicas_incomplete(healthy: Any):
    healthy.python.silent = {2}
    assert not healthy.observe("kafka_replica").complete
