import json
from typing import Any
from urllib.parse import parse_qs

import pytest

from runbook.connections import prometheus
from runbook.connections.prometheus.server import _read
from runbook.formats.metrics import ScrapedPage, Sheet
from runbook.model.errors import CannotLook, Garbled
from runbook.model.fact import Gap
from runbook.model.probe import Deadline
from runbook.probes import broker_replication, jvm_thread
from runbook.probes._metrics import OF_APPLICATIONS, OF_BROKERS, metrics_of
from support.http_servers import Answer, Asked, http_server

THREADS = jvm_thread.GROUP.metrics["count"]
SHRINKS = broker_replication.GROUP.metrics["isr_shrinks"]


def sampled(name: str, *values: float, instance: str = "b1:9404", **labels: str) -> dict[str, Any]:
    """A series of the answer, with a sample each 15 s."""
    points = [[1000 + 15 * i, str(value)] for i, value in enumerate(values)]
    return {"metric": {"__name__": name, "instance": instance, "job": "kafka", **labels}, "values": points}


def matrix(*series: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": series}} | more).encode()


def look(body: bytes, **settings: Any) -> tuple[list[Sheet], list[Gap], list[Asked]]:
    with http_server(lambda _: Answer(body)) as (place, asked):
        connection = prometheus.connect(
            {"url": place, "selector": {"job": "kafka"}} | settings, Deadline(60, patience=20)
        )
        sheets, gaps = connection.brokers(metrics_of(OF_BROKERS))
        connection.brokers(metrics_of(OF_BROKERS))
    return list(sheets), list(gaps), asked


def test_one_query_brings_all_and_asks_for_fresh_samples_only():
    body = matrix(
        sampled("up", 1, 1),
        sampled("jvm_threads_current", 40, 41),
        sampled("kafka_server_app_info_StartTimeMs", 1, id="1"),
    )
    [sheet], gaps, asked = look(body, max_age=60, selector={"job": 'ka"fka'})
    assert gaps == []
    assert sheet.jvm == 1
    assert sheet.one(THREADS) == 41
    assert [(a.method, a.path) for a in asked] == [("POST", "/api/v1/query")]
    [query] = parse_qs(asked[0].body.decode())["query"]
    assert query.startswith('{job="ka\\"fka",__name__=~"')
    assert query.endswith('"}[60s]')


def test_a_target_that_can_not_be_scraped_is_a_gap_whatever_is_left_of_it():
    body = matrix(sampled("up", 1, 0), sampled("jvm_threads_current", 40))
    sheets, [gap], _ = look(body, brokers={"b1:9404": 1})
    assert sheets == []
    assert gap.keys == {"broker": 1}
    assert "can't scrape b1:9404" in gap.reason


def test_pages_of_brokers_are_told_apart_by_job_and_address():
    body = matrix(
        sampled("up", 1),
        sampled("kafka_server_app_info_StartTimeMs", 500, id="1"),
        sampled("up", 1, job="often"),
        sampled("kafka_server_app_info_StartTimeMs", 500, id="1", job="often"),
        sampled("up", 0, instance="b2:9404"),
        sampled("kafka_server_app_info_StartTimeMs", 600, instance="b2:9404", id="2"),
        sampled("up", 1, instance="b3:9404"),
    )
    with http_server(lambda _: Answer(body)) as (place, _):
        server = prometheus.connect({"url": place, "selector": {"job": "kafka"}}, Deadline(60, patience=20))
        assert server.broker_pages() == (
            [
                ScrapedPage("kafka", "b1:9404", 1, 500),
                ScrapedPage("often", "b1:9404", 1, 500),
                ScrapedPage("kafka", "b2:9404", -1, -1),  # what is left of it is from before
                ScrapedPage("kafka", "b3:9404", -1, -1),
            ],
            [],
        )


def test_a_broker_is_known_by_the_inventory_or_a_label():
    series = (sampled("jvm_threads_current", 40, pod="my-cluster-kafka-7"), sampled("up", 1, pod="my-cluster-kafka-7"))
    assert look(matrix(*series), brokers={"b1:9404": 3})[0][0].jvm == 3
    assert look(matrix(*series), broker_label="pod")[0][0].jvm == 7


def test_a_broker_that_the_inventory_names_and_the_server_does_not_know_is_a_gap():
    body = matrix(sampled("up", 1), sampled("jvm_threads_current", 40))
    sheets, [gap], _ = look(body, brokers={"b1:9404": 1, "b2:9404": 2})
    assert [sheet.jvm for sheet in sheets] == [1]
    assert gap.keys == {"broker": 2}
    assert "no sample of b2:9404" in gap.reason


def test_who_is_known_by_nothing_is_a_gap_with_the_remedy():
    sheets, [gap], _ = look(matrix(sampled("jvm_threads_current", 40)))
    assert sheets == []
    assert "name it under `brokers` of prometheus" in gap.reason


def test_two_instances_that_claim_to_be_one_broker_are_not_believed():
    series = [sampled("jvm_threads_current", 40, instance=name, pod="kafka-1") for name in ("a:1", "b:1")]
    sheets, gaps, _ = look(matrix(*series), broker_label="pod")
    assert sheets == []
    assert len(gaps) == 2


def test_applications_are_named_by_a_label_and_instances_of_one_by_their_addresses():
    body = matrix(
        sampled("up", 1, instance="a:1", app="orders"),
        sampled("up", 1, instance="b:1", app="orders"),
        sampled("up", 1, instance="c:1", app="billing"),
    )
    with http_server(lambda _: Answer(body)) as (place, _):
        settings = {"url": place, "selector": {"job": "kafka"}, "application_selector": {"job": "x"}}
        sheets, _ = prometheus.connect(settings | {"application_label": "app"}, Deadline(60, patience=20)).applications(
            metrics_of(OF_APPLICATIONS)
        )
    assert [sheet.jvm for sheet in sheets] == ["billing", "orders a:1", "orders b:1"]


def test_targets_are_told_with_whether_their_last_scrape_worked():
    body = matrix(sampled("up", 0, 1, instance="a:1"), sampled("up", 1, 0, instance="b:1"))
    with http_server(lambda _: Answer(body)) as (place, _):
        targets, gaps = prometheus.connect(
            {"url": place, "selector": {"job": "kafka"}}, Deadline(60, patience=20)
        ).targets()
    assert gaps == []
    assert [(target.job, target.instance, target.up) for target in targets] == [
        ("kafka", "a:1", True),
        ("kafka", "b:1", False),
    ]


def test_nothing_fresh_is_a_gap_and_no_empty_fact():
    sheets, [gap], _ = look(matrix())
    assert sheets == []
    assert "no sample with job=kafka of the last 180 s" in gap.reason


def test_a_warning_of_a_partial_answer_is_a_gap():
    body = matrix(sampled("jvm_threads_current", 40), warnings=["store not reachable"])
    sheets, [gap], _ = look(body, brokers={"b1:9404": 1})
    assert len(sheets) == 1
    assert "store not reachable" in gap.reason


def test_a_rate_that_is_not_exported_is_made_of_the_counter():
    name = "kafka_server_replicamanager_isrshrinks_total"
    [sheet], _, _ = look(matrix(sampled(name, 5, 8, 11)), brokers={"b1:9404": 1}, dialect="strimzi")
    assert sheet.one(SHRINKS) == 6 / 30


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"[]",
        b"null",
        b'{"status":"success"}',
        b'{"status":"success","data":{"result":[{"metric":{},"values":[[1,"1"]]}]}}',
        b'{"status":"success","data":{"result":[{"metric":{"__name__":"up"},"value":[1,"1"]}]}}',
        b'{"status":"success","data":{"result":[{"metric":{"__name__":"up"},"values":[[1,"one"]]}]}}',
    ],
)
def test_what_is_not_prometheus_is_said_so(body: bytes):
    with pytest.raises(Garbled, match="the Prometheus server"):
        look(body)


def test_a_query_that_is_refused_is_told_with_the_servers_words():
    with pytest.raises(CannotLook, match="query timed out"):
        look(b'{"status":"error","error":"query timed out"}')


@pytest.mark.parametrize(
    "series",
    [
        '{"metric": {"__name__": "up", "instance": 7}, "values": [[1, "1"]]}',
        '{"metric": {"__name__": [], "instance": "a"}, "values": [[1, "1"]]}',
        f'{{"metric": {{"__name__": "up"}}, "values": [[{10**400}, "1"]]}}',
        "[" * 100_000,
    ],
)
def test_series_of_another_kind_are_no_answer(series: str):
    with pytest.raises(Garbled, match="not answer as Prometheus does"):
        _read(f'{{"status": "success", "data": {{"result": [{series}]}}}}'.encode())
