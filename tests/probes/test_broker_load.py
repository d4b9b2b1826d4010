import pytest

from support.metrics_played import Played

WAYS = ("jolokia", "pages")


@pytest.mark.parametrize("way", WAYS)
def test_a_running_broker_says_so_and_how_much_it_has_left(way: str):
    fact = Played(way).observe("broker_load")
    assert fact.complete
    for row in fact.rows():
        assert row["state"] == 3
        assert 0 <= row["handler_idle"] <= 1.1
        assert 0 <= row["network_idle"] <= 1.1
        assert row["bytes_in"] >= 0
        assert not [name for name, cell in row.items() if cell is None]


def test_each_value_comes_under_its_own_name():
    played = Played("jolokia")
    played.tell("kafka.server:type=BrokerTopicMetrics,name=BytesInPerSec", OneMinuteRate=11)
    played.tell("kafka.server:type=BrokerTopicMetrics,name=BytesOutPerSec", OneMinuteRate=12)
    played.tell("kafka.server:type=BrokerTopicMetrics,name=MessagesInPerSec", OneMinuteRate=13)
    played.tell("kafka.server:type=BrokerTopicMetrics,name=FailedProduceRequestsPerSec", OneMinuteRate=14)
    played.tell("kafka.server:type=BrokerTopicMetrics,name=FailedFetchRequestsPerSec", OneMinuteRate=15)
    played.tell("kafka.server:type=KafkaRequestHandlerPool,name=RequestHandlerAvgIdlePercent", OneMinuteRate=16)
    played.tell("kafka.network:type=SocketServer,name=NetworkProcessorAvgIdlePercent", Value=17)
    played.tell("kafka.network:type=RequestChannel,name=RequestQueueSize", Value=18)
    played.tell("kafka.log:type=LogFlushStats,name=LogFlushRateAndTimeMs", **{"99thPercentile": 19})
    played.tell("kafka.server:type=DelayedOperationPurgatory,name=PurgatorySize,delayedOperation=Produce", Value=20)
    played.tell("kafka.server:type=DelayedOperationPurgatory,name=PurgatorySize,delayedOperation=Fetch", Value=21)
    played.tell("kafka.network:type=SocketServer,name=ExpiredConnectionsKilledCount", Value=22)
    played.tell("kafka.log:type=LogManager,name=OfflineLogDirectoryCount", Value=23)
    played.tell("kafka.server:type=KafkaServer,name=BrokerState", Value=24)
    assert played.row("broker_load", broker=1) == {
        "broker": 1,
        "bytes_in": 11,
        "bytes_out": 12,
        "messages_in": 13,
        "failed_produce": 14,
        "failed_fetch": 15,
        "handler_idle": 16,
        "network_idle": 17,
        "request_queue": 18,
        "flush_p99": 19,
        "produce_purgatory": 20,
        "fetch_purgatory": 21,
        "expired_connections": 22,
        "offline_log_dirs": 23,
        "state": 24,
    }
