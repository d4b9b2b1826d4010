from typing import Any

import pytest

from runbook.model.fact import Fact
from runbook.views.inner_channel import compute
from support.kafka_facts import fact

LISTENER = {"broker": 1, "host": "kafka-1", "port": 9092, "between_brokers": False, "for_controllers": False}
CLIENTS = LISTENER | {"listener": "CLIENTS", "protocol": "SASL_SSL"}
INNER = LISTENER | {"listener": "INNER", "protocol": "SSL", "port": 9093, "between_brokers": True}
CONTROLLER = LISTENER | {"listener": "CONTROLLER", "protocol": "SSL", "port": 9094, "for_controllers": True}
APART = {
    "controller.listener.names": "CONTROLLER,OTHER",
    "controller.quorum.voters": "101@c-1:9093,102@c-2:9093",
    "listener.security.protocol.map": "INNER:SSL,CONTROLLER:SASL_SSL,OTHER:PLAINTEXT",
}


def settings(**values: Any) -> Fact:
    pairs = {name.replace("_", "."): value for name, value in values.items()}
    return fact("kafka_broker_setting", [{"broker": 1, "setting": name, "value": pairs[name]} for name in pairs])


def channels(*listeners: dict[str, Any], told: dict[str, Any]) -> list[tuple[str, str | None, str]]:
    rows = compute(listener=fact("kafka_listener", listeners), setting=settings(**told)).rows
    return [(row.listener, row.protocol, row.address) for row in rows]


def test_listeners_for_clients_alone_are_left_out():
    assert channels(CLIENTS, INNER, CONTROLLER, told=APART) == [
        ("INNER", "SSL", "kafka-1:9093"),
        ("CONTROLLER", "SSL", "kafka-1:9094"),
    ]


def test_the_way_to_controllers_that_run_apart_is_one_too():
    [_, way] = channels(CLIENTS, INNER, told=APART)
    assert way == ("CONTROLLER", "SASL_SSL", "c-1:9093, c-2:9093")


@pytest.mark.parametrize(
    ("told", "way"),
    [
        (APART | {"listener.security.protocol.map": "INNER:SSL"}, ("CONTROLLER", "PLAINTEXT", "c-1:9093, c-2:9093")),
        (APART | {"listener.security.protocol.map": None}, ("CONTROLLER", None, "c-1:9093, c-2:9093")),
        (APART | {"controller.listener.names": None}, ("", None, "c-1:9093, c-2:9093")),
    ],
)
def test_a_name_without_a_protocol_is_plain_and_what_is_hidden_is_not_known(told: dict[str, Any], way: tuple[Any, ...]):
    assert channels(INNER, told=told)[1] == way


def test_in_zookeeper_mode_the_controller_may_have_its_own():
    plane = LISTENER | {"listener": "PLANE", "protocol": "PLAINTEXT", "port": 9095}
    told = {"control.plane.listener.name": "PLANE", "controller.listener.names": ""}
    assert channels(CLIENTS, INNER, plane, told=told)[1:] == [("PLANE", "PLAINTEXT", "kafka-1:9095")]
