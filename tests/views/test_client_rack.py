from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.client_rack import VIEW, compute
from support.placed_brokers import FOUR, brokers


def rows(
    settings: list[tuple[str, str, str | None]], racks: dict[int, str | None] | None = None
) -> list[dict[str, Any]]:
    config = Fact(
        "client_config",
        {
            "client": [client for client, _, _ in settings],
            "kind": ["consumer"] * len(settings),
            "setting": [setting for _, setting, _ in settings],
            "value": [value for _, _, value in settings],
            "file": ["consumer.properties"] * len(settings),
        },
    )
    observed = compute(config=config, broker=brokers(FOUR if racks is None else racks))
    return list(tabulate("client_rack", VIEW.columns, observed).rows())


def test_a_client_is_one_row_with_the_brokers_of_its_rack() -> None:
    [row] = rows([("billing", "group.id", "g"), ("billing", "client.rack", "east-1")])
    assert (row["rack"], row["brokers"], row["file"]) == ("east-1", [1], "consumer.properties")
    assert row["racks"] == ["east-1", "east-2", "west-1", "west-2"]


def test_a_client_that_names_no_rack_has_no_brokers_near() -> None:
    [row] = rows([("billing", "group.id", "g")])
    assert (row["rack"], row["brokers"], row["file"]) == ("", [], "")


def test_a_rack_is_compared_letter_by_letter() -> None:
    assert rows([("billing", "client.rack", "EAST-1")])[0]["brokers"] == []


def test_a_variable_and_a_broker_of_unknown_rack_leave_it_open() -> None:
    assert rows([("billing", "client.rack", None)])[0]["brokers"] is None
    assert rows([("billing", "client.rack", "east-9")], {1: "east-1", 2: None})[0]["brokers"] is None
    assert rows([("billing", "client.rack", "east-1")], {1: "east-1", 2: None})[0]["brokers"] == [1]
