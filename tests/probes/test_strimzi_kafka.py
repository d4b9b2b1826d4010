import copy
from typing import Any

import pytest

from runbook.model.errors import Denied
from runbook.model.gap_kind import GapKind
from support.strimzi_played import KAFKAS, POOLS, platform


def kafka(**changed: Any) -> dict[str, Any]:
    """The row of the cluster, parts of `spec.kafka` set."""
    played = platform()
    played.item(KAFKAS, "orders")["spec"]["kafka"] |= changed
    return played.row("strimzi_kafka", kafka="orders")


def test_a_cluster_tells_what_is_asked_of_it():
    row = kafka()
    assert (row["version"], row["source"]) == ("v1", "kafka.strimzi.io/v1")
    assert (row["kafka_version"], row["metadata_version"]) == ("4.2.0", "4.2-IV1")
    assert (row["brokers"], row["controllers"], row["why"]) == (12, 3, "")
    assert (row["default_replication"], row["min_insync"]) == (3, 2)
    assert (row["authorization"], row["super_users"]) == ("simple", ["User:CN=platform"])
    assert (row["quorum"], row["allows_unlisted"], row["namespace"]) == (3, False, "kafka")
    assert row["authentications"] == ["scram-sha-512", "tls"]
    assert (row["rack"], row["metrics"]) == ("label topology.kubernetes.io/zone", "jmxPrometheusExporter")
    assert (row["topic_operator"], row["user_operator"], row["cruise_control"]) == (True, True, True)
    assert (row["cluster_ca_days"], row["cluster_ca_renewal"]) == (365, 30)
    assert (row["own_authorities"], row["budget"], row["ignored"]) == ([], 1, [])


def test_each_setting_is_read_from_its_own_name():
    names = {
        "default_replication": "default.replication.factor",
        "min_insync": "min.insync.replicas",
        "offsets_replication": "offsets.topic.replication.factor",
        "transactions_replication": "transaction.state.log.replication.factor",
        "transactions_min_insync": "transaction.state.log.min.isr",
    }
    row = kafka(config={name: 11 + place for place, name in enumerate(names.values())})
    assert [row[column] for column in names] == [11, 12, 13, 14, 15]


def test_what_is_left_out_has_kafkas_default():
    row = kafka(config={})
    columns = ("default_replication", "min_insync", "offsets_replication", "transactions_replication")
    assert [row[column] for column in columns] == [1, 1, 3, 3]
    assert (row["transactions_min_insync"], row["unclean_election"]) == (2, False)


@pytest.mark.parametrize(
    ("written", "read"), [(True, True), ("true", True), ("TRUE", True), (False, False), ("no", False)]
)
def test_a_setting_may_be_a_text_or_not(written: Any, *, read: bool):
    assert kafka(config={"unclean.leader.election.enable": written})["unclean_election"] is read


def test_a_number_that_is_none_is_refused():
    played = platform()
    played.item(KAFKAS, "orders")["spec"]["kafka"]["config"] = {"min.insync.replicas": "three"}
    fact = played.observe("strimzi_kafka")
    assert (len(fact), [gap.kind for gap in fact.gaps]) == (0, [GapKind.GARBLED])
    assert "'three' as min.insync.replicas" in str(fact.gaps[0].reason)


@pytest.mark.parametrize(
    ("setting", "dropped"),
    [
        *(
            ("listeners", True),
            ("super.users", True),
            ("log.dirs", True),
            ("broker.rack", True),
            ("ssl.keystore.type", True),
        ),
        *(("ssl.cipher.suites", False), ("broker.session.timeout.ms", False), ("log.retention.hours", False)),
        *(("cruise.control.metrics.topic", True), ("cruise.control.metrics.topic.retention.ms", False)),
        *(("prometheus.metrics.reporter.allowlist", True), ("cordoned.log.dirs", True), ("LOG.dirs", True)),
        *(("listener.name.tls-9093.max.connections", False), ("listener.name.tls-9093.ssl.keystore.type", True)),
        *(("listener.name.other-9093.max.connections", True), ("listener.name.tls-9094.max.connections", True)),
        *(("controller.quorum.fetch.timeout.ms", False), ("controller.quorum.voters", True), ("num.io.threads", False)),
    ],
)
def test_settings_that_the_operator_drops_are_told(setting: str, *, dropped: bool):
    assert kafka(config={setting: "x"})["ignored"] == ([setting] if dropped else [])


@pytest.mark.parametrize(
    ("rack", "expected"),
    [
        ({"topologyKey": "zone"}, "label zone"),
        ({"type": "topology-label", "topologyKey": "zone"}, "label zone"),
        ({"type": "environment-variable", "envVarName": "ZONE"}, "variable ZONE"),
        ({}, ""),
    ],
)
def test_racks_come_from_labels_or_variables(rack: dict[str, Any], expected: str):
    assert kafka(rack=rack)["rack"] == expected


def test_authorities_and_the_budget_are_told_apart():
    played = platform()
    spec = played.item(KAFKAS, "orders")["spec"]
    spec["clusterCa"] = {"validityDays": 100, "renewalDays": 10}
    spec["clientsCa"] = {"validityDays": 200, "renewalDays": 20, "generateCertificateAuthority": False}
    spec["kafka"]["template"] = {"podDisruptionBudget": {"maxUnavailable": 0}}
    spec["entityOperator"] = {"userOperator": {}}
    del spec["cruiseControl"]
    row = played.row("strimzi_kafka", kafka="orders")
    assert (row["cluster_ca_days"], row["cluster_ca_renewal"]) == (100, 10)
    assert (row["clients_ca_days"], row["clients_ca_renewal"]) == (200, 20)
    assert (row["own_authorities"], row["budget"]) == (["clients"], 0)
    assert (row["topic_operator"], row["user_operator"], row["cruise_control"]) == (False, True, False)


def test_pools_of_another_cluster_do_not_count():
    played = platform()
    other = copy.deepcopy(played.item(POOLS, "brokers"))
    other["metadata"] |= {"name": "others", "labels": {"strimzi.io/cluster": "payments"}}
    played.items(POOLS).append(other)
    assert played.row("strimzi_kafka", kafka="orders")["brokers"] == 12


def test_pools_of_another_namespace_do_not_count():
    played = platform()
    played.item(POOLS, "brokers")["metadata"]["namespace"] = "elsewhere"
    assert played.row("strimzi_kafka", kafka="orders")["brokers"] == 0


def test_the_operator_puts_user_before_each_super_user():
    row = kafka(authorization={"type": "simple", "superUsers": ["ANONYMOUS", "User:CN=admin"]})
    assert row["super_users"] == ["User:ANONYMOUS", "User:User:CN=admin"]


def test_a_pool_of_both_roles_counts_twice():
    played = platform()
    played.item(POOLS, "brokers")["spec"]["roles"] = ["controller", "broker"]
    row = played.row("strimzi_kafka", kafka="orders")
    assert (row["brokers"], row["controllers"]) == (12, 15)


def test_before_there_were_pools_the_cluster_said_how_many():
    played = platform()
    played.items(POOLS).clear()
    played.item(KAFKAS, "orders")["spec"]["kafka"]["replicas"] = 5
    row = played.row("strimzi_kafka", kafka="orders")
    assert (row["brokers"], row["controllers"], row["quorum"]) == (5, 0, 0)


def test_before_kraft_the_quorum_was_that_of_zookeeper():
    played = platform()
    played.items(POOLS).clear()
    played.item(KAFKAS, "orders")["spec"]["kafka"]["replicas"] = 5
    played.item(KAFKAS, "orders")["spec"]["zookeeper"] = {"replicas": 3}
    row = played.row("strimzi_kafka", kafka="orders")
    assert (row["controllers"], row["quorum"]) == (0, 3)


def test_without_its_pools_nobody_knows_how_many_there_are_to_be():
    played = platform()
    played.items(POOLS).clear()
    row = played.row("strimzi_kafka", kafka="orders")
    assert (row["brokers"], row["controllers"]) == (None, None)
    assert "no KafkaNodePool of orders" in row["why"]


def test_pools_that_may_not_be_seen_are_not_their_absence():
    played = platform()
    played.statuses[POOLS] = 403
    with pytest.raises(Denied, match="list kafkanodepools"):
        played.observe("strimzi_kafka")


def test_without_strimzi_the_question_has_no_meaning():
    played = platform()
    del played.answers["/apis/kafka.strimzi.io"]
    assert "no resources of kafka.strimzi.io" in played.observe("strimzi_kafka").inapplicable


@pytest.mark.parametrize(("watched", "acts"), [("kafka", True), ("apps", False)])
def test_an_operator_that_watches_another_namespace_acts_on_nothing_beside_its_cluster(watched: str, *, acts: bool):
    played = platform()
    operator = {"watchedNamespace": watched}
    played.item(KAFKAS, "orders")["spec"]["entityOperator"] = {"topicOperator": operator, "userOperator": operator}
    row = played.row("strimzi_kafka", kafka="orders")
    assert (row["topic_operator"], row["user_operator"]) == (acts, acts)
