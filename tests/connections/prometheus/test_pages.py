from runbook.connections import prometheus
from runbook.model.probe import Deadline
from runbook.probes import broker_replication, jvm_thread
from runbook.probes._metrics import OF_BROKERS, metrics_of
from support.http_servers import Answer, http_server

PAGE = b"""\
jvm_threads_current 42.0
kafka_server_ReplicaManager_Value{name="UnderReplicatedPartitions"} 2.0
kafka_server_app_info_StartTimeMs{id="1"} 1.7E12
"""


def test_a_page_is_read_once_and_its_metrics_are_known():
    with http_server(lambda _: Answer(PAGE)) as (place, asked):
        connection = prometheus.connect({"scrape": {"1": place}}, Deadline(60, patience=20))
        [sheet], gaps = connection.brokers(metrics_of(OF_BROKERS))
        connection.brokers(metrics_of(OF_BROKERS))
    assert gaps == []
    assert [(request.method, request.path) for request in asked] == [("GET", "/metrics")]
    assert sheet.one(jvm_thread.GROUP.metrics["count"]) == 42
    assert sheet.one(broker_replication.GROUP.metrics["under_replicated"]) == 2
    assert "shows nothing of" in sheet.unknown[broker_replication.GROUP.metrics["under_min_isr"]]


def test_the_page_of_another_broker_is_refused():
    with http_server(lambda _: Answer(PAGE)) as (place, _):
        sheets, [gap] = prometheus.connect({"scrape": {"2": place}}, Deadline(60, patience=20)).brokers(
            metrics_of(OF_BROKERS)
        )
    assert sheets == []
    assert gap.keys == {"broker": 2}
    assert "answers for node 1" in gap.reason


def test_a_page_that_is_cut_off_or_garbage_is_a_gap():
    for page in (PAGE[:-20], b"\xff\xfe\n", b"<html>\n", b"x" * (1 << 20), b""):
        with http_server(lambda _, page=page: Answer(page)) as (place, _):
            sheets, [gap] = prometheus.connect({"scrape": {"1": place}}, Deadline(60, patience=20)).brokers(
                metrics_of(OF_BROKERS)
            )
        assert sheets == []
        assert gap.keys == {"broker": 1}


def test_one_page_that_is_not_there_costs_no_other():
    with http_server(lambda _: Answer(PAGE)) as (place, _):
        [sheet], [gap] = prometheus.connect(
            {"scrape": {"1": place, "2": "127.0.0.1:1"}}, Deadline(60, patience=20)
        ).brokers(metrics_of(OF_BROKERS))
    assert sheet.jvm == 1
    assert gap.keys == {"broker": 2}
    assert "connection refused" in gap.reason
