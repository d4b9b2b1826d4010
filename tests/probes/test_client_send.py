import pytest

from support.metrics_played import Played

# An exporter's page of the same producer, Kafka 4.3: what is asked for.
PAGE = """\
kafka_producer_producer_metrics_buffer_available_bytes{client_id="clicking"} 3.3538048E7
kafka_producer_producer_metrics_bufferpool_wait_ratio{client_id="clicking"} 0.0
kafka_producer_producer_metrics_produce_throttle_time_avg{client_id="clicking"} 0.0
kafka_producer_producer_metrics_record_queue_time_avg{client_id="clicking"} 1001.75
kafka_producer_producer_metrics_record_retry_rate{client_id="clicking"} 0.0
kafka_producer_producer_metrics_record_send_rate{client_id="clicking"} 10.0112
kafka_producer_producer_metrics_record_size_avg{client_id="clicking"} 286.0
"""


@pytest.mark.parametrize("way", ["apart", "pages"])
def test_a_producer_shows_where_its_records_wait(way: str):
    played = Played(way)
    if way == "pages":
        played.show(PAGE)
    row = next(iter(played.observe("client_send").rows()))
    assert row["client"] == "clicking"
    assert 9 < row["sent"] < 11
    assert row["record_size"] == 286
    assert 1000 < row["queue_time"] < 1010  # its linger.ms is 1000
    assert (row["retries"], row["buffer_wait"], row["throttled"]) == (0, 0, 0)
    assert 0 < row["buffer_left"] < 33554432


def test_an_application_that_has_only_consumers_has_no_row_and_is_no_gap():
    fact = Played("apart").observe("client_send")
    assert [row["application"] for row in fact.rows()] == ["producer"]
    assert fact.gaps == []


def test_an_application_that_did_not_answer_is_a_gap():
    played = Played("apart")
    played.silent = set(played.recording["answers"])
    fact = played.observe("client_send")
    assert len(fact) == 0
    assert len(fact.gaps) == 2


def test_each_value_comes_under_its_own_name():
    played = Played("apart")
    played.tell(
        "kafka.producer:type=producer-metrics,client-id=*",
        **{
            "record-send-rate": 1,
            "record-retry-rate": 2,
            "record-size-avg": 3,
            "record-queue-time-avg": 4,
            "bufferpool-wait-ratio": 5,
            "buffer-available-bytes": 6,
            "produce-throttle-time-avg": 7,
        },
    )
    assert played.row("client_send", application="producer") == {
        "application": "producer",
        "client": "x",
        "sent": 1,
        "retries": 2,
        "record_size": 3,
        "queue_time": 4,
        "buffer_wait": 5,
        "buffer_left": 6,
        "throttled": 7,
    }
