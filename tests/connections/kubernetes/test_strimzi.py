"""One of several Kafka clusters of Strimzi in a namespace: whatever belongs to another is left out, by every probe."""

from copy import deepcopy
from typing import Any

import pytest

from runbook.model.errors import Misconfigured
from runbook.plugins.catalog import catalog
from support.recorded_kubernetes import Played
from support.strimzi_declared import CLUSTER
from support.strimzi_played import CONNECTORS, DEPLOYMENTS, KAFKAS, PODS, platform

LABEL = "strimzi.io/cluster"
PROBES = [
    name
    for name in catalog("probes").names()
    if name.startswith(("strimzi_", "kubernetes_")) or name.endswith("_declaration")
]
OF_A_KIND = {"kubernetes_custom_resource": {"kind": "Kafka"}}


def two_clusters(**settings: Any) -> Played:
    """The platform that is well, and beside it one object of another cluster in every list of the namespace."""
    played = platform(**settings)
    maps = "/api/v1/namespaces/kafka/configmaps"
    played.answers[maps] = {
        "kind": "ConfigMapList",
        "metadata": {},
        "items": [{"metadata": {"name": "orders-broker-0"}, "data": {"a": "b"}}],
    }
    for path, answer in list(played.answers.items()):
        if "/namespaces/" not in path or not answer.get("items") or path == CONNECTORS:
            continue
        if "connect" in path or "mirrormaker" in path:
            continue  # these belong to no Kafka resource
        twin = deepcopy(answer["items"][0])
        twin["metadata"]["name"] = "payments" if path == KAFKAS else "payments-broker-91"
        twin["metadata"]["labels"] = twin["metadata"].get("labels", {}) | {LABEL: "payments"}
        answer["items"].append(twin)
    return played


def seen(played: Played, probe: str) -> list[dict[str, Any]]:
    """What a probe tells that time does not move."""
    module = catalog("probes").load(probe)
    fact = played.observe(probe, **OF_A_KIND.get(probe, {}))
    still = [column.name for column in module.PROBE.columns if not column.moves]
    return list(fact.rows(*still))


@pytest.mark.parametrize("probe", PROBES)
def test_every_probe_leaves_out_what_belongs_to_another_cluster(probe: str) -> None:
    alone = platform()
    alone.answers = two_clusters().answers
    for path, answer in alone.answers.items():
        if "items" in answer and "/namespaces/" in path:
            answer["items"] = [item for item in answer["items"] if "payments" not in item["metadata"]["name"]]
    assert seen(two_clusters(cluster=CLUSTER), probe) == seen(alone, probe)


@pytest.mark.parametrize(
    ("probe", "column"),
    [
        ("kubernetes_pod", "pod"),
        ("kubernetes_workload", "workload"),
        ("kubernetes_config_map", "config_map"),
        ("kubernetes_service", "service"),
        ("kubernetes_claim", "claim"),
        ("kubernetes_disruption_budget", "budget"),
        ("topic_declaration", "resource"),
    ],
)
def test_it_is_seen_where_no_cluster_is_named(probe: str, column: str) -> None:
    assert "payments-broker-91" in two_clusters().observe(probe).columns[column]


def test_without_a_name_whose_pods_they_are_is_not_known() -> None:
    [gap] = two_clusters().observe("kubernetes_pod", role="kafka").gaps
    assert gap.reason == (
        "pods of 2 Kafka clusters, orders, payments: name one by `cluster` of kubernetes in the inventory"
    )
    mixed = two_clusters().observe("kubernetes_pod", role="broker")
    assert set(mixed.columns["broker"]) == {None}
    assert set(mixed.columns["cluster"]) == {"orders", "payments"}
    assert two_clusters(cluster=CLUSTER).observe("kubernetes_pod", role="kafka").gaps == []
    assert (
        two_clusters(brokers=f"{LABEL}=orders,strimzi.io/broker-role=true")
        .observe("kubernetes_pod", role="broker")
        .gaps
        == []
    )


def test_what_belongs_to_no_kafka_cluster_stays() -> None:
    played = platform(cluster=CLUSTER)
    worker = deepcopy(played.items(PODS)[0])
    worker["metadata"] |= {"name": "copies-connect-0", "labels": {LABEL: "copies", "strimzi.io/kind": "KafkaConnect"}}
    played.items(PODS).append(worker)
    operator = deepcopy(played.items(DEPLOYMENTS)[0])
    operator["metadata"]["name"] = "strimzi-cluster-operator"
    played.items(DEPLOYMENTS).append(operator)
    assert played.row("kubernetes_pod", pod="copies-connect-0")["roles"] == []
    assert played.row("kubernetes_workload", workload="strimzi-cluster-operator")["kind"] == "Deployment"
    connectors = len(platform().observe("strimzi_connector"))
    assert len(two_clusters(cluster=CLUSTER).observe("strimzi_connector")) == connectors > 0


def test_pods_without_the_operators_label_are_nothing_to_a_cluster_that_is_named() -> None:
    played = platform(cluster=CLUSTER)
    other = deepcopy(played.items(PODS)[0])
    other["metadata"] |= {"name": "by-hand-0", "labels": {"app": "kafka"}}
    played.items(PODS).append(other)
    assert "by-hand-0" not in played.observe("kubernetes_pod", role="kafka").columns["pod"]


def test_a_name_that_no_pod_has_is_no_empty_answer() -> None:
    with pytest.raises(Misconfigured, match="is of the Kafka resource ordres, only of orders: correct `cluster`"):
        platform(cluster="ordres").observe("kubernetes_pod", role="broker")
