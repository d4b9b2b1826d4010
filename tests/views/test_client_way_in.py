from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.client_way_in import VIEW, compute


def entry(address: str = "kafka-1:9093", *, controllers: bool = False) -> dict[str, Any]:
    return {
        "broker": 1,
        "listener": "CLIENTS",
        "address": address,
        "for_controllers": controllers,
        "plain": False,
        "anonymous": True,
        "mechanisms": ["PLAIN"],
    }


def ways_in(says: dict[str, str | None], *entries: dict[str, Any]) -> list[dict[str, Any]]:
    config = Fact(
        "client_config",
        {
            "client": ["billing"] * len(says),
            "kind": ["producer"] * len(says),
            "setting": [*says],
            "value": [*says.values()],
        },
    )
    names = [*entry()]
    met = Fact("kafka_entry", {name: [entry[name] for entry in entries] for name in names})
    return list(tabulate("client_way_in", VIEW.columns, compute(config=config, entry=met)).rows())


SAYS: dict[str, str | None] = {
    "bootstrap.servers": "SASL_SSL://Kafka-1:9093, kafka-9:9093",
    "security.protocol": "sasl_ssl",
    "sasl.mechanism": "SCRAM-SHA-512",
}


def test_an_address_that_is_advertised_is_a_row_and_one_that_is_not_is_none() -> None:
    [row] = ways_in(SAYS, entry(), entry("kafka-2:9093"))
    assert row == {
        "client": "billing",
        "kind": "producer",
        "address": "Kafka-1:9093",
        "broker": 1,
        "listener": "CLIENTS",
        "encrypts": True,
        "logs_in": True,
        "mechanism": "SCRAM-SHA-512",
        "plain": False,
        "anonymous": True,
        "offered": ["PLAIN"],
    }


def test_controllers_are_no_way_in_for_clients() -> None:
    assert ways_in(SAYS, entry(controllers=True)) == []


def test_what_a_file_does_not_say_may_be_said_elsewhere() -> None:
    assert ways_in({"bootstrap.servers": "kafka-1:9093"}, entry()) == []
    assert ways_in({"security.protocol": "SSL"}, entry()) == []
    [row] = ways_in({"bootstrap.servers": "kafka-1:9093", "security.protocol": None}, entry())
    assert (row["encrypts"], row["logs_in"], row["mechanism"]) == (None, None, None)
    [row] = ways_in({"bootstrap.servers": "kafka-1:9093", "security.protocol": "PLAINTEXT"}, entry())
    assert (row["encrypts"], row["logs_in"]) == (False, False)
