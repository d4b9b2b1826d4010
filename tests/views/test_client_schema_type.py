from typing import Any

import pytest

from runbook.model.errors import Misconfigured
from runbook.model.fact import Fact, tabulate
from runbook.views.client_schema_type import VIEW, compute


def fact(source: str, **columns: list[Any]) -> Fact:
    return Fact(source, columns)


CLIENT = fact("registry_client", client=["billing", "web"], format=["AVRO", "PROTOBUF"])
USE = fact(
    "subject_use",
    subject=["orders-value", "orders-key", "com.acme.Order", "orders-com.acme.Order"],
    topic=["orders", "orders", "", "orders"],
    part=["value", "key", "", ""],
)
LATEST = fact("schema_latest", subject=["orders-value", "orders-key"], type=["AVRO", "JSON"])


def seen(uses: list[str]) -> Fact:
    return tabulate("client_schema_type", VIEW.columns, compute(client=CLIENT, use=USE, latest=LATEST, uses=uses))


def test_each_subject_of_values_stands_beside_the_format_of_its_clients() -> None:
    rows = {row["subject"]: (row["client"], row["format"], row["type"]) for row in seen(["web=orders"]).rows()}
    assert rows == {
        "orders-value": ("web", "PROTOBUF", "AVRO"),
        "orders-com.acme.Order": ("web", "PROTOBUF", None),
    }


def test_only_clients_that_were_named_are_told() -> None:
    assert {row["client"] for row in seen(["billing=ord*"]).rows()} == {"billing"}
    assert len(seen(["billing=payments"])) == 0


def test_a_client_without_a_file_is_a_gap() -> None:
    assert [gap.keys for gap in seen(["ship=orders"]).gaps] == [{"client": "ship"}]


def test_an_entry_that_names_no_topic_is_said() -> None:
    with pytest.raises(Misconfigured, match="uses: 'billing' names no client and topic"):
        seen(["billing"])
