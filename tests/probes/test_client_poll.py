import json
from typing import Any

import pytest

from support.metrics_played import Played

BEANS = {
    "kafka.consumer:type=consumer-metrics,client-id=*": {
        "time-between-poll-avg": 11,
        "time-between-poll-max": 12,
        "poll-idle-ratio-avg": 0.13,
    },
    "kafka.consumer:type=consumer-coordinator-metrics,client-id=*": {
        "commit-rate": 14,
        "commit-latency-avg": 15,
        "commit-latency-max": 16,
    },
    "kafka.consumer:type=consumer-fetch-manager-metrics,client-id=*": {"records-consumed-rate": 17},
}
ROW = {
    "application": "consumer",
    "client": "x",
    "between_polls": 11,
    "between_polls_max": 12,
    "idle_ratio": 0.13,
    "commit_rate": 14,
    "commit_latency": 15,
    "commit_latency_max": 16,
    "consumed_rate": 17,
}
MICROMETER = """kafka_consumer_time_between_poll_avg{client_id="x",kafka_version="4.0.0"} 11.0
kafka_consumer_time_between_poll_max{client_id="x",kafka_version="4.0.0"} 12.0
kafka_consumer_poll_idle_ratio_avg{client_id="x",kafka_version="4.0.0"} 0.13
kafka_consumer_coordinator_commit_rate{client_id="x",kafka_version="4.0.0"} 14.0
kafka_consumer_coordinator_commit_latency_avg{client_id="x",kafka_version="4.0.0"} 15.0
kafka_consumer_coordinator_commit_latency_max{client_id="x",kafka_version="4.0.0"} 16.0
kafka_consumer_fetch_manager_records_consumed_rate{client_id="x",kafka_version="4.0.0"} 17.0
"""
PLAIN = """kafka_consumer_consumer_metrics_time_between_poll_avg{client_id="x"} 11.0
kafka_consumer_consumer_metrics_time_between_poll_max{client_id="x"} 12.0
kafka_consumer_consumer_metrics_poll_idle_ratio_avg{client_id="x"} 0.13
kafka_consumer_consumer_coordinator_metrics_commit_rate{client_id="x"} 14.0
kafka_consumer_consumer_coordinator_metrics_commit_latency_avg{client_id="x"} 15.0
kafka_consumer_consumer_coordinator_metrics_commit_latency_max{client_id="x"} 16.0
kafka_consumer_consumer_fetch_manager_metrics_records_consumed_rate{client_id="x"} 17.0
"""


def agents_tell(played: Played, beans: dict[str, dict[str, float]]) -> None:
    """Let agents answer with these attributes, and what was recorded of the rest."""
    recorded = played.post_json

    def post_json(url: str, body: bytes) -> bytes:
        answers: list[Any] = json.loads(recorded(url, body))
        for place, asked in enumerate(json.loads(body)):
            if asked["mbean"] in beans:
                value = {asked["mbean"].replace("*", "x"): beans[asked["mbean"]]}
                answers[place] = {"status": 200, "value": value}
        return json.dumps(answers).encode()

    played.post_json = post_json  # type: ignore[method-assign]


def test_each_value_comes_under_its_own_name():
    played = Played("jolokia")
    agents_tell(played, BEANS)
    assert played.row("client_poll", application="consumer") == ROW


PUSHED = MICROMETER.replace("kafka_consumer", "org_apache_kafka_consumer").replace("kafka_version", "principal")


@pytest.mark.parametrize("page", [MICROMETER, PLAIN, PUSHED], ids=["micrometer", "plain", "pushed"])
def test_pages_tell_the_same_however_they_name_it(page: str):
    played = Played("pages")
    played.show(page)
    assert played.row("client_poll", application="consumer") == ROW


def test_what_was_not_measured_yet_is_not_known():
    played = Played("pages")
    played.show(MICROMETER.replace("12.0", "NaN"))
    row = played.row("client_poll", application="consumer")
    assert (row["between_polls"], row["between_polls_max"]) == (11, None)


def test_a_consumer_of_which_the_exporter_hides_these_is_not_known_and_not_missing():
    played = Played("pages")
    played.show('kafka_consumer_consumer_metrics_io_ratio{client_id="x"} 0.5\n')
    fact = played.observe("client_poll")
    assert (fact.inapplicable, fact.complete) == ("", False)


def test_where_there_are_producers_only_it_has_no_meaning():
    played = Played("pages")
    played.show('kafka_producer_producer_metrics_io_ratio{client_id="x"} 0.5\n')
    assert played.observe("client_poll").inapplicable == "none of the applications that were asked has a Java consumer"


@pytest.mark.parametrize("way", ["jolokia", "pages"])
def test_a_real_consumer_tells_how_long_it_is_between_its_polls(way: str):
    [row] = Played(way).observe("client_poll").rows()
    assert (row["application"], row["client"]) == ("consumer", "consumer-counting-1")
    assert 0 < row["between_polls"] <= row["between_polls_max"] < 300_000
    assert 0 < row["idle_ratio"] <= 1
    assert row["consumed_rate"] > 0
