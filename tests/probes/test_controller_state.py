import pytest

from support.metrics_played import Played

WAYS = ("jolokia", "pages")


@pytest.mark.parametrize("way", WAYS)
def test_one_of_three_controllers_is_active(way: str):
    fact = Played(way).observe("controller_state")
    assert fact.complete
    assert sorted(fact.columns["active"]) == [0, 0, 1]
    assert fact.columns["active_brokers"] == [3, 3, 3]
    assert fact.columns["unclean_elections"] == [0, 0, 0]
    assert None not in fact.columns["event_queue_p99"]


def test_each_value_comes_under_its_own_name():
    played = Played("jolokia")
    played.tell("kafka.controller:type=KafkaController,name=ActiveControllerCount", Value=11)
    played.tell("kafka.controller:type=KafkaController,name=OfflinePartitionsCount", Value=12)
    played.tell("kafka.controller:type=KafkaController,name=PreferredReplicaImbalanceCount", Value=13)
    played.tell("kafka.controller:type=KafkaController,name=FencedBrokerCount", Value=14)
    played.tell("kafka.controller:type=KafkaController,name=ActiveBrokerCount", Value=15)
    played.tell("kafka.controller:type=KafkaController,name=MetadataErrorCount", Value=16)
    played.tell("kafka.controller:type=KafkaController,name=LastAppliedRecordLagMs", Value=17)
    played.tell("kafka.controller:type=KafkaController,name=TimedOutBrokerHeartbeatCount", Value=18)
    played.tell("kafka.controller:type=KafkaController,name=NewActiveControllersCount", Value=19)
    played.tell("kafka.controller:type=ControllerEventManager,name=EventQueueTimeMs", **{"99thPercentile": 20})
    played.tell("kafka.controller:type=ControllerStats,name=UncleanLeaderElectionsPerSec", Count=21, OneMinuteRate=2.2)
    assert played.row("controller_state", broker=1) == {
        "broker": 1,
        "active": 11,
        "offline_partitions": 12,
        "preferred_imbalance": 13,
        "fenced_brokers": 14,
        "active_brokers": 15,
        "metadata_errors": 16,
        "applied_lag_ms": 17,
        "timed_out_heartbeats": 18,
        "new_active": 19,
        "event_queue_p99": 20,
        "unclean_elections": 21,
        "unclean_elections_rate": 2.2,
    }
