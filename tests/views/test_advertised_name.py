from typing import Any

import pytest

from runbook.model.fact import Fact, Gap, Observed, tabulate
from runbook.views.advertised_name import VIEW, compute

PODS = {"pod": ["kafka-1", "kafka-2", "kafka-10"], "broker": [1, 2, 10], "subdomain": ["brokers", "brokers", "brokers"]}
SERVICES: dict[str, list[Any]] = {
    "service": ["brokers", "bootstrap", "kafka-cip-1", "by-hand", "lb-2"],
    "pods": [["kafka-1", "kafka-2", "kafka-10"], ["kafka-1", "kafka-2", "kafka-10"], ["kafka-1"], [], ["kafka-2"]],
    "endpoints": [3, 3, 1, 2, 1],
    "external": [[], [], [], [], ["lb-2.example.org", "203.0.113.2"]],
}


def seen(*hosts: str, gaps: tuple[Gap, ...] = ()) -> tuple[dict[int, dict[str, Any]], Observed]:
    broker = Fact("kafka_broker", {"broker": [1, 2, 10][: len(hosts)], "host": list(hosts)})
    observed = compute(
        pod=Fact("kubernetes_pod", PODS), broker=broker, service=Fact("kubernetes_service", SERVICES, list(gaps))
    )
    return {row["broker"]: row for row in tabulate("x", VIEW.columns, observed).rows()}, observed


@pytest.mark.parametrize(
    ("host", "way", "pods"),
    [
        ("kafka-1.brokers.ns.svc.cluster.local", "pod", ["kafka-1"]),
        ("kafka-1.brokers.ns.svc", "pod", ["kafka-1"]),
        ("kafka-1.brokers.ns", "pod", ["kafka-1"]),
        ("kafka-1.brokers", "pod", ["kafka-1"]),
        ("kafka-10.brokers.ns.svc", "pod", ["kafka-10"]),
        ("kafka-9.brokers.ns.svc", "pod", []),
        ("kafka-1.others.ns.svc", "pod", []),
        ("bootstrap.ns.svc", "service", ["kafka-1", "kafka-2", "kafka-10"]),
        ("bootstrap", "service", ["kafka-1", "kafka-2", "kafka-10"]),
        ("kafka-cip-1.ns.svc", "service", ["kafka-1"]),
        ("by-hand.ns.svc", "service", None),
        ("lb-2.example.org", "balancer", ["kafka-2"]),
        ("203.0.113.2", "balancer", ["kafka-2"]),
        ("kafka-1", "elsewhere", []),
        ("kafka-1.example.org", "elsewhere", []),
        ("10.0.3.7", "elsewhere", []),
    ],
)
def test_where_a_name_leads(host: str, way: str, pods: list[str] | None):
    row = seen(host)[0][1]
    assert (row["pod"], row["host"], row["way"], row["leads_to"]) == ("kafka-1", host, way, pods)


def test_whether_any_of_them_advertises_a_name_of_the_namespace():
    assert [row["peers_inside"] for row in seen("10.0.3.7", "kafka-2.brokers")[0].values()] == [True, True]
    assert [row["peers_inside"] for row in seen("10.0.3.7", "kafka-2.example.org")[0].values()] == [False, False]


def test_a_broker_that_is_not_registered_is_a_gap():
    rows, observed = seen("kafka-1.brokers", "")
    assert list(rows) == [1]
    assert [gap.keys for gap in observed.gaps] == [{"broker": 2}, {"broker": 10}]


def test_without_all_services_nothing_is_said():
    assert seen("kafka-1.brokers", gaps=(Gap("we may not list services"),))[0] == {}
