import pytest

from support.metrics_played import Played

WAYS = ("jolokia", "pages")


@pytest.mark.parametrize("way", WAYS)
def test_only_kinds_of_request_that_came_have_rows(way: str):
    fact = Played(way).observe("broker_request")
    assert fact.complete
    kinds = {row["request"] for row in fact.rows()}
    assert {"Produce", "FetchFollower"} <= kinds
    assert all(row["requests"] > 0 for row in fact.rows())


@pytest.mark.parametrize("way", WAYS)
def test_each_place_where_a_produce_request_waits_is_told(way: str):
    row = Played(way).row("broker_request", broker=1, request="Produce")
    assert row["total_p99"] > 0
    assert not [name for name, cell in row.items() if cell is None]


def test_each_value_comes_under_its_own_name():
    played = Played("jolokia")
    played.tell(
        "kafka.network:type=RequestMetrics,name=TotalTimeMs,request=*",
        **{"Count": 11, "99thPercentile": 12, "Mean": 13},
    )
    played.tell("kafka.network:type=RequestMetrics,name=RequestQueueTimeMs,request=*", **{"99thPercentile": 14})
    played.tell("kafka.network:type=RequestMetrics,name=LocalTimeMs,request=*", **{"99thPercentile": 15})
    played.tell("kafka.network:type=RequestMetrics,name=RemoteTimeMs,request=*", **{"99thPercentile": 16})
    played.tell("kafka.network:type=RequestMetrics,name=ThrottleTimeMs,request=*", **{"99thPercentile": 17})
    played.tell("kafka.network:type=RequestMetrics,name=ResponseQueueTimeMs,request=*", **{"99thPercentile": 18})
    played.tell("kafka.network:type=RequestMetrics,name=ResponseSendTimeMs,request=*", **{"99thPercentile": 19})
    assert played.row("broker_request", broker=1) == {
        "broker": 1,
        "request": "x",
        "requests": 11,
        "total_p99": 12,
        "total_mean": 13,
        "queue_p99": 14,
        "local_p99": 15,
        "remote_p99": 16,
        "throttle_p99": 17,
        "response_queue_p99": 18,
        "send_p99": 19,
    }
