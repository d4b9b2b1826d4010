import pytest

from runbook.formats.metrics import Metric
from runbook.formats.metrics.dialect import DIALECTS, Unnamed, series
from runbook.formats.metrics.meters import IDENTITY
from runbook.probes import broker_load, controller_quorum, jvm_memory, jvm_thread
from runbook.probes._metrics import OF_APPLICATIONS, OF_BROKERS, metrics_of

ALL = (*metrics_of(OF_BROKERS), *metrics_of(OF_APPLICATIONS))
IDLE = broker_load.GROUP.metrics["handler_idle"]


def name(bean: str, attribute: str, dialect: str) -> tuple[str, dict[str, str], tuple[str, ...]]:
    """The first name of a metric in a dialect, its labels, and the labels of its stars."""
    place = series(Metric(bean, attribute), dialect)[-1]
    return place.names[0], place.labels, place.stars


GAUGE = ("kafka.server:type=ReplicaManager,name=UnderReplicatedPartitions", "Value")
METER = ("kafka.server:type=ReplicaManager,name=IsrShrinksPerSec", "Count")
TIME = ("kafka.network:type=RequestMetrics,name=TotalTimeMs,request=*", "99thPercentile")
PERCENT = ("kafka.network:type=SocketServer,name=NetworkProcessorAvgIdlePercent", "Value")
PURGATORY = ("kafka.server:type=DelayedOperationPurgatory,name=PurgatorySize,delayedOperation=Fetch", "Value")
QUORUM = ("kafka.server:type=raft-metrics", "high-watermark")


@pytest.mark.parametrize(
    ("metric", "dialect", "expected"),
    [
        (GAUGE, "plain", ("kafka_server_ReplicaManager_Value", {"name": "UnderReplicatedPartitions"}, ())),
        (GAUGE, "strimzi", ("kafka_server_replicamanager_underreplicatedpartitions", {}, ())),
        (GAUGE, "jmx_exporter", ("kafka_server_replicamanager_underreplicatedpartitions", {}, ())),
        (GAUGE, "confluent", ("kafka_server_replicamanager_underreplicatedpartitions", {}, ())),
        (METER, "plain", ("kafka_server_ReplicaManager_Count", {"name": "IsrShrinksPerSec"}, ())),
        (METER, "strimzi", ("kafka_server_replicamanager_isrshrinks_total", {}, ())),
        (METER, "confluent", ("kafka_server_replicamanager_isrshrinkspersec", {}, ())),
        (TIME, "plain", ("kafka_network_RequestMetrics_99thPercentile", {"name": "TotalTimeMs"}, ("request",))),
        (TIME, "strimzi", ("kafka_network_requestmetrics_totaltimems", {"quantile": "0.99"}, ("request",))),
        (TIME, "confluent", ("kafka_network_requestmetrics_totaltimems", {"quantile": "0.99"}, ("request",))),
        (PERCENT, "strimzi", ("kafka_network_socketserver_networkprocessoravgidle_percent", {}, ())),
        (PERCENT, "jmx_exporter", ("kafka_network_socketserver_networkprocessoravgidlepercent", {}, ())),
        (
            PURGATORY,
            "strimzi",
            ("kafka_server_delayedoperationpurgatory_purgatorysize", {"delayedOperation": "Fetch"}, ()),
        ),
        (
            PURGATORY,
            "confluent",
            ("kafka_server_delayedoperationpurgatory_purgatorysize", {"delayedoperation": "Fetch"}, ()),
        ),
        (QUORUM, "plain", ("kafka_server_raft_metrics_high_watermark", {}, ())),
        (QUORUM, "strimzi", ("kafka_server_raftmetrics_high_watermark", {}, ())),
        (QUORUM, "jmx_exporter", ("kafka_server_raft_metrics_high_watermark", {}, ())),
    ],
)
def test_a_metric_has_the_name_that_the_rules_give_it(
    metric: tuple[str, str], dialect: str, expected: tuple[str, dict[str, str], tuple[str, ...]]
):
    assert name(*metric, dialect) == expected


@pytest.mark.parametrize("dialect", ["strimzi", "jmx_exporter"])
def test_idle_handlers_since_the_start_are_not_taken_for_those_of_the_last_minute(dialect: str):
    with pytest.raises(Unnamed, match="mean since the start"):
        series(IDLE, dialect)


def test_confluents_rules_name_the_idle_handlers_of_the_last_minute():
    [place] = series(IDLE, "confluent")
    assert place.names[0] == "kafka_server_kafkarequesthandlerpool_requesthandleravgidlepercent_total"


def test_confluents_rules_leave_the_quorum_out():
    with pytest.raises(Unnamed, match=r"leave out kafka\.server:type=raft-metrics"):
        series(controller_quorum.GROUP.metrics["leader"], "confluent")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_jvms_own_metrics_have_the_same_names_whatever_the_rules(dialect: str):
    for metric in (*jvm_memory.GROUP.metrics.values(), *jvm_thread.GROUP.metrics.values()):
        first = series(metric, dialect)[0]
        assert first.names[0].startswith("jvm_")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_two_metrics_are_looked_for_in_the_same_place(dialect: str):
    seen: dict[object, Metric] = {}
    for metric in ALL:
        try:
            places = series(metric, dialect)
        except Unnamed:
            continue
        for place in places:
            for name in place.names:
                key = (name, tuple(sorted(place.labels.items())), place.counter)
                assert seen.setdefault(key, metric) is metric


def test_plain_names_every_metric_but_lists_of_text_and_what_the_jvm_names_its_own_way():
    for metric in ALL:
        if metric.pairs or metric.attribute == "LastGcInfo":
            with pytest.raises(Unnamed):
                series(metric, "plain")
        else:
            assert series(metric, "plain")


@pytest.mark.parametrize("dialect", ["jmx_exporter", "strimzi"])
def test_a_series_that_does_not_say_of_which_mbean_it_is_is_no_place(dialect: str):
    with pytest.raises(Unnamed, match="leave out of which id"):
        series(IDENTITY, dialect)
