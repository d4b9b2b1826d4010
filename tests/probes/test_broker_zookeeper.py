import pytest

from support.metrics_played import Played

WAYS = ("jolokia", "pages")


@pytest.mark.parametrize("way", WAYS)
def test_a_kraft_cluster_has_no_sessions_whichever_way_it_is_asked(way: str):
    assert Played(way).observe("broker_zookeeper").inapplicable == "KRaft mode: brokers have no ZooKeeper session"


def test_sessions_of_a_zookeeper_cluster_are_told():
    played = Played("jolokia")
    for name in ("Expires", "Disconnects", "AuthFailures"):
        bean = f"kafka.server:type=SessionExpireListener,name=ZooKeeper{name}PerSec"
        played.change(bean, {"status": 200, "value": {"Count": 2, "OneMinuteRate": 0.5}})
    latency = "kafka.server:type=ZooKeeperClientMetrics,name=ZooKeeperRequestLatencyMs"
    played.change(latency, {"status": 200, "value": {"99thPercentile": 7.5}})
    assert played.row("broker_zookeeper", broker=1) == {
        "broker": 1,
        "expires": 2,
        "expires_rate": 0.5,
        "disconnects": 2,
        "authentication_failures": 2,
        "latency_p99": 7.5,
    }


def test_each_value_comes_under_its_own_name():
    played = Played("jolokia")
    played.tell("kafka.server:type=SessionExpireListener,name=ZooKeeperExpiresPerSec", Count=11, OneMinuteRate=12)
    played.tell("kafka.server:type=SessionExpireListener,name=ZooKeeperDisconnectsPerSec", Count=13)
    played.tell("kafka.server:type=SessionExpireListener,name=ZooKeeperAuthFailuresPerSec", Count=14)
    played.tell("kafka.server:type=ZooKeeperClientMetrics,name=ZooKeeperRequestLatencyMs", **{"99thPercentile": 15})
    assert played.row("broker_zookeeper", broker=1) == {
        "broker": 1,
        "expires": 11,
        "expires_rate": 12,
        "disconnects": 13,
        "authentication_failures": 14,
        "latency_p99": 15,
    }
