import pytest

from support.metrics_played import Played

WAYS = ("jolokia", "pages")


@pytest.mark.parametrize("way", WAYS)
def test_a_healthy_cluster_misses_no_replica(way: str):
    fact = Played(way).observe("broker_replication")
    assert fact.complete
    assert fact.columns["broker"] == [1, 2, 3]
    for row in fact.rows():
        assert row["under_replicated"] == row["under_min_isr"] == row["offline_replicas"] == 0
        assert row["partitions"] >= row["leaders"] >= 0
        assert not [name for name, cell in row.items() if cell is None]


def test_a_jvm_that_is_no_broker_has_no_row():
    played = Played("jolokia")
    for answers in played.recording["answers"].values():
        for answer in answers:
            if "Replica" in answer[0][0]:
                answer[1] = {"status": 404, "error_type": "javax.management.InstanceNotFoundException"}
    assert played.observe("broker_replication").inapplicable == "none of the JVMs that were asked is a broker"


def test_each_value_comes_under_its_own_name():
    played = Played("jolokia")
    played.tell("kafka.server:type=ReplicaManager,name=UnderReplicatedPartitions", Value=11)
    played.tell("kafka.server:type=ReplicaManager,name=UnderMinIsrPartitionCount", Value=12)
    played.tell("kafka.server:type=ReplicaManager,name=AtMinIsrPartitionCount", Value=13)
    played.tell("kafka.server:type=ReplicaManager,name=OfflineReplicaCount", Value=14)
    played.tell("kafka.server:type=ReplicaManager,name=PartitionCount", Value=15)
    played.tell("kafka.server:type=ReplicaManager,name=LeaderCount", Value=16)
    played.tell("kafka.server:type=ReplicaManager,name=IsrShrinksPerSec", OneMinuteRate=17, Count=20)
    played.tell("kafka.server:type=ReplicaManager,name=IsrExpandsPerSec", OneMinuteRate=18)
    played.tell("kafka.server:type=ReplicaManager,name=FailedIsrUpdatesPerSec", OneMinuteRate=19)
    played.tell("kafka.server:type=ReplicaFetcherManager,name=MaxLag,clientId=Replica", Value=21)
    played.tell("kafka.server:type=ReplicaFetcherManager,name=FailedPartitionsCount,clientId=Replica", Value=22)
    assert played.row("broker_replication", broker=1) == {
        "broker": 1,
        "under_replicated": 11,
        "under_min_isr": 12,
        "at_min_isr": 13,
        "offline_replicas": 14,
        "partitions": 15,
        "leaders": 16,
        "isr_shrinks": 17,
        "isr_expands": 18,
        "failed_isr_updates": 19,
        "isr_shrinks_since_start": 20,
        "max_lag": 21,
        "failed_fetchers": 22,
    }
