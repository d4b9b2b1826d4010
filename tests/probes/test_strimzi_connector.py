from typing import Any

import pytest

from support.strimzi_played import CONNECTORS, MIRRORS, platform


def test_a_connector_tells_what_it_does():
    row = platform().row("strimzi_connector", connector="warehouse")
    assert (row["resource"], row["connect"], row["plugin"]) == (
        "warehouse",
        "KafkaConnect connect",
        "io.example.WarehouseSink",
    )
    assert (row["state"], row["tasks"], row["restarts"], row["replication"]) == ("running", 4, True, -1)
    assert (row["errors_tolerated"], row["dead_letters"], row["errors_logged"]) == (
        True,
        "warehouse.dead-letters",
        False,
    )


@pytest.mark.parametrize(
    ("changed", "column", "expected"),
    [
        ({"state": "stopped"}, "state", "stopped"),
        ({"pause": True}, "state", "paused"),
        ({"autoRestart": {}}, "restarts", True),
        ({"autoRestart": {"enabled": False}}, "restarts", False),
        ({"config": {"errors.log.enable": True}}, "errors_logged", True),
        ({"config": {"errors.tolerance": "none"}}, "errors_tolerated", False),
    ],
)
def test_what_is_written_otherwise_is_told_otherwise(changed: dict[str, Any], column: str, expected: Any):
    played = platform()
    played.item(CONNECTORS, "warehouse")["spec"] |= changed
    assert played.row("strimzi_connector", connector="warehouse")[column] == expected


def test_one_that_says_nothing_of_restarts_is_not_restarted():
    played = platform()
    del played.item(CONNECTORS, "warehouse")["spec"]["autoRestart"]
    assert not played.row("strimzi_connector", connector="warehouse")["restarts"]


def test_a_mirror_is_a_connector_of_its_resource():
    row = platform().row("strimzi_connector", connector="paris->orders")
    assert (row["resource"], row["connect"]) == ("from-paris", "KafkaMirrorMaker2 from-paris")
    assert (row["plugin"], row["replication"], row["tasks"], row["restarts"]) == ("MirrorSourceConnector", 3, 4, True)


def test_as_v1beta2_writes_it_a_mirror_names_its_clusters():
    played = platform()
    mirror = {
        "sourceCluster": "paris",
        "targetCluster": "rome",
        "sourceConnector": {"config": {"replication.factor": "2"}},
    }
    played.item(MIRRORS, "from-paris")["spec"] = {"mirrors": [mirror]}
    row = played.row("strimzi_connector", connector="paris->rome")
    assert (row["replication"], row["restarts"]) == (2, False)


def test_a_mirror_that_sets_no_copies_gets_two_and_minus_one_is_the_brokers_default():
    for given, expected in (({}, 2), ({"replication.factor": -1}, -1)):
        played = platform()
        played.item(MIRRORS, "from-paris")["spec"]["mirrors"][0]["sourceConnector"]["config"] = given
        assert played.row("strimzi_connector", connector="paris->orders")["replication"] == expected


@pytest.mark.parametrize(
    ("own", "fewest"),
    [
        ({}, 3),
        ({"sourceConnector": {"config": {"offset-syncs.topic.replication.factor": 1}}}, 1),
        ({"checkpointConnector": {"config": {"checkpoints.topic.replication.factor": "2"}}}, 2),
        ({"heartbeatConnector": {"config": {"heartbeats.topic.replication.factor": 1}}}, 1),
        ({"sourceConnector": {"config": {"offset-syncs.topic.replication.factor": -1}}}, -1),
        ({"sourceConnector": {"config": {"offset-syncs.topic.replication.factor": -1}}, "checkpointConnector": {}}, 3),
    ],
)
def test_a_mirror_tells_of_the_topics_it_makes_for_itself(own: dict[str, Any], fewest: int):
    played = platform()
    played.item(MIRRORS, "from-paris")["spec"]["mirrors"][0] |= own
    assert played.row("strimzi_connector", connector="paris->orders")["inner_replication"] == fewest


@pytest.mark.parametrize(
    ("config", "fewest"),
    [
        ({}, -1),
        ({"topic.creation.default.replication.factor": -1}, -1),
        ({"topic.creation.default.replication.factor": "3", "topic.creation.logs.replication.factor": 1}, 1),
        ({"topic.creation.default.partitions": 1}, -1),
    ],
)
def test_a_connector_tells_with_how_many_copies_it_makes_topics(config: dict[str, Any], fewest: int):
    played = platform()
    played.item(CONNECTORS, "warehouse")["spec"]["config"] = config
    assert played.row("strimzi_connector", connector="warehouse")["created_replication"] == fewest


@pytest.mark.parametrize(
    ("config", "bare"),
    [
        ({"database.password": "changeit"}, ["database.password"]),
        ({"database.password": "${secrets:kafka/db:password}"}, []),
        ({"database.password": ""}, []),
        ({"database.user": "${secrets:kafka/db:user}"}, []),
        ({"database.url": "jdbc:oracle:thin:@db.example:1521/X"}, []),
        ({"connection.url": "postgresql://sink:changeit@db.example/x"}, ["connection.url"]),
        ({"key.converter": "org.apache.kafka.connect.json.JsonConverter"}, []),
    ],
)
def test_credentials_in_plain_text_are_named(config: dict[str, Any], bare: list[str]):
    played = platform()
    played.item(CONNECTORS, "warehouse")["spec"]["config"] = config
    assert played.row("strimzi_connector", connector="warehouse")["in_clear"] == bare


@pytest.mark.parametrize("ends", ["target", "source", "checkpointConnector"])
def test_a_mirror_holds_the_credentials_of_all_that_the_operator_merges_into_it(ends: str):
    played = platform()
    spec = played.item(MIRRORS, "from-paris")["spec"]
    holder = spec if ends == "target" else spec["mirrors"][0]
    holder[ends] = holder.get(ends, {}) | {"config": {"sasl.jaas.config": 'x required password="changeit";'}}
    assert played.row("strimzi_connector", connector="paris->orders")["in_clear"] == ["sasl.jaas.config"]


def test_a_mirror_without_connectors_is_none():
    played = platform()
    del played.item(MIRRORS, "from-paris")["spec"]["mirrors"][0]["sourceConnector"]
    assert [row for row in played.observe("strimzi_connector").rows() if row["connector"] == "paris->orders"] == []


def test_without_either_kind_the_question_has_no_meaning():
    played = platform()
    del played.answers[CONNECTORS], played.answers[MIRRORS]
    assert "kafkaconnectors" in played.observe("strimzi_connector").inapplicable
