from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.zookeeper_use import VIEW, compute


def use(clients: list[str], brokers: dict[int, str], **given: Any) -> dict[str, dict[str, Any]]:
    client = Fact("zookeeper_client", {"host": clients})
    broker = Fact("kafka_broker", {"broker": list(brokers), "host": list(brokers.values())})
    return {
        row["host"]: row for row in tabulate("x", VIEW.columns, compute(client=client, broker=broker, **given)).rows()
    }


def test_a_brokers_address_is_kafkas_and_another_is_not():
    rows = use(["10.0.0.1", "10.0.0.2", "10.0.0.1"], {1: "10.0.0.1"})
    assert (rows["10.0.0.1"]["kafka"], rows["10.0.0.1"]["sessions"], rows["10.0.0.1"]["brokers"]) == (True, 2, [1])
    assert rows["10.0.0.2"]["kafka"] is False


def test_brokers_that_advertise_names_prove_nothing():
    rows = use(["10.0.0.1", "10.0.0.9"], {1: "kafka-1.example", 2: "kafka-2.example"})
    assert [row["kafka"] for row in rows.values()] == [None, None]


def test_addresses_that_are_known_settle_it():
    rows = use(["10.0.0.1", "10.0.0.9"], {1: "kafka-1.example"}, known=["10.0.0.1"])
    assert (rows["10.0.0.1"]["kafka"], rows["10.0.0.9"]["kafka"]) == (True, False)


def test_without_sessions_there_is_nothing_to_say():
    assert use([], {1: "10.0.0.1"}) == {}
