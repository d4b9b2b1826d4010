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
