from typing import Any

import pytest

from support.strimzi_played import BRIDGES, CONNECTS, MIRRORS, platform


def test_a_group_of_workers_tells_where_its_state_is():
    row = platform().row("strimzi_connect", resource="connect")
    assert (row["kind"], row["version"], row["replicas"]) == ("KafkaConnect", "v1", 3)
    assert (row["bootstrap"], row["group"]) == ("orders-kafka-bootstrap:9093", "connect")
    assert row["topics"] == ["connect-offset", "connect-config", "connect-status"]
    assert (row["replication"], row["tls"], row["authentication"]) == (3, True, "tls")


def test_as_v1beta2_writes_it_the_group_is_in_config():
    played = platform()
    spec = played.item(CONNECTS, "connect")["spec"]
    for key in ("groupId", "configStorageTopic", "offsetStorageTopic", "statusStorageTopic", "tls", "authentication"):
        del spec[key]
    spec["config"] = {"group.id": "mine", "offset.storage.topic": "o", "config.storage.topic": "c"}
    row = played.row("strimzi_connect", resource="connect")
    assert (row["group"], row["topics"]) == ("mine", ["o", "c", "connect-cluster-status"])
    assert (row["tls"], row["authentication"]) == (False, "")
    spec["config"] = {}
    assert played.items(CONNECTS)[0]["spec"]["config"] == {}


@pytest.mark.parametrize(
    ("factors", "expected"),
    [({"offset": 1}, 1), ({"config": -1, "offset": -1, "status": -1}, -1), ({"status": "2"}, 2), ({}, 3)],
)
def test_the_fewest_replicas_are_told(factors: dict[str, Any], expected: int):
    played = platform()
    config = {f"{what}.storage.replication.factor": factor for what, factor in factors.items()}
    played.item(CONNECTS, "connect")["spec"]["config"] = config
    assert played.row("strimzi_connect", resource="connect")["replication"] == expected


def test_a_mirror_keeps_its_state_at_its_target():
    row = platform().row("strimzi_connect", resource="from-paris")
    assert (row["kind"], row["replicas"], row["group"]) == ("KafkaMirrorMaker2", 2, "from-paris")
    assert (row["bootstrap"], row["tls"]) == ("orders-kafka-bootstrap:9093", True)


def test_as_v1beta2_writes_it_the_target_is_one_of_the_clusters():
    played = platform()
    played.item(MIRRORS, "from-paris")["spec"] = {
        "connectCluster": "orders",
        "clusters": [
            {"alias": "paris", "bootstrapServers": "paris:9093", "tls": {}},
            {"alias": "orders", "bootstrapServers": "orders:9092", "config": {"offset.storage.replication.factor": 2}},
        ],
    }
    row = played.row("strimzi_connect", resource="from-paris")
    assert (row["bootstrap"], row["tls"], row["replication"], row["replicas"]) == ("orders:9092", False, 2, 3)
    assert (row["group"], row["topics"][0]) == ("mirrormaker2-cluster", "mirrormaker2-cluster-offsets")


def test_a_bridge_has_no_state_and_tells_how_it_is_reached():
    played = platform()
    row = played.row("strimzi_connect", resource="web")
    assert (row["kind"], row["replicas"], row["group"], row["topics"]) == ("KafkaBridge", 2, "", [])
    assert (row["http"], row["tls"], row["authentication"], row["metrics"]) == (
        "https",
        True,
        "tls",
        "strimziMetricsReporter",
    )
    assert (row["cpu_request"], row["memory_request"], row["memory_limit"]) == (1000, 2 << 30, 2 << 30)
    assert row["apart"] == ["kubernetes.io/hostname"]
    played = platform()
    del played.item(BRIDGES, "web")["spec"]["http"]["tls"]
    assert played.row("strimzi_connect", resource="web")["http"] == "http"


def test_one_kind_that_is_not_installed_does_not_hide_the_other():
    played = platform()
    del played.answers[CONNECTS], played.answers[BRIDGES]
    fact = played.observe("strimzi_connect")
    assert (fact.columns["resource"], fact.inapplicable) == (["from-paris"], "")
    del played.answers[MIRRORS]
    played = platform()
    del played.answers[CONNECTS], played.answers[MIRRORS], played.answers[BRIDGES]
    assert "kafkaconnects" in played.observe("strimzi_connect").inapplicable


@pytest.mark.parametrize(
    ("written", "reached"),
    [
        ("orders-kafka-bootstrap:9093", "orders-kafka-bootstrap.kafka"),
        ("orders-kafka-bootstrap.kafka.svc:9093", "orders-kafka-bootstrap.kafka"),
        ("orders-kafka-bootstrap.kafka.svc.cluster.local:9093", "orders-kafka-bootstrap.kafka"),
        ("orders-kafka-bootstrap.other:9093", "orders-kafka-bootstrap.other"),
        ("orders-kafka-bootstrap:9092", "orders-kafka-bootstrap.kafka"),
        ("a.example.com:9093, b:9093", "a.example.com:9093,b.kafka:9093"),
        ("b:9093,a.example.com:9093", "a.example.com:9093,b.kafka:9093"),
        ("b", "b.kafka"),
        ("[::1]:9092", "[::1]:9092"),
        ("10.0.0.7:9092", "10.0.0.7:9092"),
        ("", ""),
        ("b:9093,", "b.kafka:9093"),
    ],
)
def test_a_short_name_is_one_of_its_own_namespace(written: str, reached: str):
    played = platform()
    played.item(CONNECTS, "connect")["spec"]["bootstrapServers"] = written
    assert played.row("strimzi_connect", resource="connect")["reached"] == reached


def test_sources_that_mirrors_read_in_the_clear_are_told():
    assert platform().row("strimzi_connect", resource="from-paris")["sources_in_clear"] == []
    played = platform()
    del played.item(MIRRORS, "from-paris")["spec"]["mirrors"][0]["source"]["tls"]
    assert played.row("strimzi_connect", resource="from-paris")["sources_in_clear"] == ["paris.example:9094"]


def test_so_are_those_of_v1beta2_which_stand_among_clusters():
    played = platform()
    played.item(MIRRORS, "from-paris")["spec"] = {
        "connectCluster": "orders",
        "clusters": [
            {"alias": "paris", "bootstrapServers": "paris:9092"},
            {"alias": "orders", "bootstrapServers": "orders:9092"},
        ],
        "mirrors": [{"sourceCluster": "paris", "targetCluster": "orders"}],
    }
    assert played.row("strimzi_connect", resource="from-paris")["sources_in_clear"] == ["paris:9092"]


@pytest.mark.parametrize("kind", [BRIDGES, CONNECTS])
def test_an_empty_field_of_a_manifest_is_none(kind: str):
    played = platform()
    played.items(kind)[0]["spec"] |= {"tls": None, "authentication": None}
    name = played.items(kind)[0]["metadata"]["name"]
    row = played.row("strimzi_connect", resource=name)
    assert (row["tls"], row["authentication"]) == (False, "")


def test_a_bridge_is_one_where_none_says_how_many():
    played = platform()
    del played.items(BRIDGES)[0]["spec"]["replicas"]
    assert played.row("strimzi_connect", kind="KafkaBridge")["replicas"] == 1


@pytest.mark.parametrize(
    ("authentication", "expected"),
    [
        ({"type": "custom", "sasl": True, "config": {"sasl.mechanism": "AWS_MSK_IAM"}}, "custom"),
        ({"type": "custom", "config": {"ssl.keystore.location": "/mnt/own.p12"}}, "custom"),
        ({"type": "custom", "config": {"sasl.mechanism": "PLAIN"}}, ""),
    ],
)
def test_a_custom_login_is_one_if_it_says_who_it_is(authentication: dict[str, Any], expected: str):
    played = platform()
    played.item(CONNECTS, "connect")["spec"] |= {"tls": {}, "authentication": authentication}
    assert played.row("strimzi_connect", resource="connect")["authentication"] == expected


@pytest.mark.parametrize(
    ("source", "connector", "in_clear", "without_login"),
    [
        ({"config": {"security.protocol": "PLAINTEXT"}}, {}, ["paris:9093"], ["paris:9093"]),
        ({"tls": None, "config": {"security.protocol": "SASL_SSL"}}, {}, [], []),
        ({}, {"source.cluster.security.protocol": "SASL_PLAINTEXT"}, ["paris:9093"], []),
        ({}, {"source.cluster.bootstrap.servers": "lyon:9092", "source.cluster.security.protocol": "SSL"}, [], []),
    ],
)
def test_what_a_mirror_overrides_is_in_force(
    source: dict[str, Any], connector: dict[str, Any], in_clear: list[str], without_login: list[str]
):
    played = platform()
    login = {"type": "tls", "certificateAndKey": {"secretName": "a", "certificate": "b", "key": "c"}}
    end = {"alias": "paris", "bootstrapServers": "paris:9093", "tls": {}, "authentication": login}
    mirror = {"source": end | source, "sourceConnector": {"config": connector}}
    played.item(MIRRORS, "from-paris")["spec"]["mirrors"] = [mirror]
    row = played.row("strimzi_connect", resource="from-paris")
    assert (row["sources_in_clear"], row["sources_without_login"]) == (in_clear, without_login)


@pytest.mark.parametrize(
    ("bootstrap", "shared"), [("orders-kafka-bootstrap.kafka.svc:9092", ["connect-offset"]), ("paris:9092", [])]
)
def test_a_topic_that_another_group_of_the_cluster_names_too_is_shared(bootstrap: str, shared: list[str]):
    played = platform()
    target = played.item(MIRRORS, "from-paris")["spec"]["target"]
    target |= {"bootstrapServers": bootstrap, "offsetStorageTopic": "connect-offset"}
    rows = {row["resource"]: row["shared"] for row in played.observe("strimzi_connect").rows()}
    assert rows == {"connect": shared, "from-paris": shared, "web": []}


def test_resources_whose_cluster_is_not_written_share_nothing():
    played = platform()
    del played.item(CONNECTS, "connect")["spec"]["bootstrapServers"]
    target = played.item(MIRRORS, "from-paris")["spec"]["target"]
    del target["bootstrapServers"]
    target["offsetStorageTopic"] = "connect-offset"
    assert [row["shared"] for row in played.observe("strimzi_connect").rows()] == [[], [], []]
