import datetime as dt
from copy import deepcopy
from typing import Any

import pytest

from runbook.model.errors import Denied
from support.recorded_kubernetes import Played
from support.strimzi_played import CONNECTORS, KAFKAS, POOLS, REBALANCES, TOPICS, USERS, platform


def topic(played: Played) -> dict[str, Any]:
    return played.row("strimzi_status", kind="KafkaTopic", resource="orders")


def ago(minutes: float) -> str:
    return (dt.datetime.now(dt.UTC) - dt.timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")


def test_every_kind_is_told():
    fact = platform().observe("strimzi_status")
    assert fact.complete
    assert set(fact.columns["kind"]) == {
        *("Kafka", "KafkaBridge", "KafkaNodePool", "KafkaTopic", "KafkaUser"),
        *("KafkaConnect", "KafkaConnector", "KafkaMirrorMaker2", "KafkaRebalance"),
    }
    assert all(fact.columns["ready"])
    assert all(fact.columns["observed"])
    assert all(fact.columns["owned"])


def test_what_the_operator_says_is_told():
    played = platform()
    item = played.item(TOPICS, "orders")
    item["metadata"] |= {"generation": 5, "annotations": {"strimzi.io/pause-reconciliation": "true"}}
    item["status"]["conditions"] = [
        {"type": "Warning", "status": "True", "reason": "NotSupported"},
        {"type": "NotReady", "status": "True", "reason": "KafkaError", "message": "fewer partitions"},
    ]
    row = topic(played)
    assert (row["ready"], row["state"], row["reason"]) == (False, "NotReady", "KafkaError: fewer partitions")
    assert (row["warnings"], row["observed"], row["paused"], row["managed"]) == (["NotSupported"], False, True, True)


def test_nothing_said_is_not_ready():
    played = platform()
    del played.item(TOPICS, "orders")["status"]
    row = topic(played)
    assert (row["ready"], row["state"], row["observed"]) == (False, "", False)


@pytest.mark.parametrize(
    ("path", "kind", "name"), [(POOLS, "KafkaNodePool", "brokers"), (REBALANCES, "KafkaRebalance", "full")]
)
def test_pools_and_rebalances_are_ready_unless_they_failed(path: str, kind: str, name: str):
    played = platform()
    row = played.row("strimzi_status", kind=kind, resource=name)
    assert row["ready"]
    played = platform()
    played.item(path, name)["status"]["conditions"] = [{"type": "NotReady", "status": "True", "reason": "X"}]
    assert not played.row("strimzi_status", kind=kind, resource=name)["ready"]
    played = platform()
    del played.item(path, name)["status"]
    assert not played.row("strimzi_status", kind=kind, resource=name)["ready"]


def test_a_label_that_leads_nowhere_is_told():
    played = platform()
    played.item(TOPICS, "orders")["metadata"]["labels"] = {"strimzi.io/cluster": "order"}
    played.item(CONNECTORS, "warehouse")["metadata"]["labels"] = {"strimzi.io/cluster": "orders"}
    row = topic(played)
    assert (row["owner"], row["owned"]) == ("Kafka order", False)
    row = played.row("strimzi_status", kind="KafkaConnector")
    assert (row["owner"], row["owned"]) == ("KafkaConnect orders", False)


def test_where_a_namespace_has_no_cluster_at_all_it_may_be_in_another():
    played = platform()
    played.items(KAFKAS).clear()
    row = topic(played)
    assert (row["owner"], row["owned"]) == ("", True)


def test_the_age_is_that_of_the_description_not_of_the_status():
    played = platform()
    item = played.item(TOPICS, "orders")
    item["metadata"] |= {
        "creationTimestamp": ago(900),
        "managedFields": [
            {"time": ago(600), "fieldsV1": {"f:spec": {}}},
            {"time": ago(60), "fieldsV1": {"f:spec": {}}},
            {"time": ago(1), "fieldsV1": {"f:status": {}}},
        ],
    }
    assert topic(played)["age"] == pytest.approx(60, abs=1)
    played = platform()
    played.item(TOPICS, "orders")["metadata"]["creationTimestamp"] = ago(900)
    assert topic(played)["age"] == pytest.approx(900, abs=1)
    played = platform()
    del played.item(TOPICS, "orders")["metadata"]["creationTimestamp"]
    assert topic(played)["age"] is None


def test_a_topic_that_nobody_is_to_act_on_says_so():
    played = platform()
    played.item(TOPICS, "orders")["metadata"]["annotations"] = {"strimzi.io/managed": "false"}
    assert not topic(played)["managed"]


def test_kinds_that_are_not_installed_hide_no_others_and_refusals_do():
    played = platform()
    del played.answers[CONNECTORS]
    fact = played.observe("strimzi_status")
    assert fact.complete
    assert "KafkaConnector" not in fact.columns["kind"]
    played = platform()
    played.statuses[CONNECTORS] = 403
    with pytest.raises(Denied, match=r"list kafkaconnectors\.kafka\.strimzi\.io"):
        played.observe("strimzi_status")


def test_one_of_a_cluster_that_is_not_there_is_no_other_clusters():
    played = platform(cluster="orders")
    for path in (TOPICS, USERS):
        for item in played.items(path):
            item["metadata"]["labels"] = {"strimzi.io/cluster": "order"}
    another = deepcopy(played.item(KAFKAS, "orders"))
    another["metadata"]["name"] = "payments"
    played.items(KAFKAS).append(another)
    played.item(TOPICS, "clicks")["metadata"]["labels"] = {"strimzi.io/cluster": "payments"}
    rows = [row for row in played.observe("strimzi_status").rows() if not row["owned"]]
    assert {(row["kind"], row["resource"]) for row in rows} == {
        *(("KafkaTopic", "orders"), ("KafkaUser", "billing"), ("KafkaUser", "monitoring"))
    }


@pytest.mark.parametrize("word", ["true", "True", "false", "yes"])
def test_operators_read_whether_it_is_paused_in_whatever_case(word: str):
    played = platform()
    played.item(TOPICS, "orders")["metadata"]["annotations"] = {"strimzi.io/pause-reconciliation": word}
    assert topic(played)["paused"] is (word.lower() == "true")
