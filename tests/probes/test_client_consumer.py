import pytest

from support.metrics_played import Played

WAYS = ("jolokia", "pages")


@pytest.mark.parametrize("way", WAYS)
def test_a_consumer_tells_its_fetches_and_rebalances(way: str):
    [row] = Played(way).observe("client_consumer").rows()
    assert row["application"] == "consumer"
    assert 0 < row["fetch_latency"] <= row["fetch_latency_max"]
    assert row["fetch_rate"] > 0
    assert 0 < row["fetch_size"] <= row["fetch_size_max"]
    assert row["failed_rebalances"] >= 0


def test_each_value_comes_under_its_own_name():
    played = Played("jolokia")
    played.tell("kafka.consumer:type=consumer-metrics,client-id=*", **{"io-ratio": 11, "io-wait-ratio": 12})
    played.tell(
        "kafka.consumer:type=consumer-fetch-manager-metrics,client-id=*",
        **{
            "fetch-latency-avg": 13,
            "fetch-latency-max": 14,
            "fetch-rate": 15,
            "fetch-size-avg": 16,
            "fetch-size-max": 17,
            "records-lag-max": 18,
        },
    )
    played.tell(
        "kafka.consumer:type=consumer-coordinator-metrics,client-id=*",
        **{"rebalance-rate-per-hour": 19, "failed-rebalance-rate-per-hour": 20},
    )
    assert played.row("client_consumer", application="producer") == {
        "application": "producer",
        "client": "x",
        "io_ratio": 11,
        "io_wait_ratio": 12,
        "fetch_latency": 13,
        "fetch_latency_max": 14,
        "fetch_rate": 15,
        "fetch_size": 16,
        "fetch_size_max": 17,
        "max_lag": 18,
        "rebalances": 19,
        "failed_rebalances": 20,
    }
