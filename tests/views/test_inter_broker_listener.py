from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.inter_broker_listener import VIEW, compute


def listener(**settings: str | None) -> dict[str, Any]:
    named = {name.replace("_", "."): value for name, value in settings.items()}
    columns = {"broker": [1] * len(named), "setting": list(named), "value": list(named.values())}
    fact = Fact("kafka_broker_setting", columns)
    return next(tabulate("inter_broker_listener", VIEW.columns, compute(setting=fact)).rows())


def test_a_listener_of_its_own_leaves_others_to_clients():
    row = listener(
        inter_broker_listener_name="REPLICATION",
        advertised_listeners="CLIENTS://kafka-1.example:9092,REPLICATION://10.0.0.1:9093",
        controller_listener_names="CONTROLLER",
    )
    assert (row["listener"], row["address"], row["others"]) == ("REPLICATION", "10.0.0.1", ["CLIENTS"])


def test_controllers_are_no_clients():
    row = listener(
        inter_broker_listener_name="PLAINTEXT",
        advertised_listeners="",
        listeners="PLAINTEXT://h:1,CONTROLLER://h:2",
        controller_listener_names="CONTROLLER",
    )
    assert (row["address"], row["others"]) == ("h", [])


def test_without_a_name_the_protocol_names_it():
    row = listener(security_inter_broker_protocol="SSL", listeners="SSL://h:1,PLAINTEXT://h:2")
    assert (row["listener"], row["others"]) == ("SSL", ["PLAINTEXT"])


def test_hidden_settings_leave_it_unknown():
    assert listener(inter_broker_listener_name=None)["listener"] is None
    assert listener(inter_broker_listener_name="A", listeners=None)["others"] is None
