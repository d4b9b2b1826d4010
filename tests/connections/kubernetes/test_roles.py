import pytest

from runbook.answers.kubernetes.labels import parse_selector
from runbook.connections.kubernetes.roles import Roles

STRIMZI = {"strimzi.io/cluster": "orders", "strimzi.io/kind": "Kafka"}


@pytest.mark.parametrize(
    ("labels", "roles"),
    [
        ({**STRIMZI, "strimzi.io/broker-role": "true", "strimzi.io/controller-role": "false"}, ["broker"]),
        ({**STRIMZI, "strimzi.io/broker-role": "true", "strimzi.io/controller-role": "true"}, ["broker", "controller"]),
        (
            {**STRIMZI, "strimzi.io/component-type": "kafka", "strimzi.io/broker-role": "false"},
            [],
        ),
        ({**STRIMZI, "strimzi.io/component-type": "kafka"}, ["broker"]),
        ({**STRIMZI, "strimzi.io/component-type": "zookeeper"}, ["zookeeper"]),
        ({**STRIMZI, "strimzi.io/component-type": "entity-operator"}, []),
        ({"platform.confluent.io/type": "kafka"}, ["broker"]),
        ({"platform.confluent.io/type": "kraftcontroller"}, ["controller"]),
        ({"app.kubernetes.io/name": "kafka", "app.kubernetes.io/component": "controller-eligible"}, ["controller"]),
        ({"app": "kafka"}, ["broker"]),
        ({"app": "connect"}, []),
        ({}, []),
    ],
)
def test_the_known_ways_to_deploy_are_recognized(labels: dict[str, str], roles: list[str]):
    assert Roles({}).of(labels) == roles


def test_the_inventorys_selector_wins_over_known_labels():
    roles = Roles({"broker": parse_selector("component=kfk", "brokers")})
    assert roles.of({"app": "kafka"}) == []
    assert roles.of({"component": "kfk"}) == ["broker"]
    assert roles.given("broker")
    assert not roles.given("zookeeper")
