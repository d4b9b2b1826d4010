import pytest

from support.metrics_played import Played

WAYS = ("jolokia", "pages")


@pytest.mark.parametrize("way", WAYS)
def test_a_producer_tells_its_batches_and_its_thread(way: str):
    row = Played(way).row("client_producer", client="clicking")
    assert row["application"] == "producer"
    assert 0 <= row["io_ratio"] <= 1
    assert 0 <= row["io_wait_ratio"] <= 1.1
    assert row["batch_size"] > 100
    assert 0 < row["compression_ratio"] < 1
    assert row["errors"] == 0


@pytest.mark.parametrize("way", WAYS)
def test_an_application_that_did_not_answer_is_a_gap(way: str):
    played = Played(way)
    played.silent = set(played.recording["answers" if way == "jolokia" else "pages"])
    fact = played.observe("client_producer")
    assert len(fact) == 0
    assert len(fact.gaps) == 2


def test_each_value_comes_under_its_own_name():
    played = Played("jolokia")
    played.tell(
        "kafka.producer:type=producer-metrics,client-id=*",
        **{
            "io-ratio": 11,
            "io-wait-ratio": 12,
            "batch-size-avg": 13,
            "compression-rate-avg": 14,
            "request-latency-avg": 15,
            "record-error-rate": 16,
        },
    )
    assert played.row("client_producer", application="producer") == {
        "application": "producer",
        "client": "x",
        "io_ratio": 11,
        "io_wait_ratio": 12,
        "batch_size": 13,
        "compression_ratio": 14,
        "latency": 15,
        "errors": 16,
    }
