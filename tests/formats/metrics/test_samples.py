import pytest

from runbook.formats.metrics import Exported, Metric, samples
from runbook.formats.metrics.exposition import Point, Sample
from runbook.formats.metrics.samples import _speed

BYTES = Metric("kafka.server:type=BrokerTopicMetrics,name=BytesInPerSec", "Count")
RATE = Metric("kafka.server:type=BrokerTopicMetrics,name=BytesInPerSec", "OneMinuteRate")
TIMES = Metric("kafka.network:type=RequestMetrics,name=TotalTimeMs,request=*", "99thPercentile")
START = Metric("", "start", exported=Exported(("start_seconds",), scale=1000))
TOTAL = "kafka_server_brokertopicmetrics_bytesin_total"


def series(name: str, *values: float, **labels: str) -> Sample:
    return Sample(name, labels, tuple(Point(time=100.0 + 10 * i, value=value) for i, value in enumerate(values)))


def test_the_bytes_of_one_topic_are_not_those_of_the_broker():
    sheet = samples.sheet(1, [series(TOTAL, 7, topic="orders"), series(TOTAL, 9, pod="kafka-0")], [BYTES], "strimzi")
    assert sheet.values[BYTES] == {(): 9.0}


def test_what_is_not_shown_is_not_known_and_never_proved_absent():
    sheet = samples.sheet(1, [series(TOTAL, 7, topic="orders")], [BYTES], "strimzi")
    assert not sheet.values
    assert not sheet.absent
    assert "shows nothing of kafka.server:type=BrokerTopicMetrics" in sheet.unknown[BYTES]


def test_stars_become_labels():
    name = "kafka_network_requestmetrics_totaltimems"
    sheet = samples.sheet(
        1,
        [
            series(name, 3, request="Produce", quantile="0.99"),
            series(name, 1, request="Produce", quantile="0.50"),
            series(name, 4, request="Fetch", quantile="0.99"),
        ],
        [TIMES],
        "strimzi",
    )
    assert sheet.values[TIMES] == {("Produce",): 3.0, ("Fetch",): 4.0}


def test_two_series_that_claim_to_be_the_same_are_not_believed():
    sheet = samples.sheet(1, [series(TOTAL, 1, pod="a"), series(TOTAL, 2, pod="b")], [BYTES], "strimzi")
    assert not sheet.values
    assert "narrow the selector" in sheet.unknown[BYTES]


def test_a_rate_is_made_of_the_samples_of_a_counter_that_may_start_anew():
    sheet = samples.sheet(1, [series(TOTAL, 10, 30, 5, 15)], [RATE], "strimzi")
    assert sheet.values[RATE] == {(): (20 + 5 + 10) / 30}


def test_one_sample_tells_no_rate():
    sheet = samples.sheet(1, [series(TOTAL, 10)], [RATE], "strimzi")
    assert "gives no rate" in sheet.unknown[RATE]


def test_a_rate_that_the_broker_keeps_itself_is_preferred_where_it_is_exported():
    kept = Sample(
        "kafka_server_BrokerTopicMetrics_OneMinuteRate", {"name": "BytesInPerSec"}, (Point(time=0.0, value=12.5),)
    )
    assert samples.sheet(1, [kept], [RATE], "plain").values[RATE] == {(): 12.5}


def test_units_are_those_of_the_mbean():
    assert samples.sheet(1, [series("start_seconds", 1.5)], [START], "plain").values[START] == {(): 1500.0}


def test_a_counter_of_one_moment_tells_no_rate():
    with pytest.raises(ValueError, match="gives no rate"):
        _speed(Sample("c", {}, (Point(time=5.0, value=1.0), Point(time=5.0, value=2.0))))
