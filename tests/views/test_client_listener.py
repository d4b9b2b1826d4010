from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.client_listener import VIEW, compute

CONTROLLER = "CONTROLLER"


def listeners(*names: str, brokers_own: str = "INSIDE", internal: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    columns = {
        "broker": [1] * len(names),
        "listener": list(names),
        "protocol": ["PLAINTEXT"] * len(names),
        "host": ["kafka-1.example"] * len(names),
        "port": [9092 + i for i in range(len(names))],
        "between_brokers": [name == brokers_own for name in names],
        "for_controllers": [name == CONTROLLER for name in names],
    }
    seen = compute(listener=Fact("kafka_listener", columns), internal=internal)
    return list(tabulate("client_listener", VIEW.columns, seen).rows())


def named(rows: list[dict[str, Any]]) -> list[str]:
    return [row["listener"] for row in rows]


def test_clients_have_what_is_neither_brokers_nor_controllers():
    assert named(listeners("INSIDE", "CLIENTS", "MOBILE", CONTROLLER)) == ["CLIENTS", "MOBILE"]


def test_clients_without_a_listener_of_their_own_come_over_the_brokers():
    (row,) = listeners("INSIDE", CONTROLLER)
    assert row == {
        "broker": 1,
        "listener": "INSIDE",
        "protocol": "PLAINTEXT",
        "host": "kafka-1.example",
        "port": 9092,
        "between_brokers": True,
    }


def test_a_listener_that_only_the_platform_can_reach_is_none_for_clients():
    assert named(listeners("INSIDE", "ADMIN", internal=("ADMIN",))) == ["INSIDE"]
    assert named(listeners("INSIDE", "CLIENTS", internal=("INSIDE",))) == ["CLIENTS"]
    assert named(listeners("INSIDE", CONTROLLER, internal=("INSIDE",))) == []
