from typing import Any

import pytest

from runbook.views.broker_entry import compute
from support.kafka_facts import fact

PLAIN = {"broker": 1, "listener": "CLIENTS", "protocol": "PLAINTEXT", "for_controllers": False}
SECURE = PLAIN | {"listener": "SECURE", "protocol": "SASL_SSL"}


def entries(*rows: dict[str, Any]) -> list[tuple[int, list[str] | None, list[str] | None]]:
    return [
        (row.broker, row.encrypted, row.in_the_clear) for row in compute(listener=fact("kafka_listener", [*rows])).rows
    ]


def test_each_broker_has_a_row_of_its_own() -> None:
    assert entries(SECURE | {"broker": 2}, PLAIN, SECURE) == [(1, ["SECURE"], ["CLIENTS"]), (2, ["SECURE"], [])]


def test_tls_with_a_certificate_and_with_a_login_are_both_encrypted_and_a_login_alone_is_not() -> None:
    rows = (PLAIN | {"listener": protocol, "protocol": protocol} for protocol in ("SSL", "SASL_SSL", "SASL_PLAINTEXT"))
    assert entries(*rows) == [(1, ["SASL_SSL", "SSL"], ["SASL_PLAINTEXT"])]


def test_a_listener_that_the_map_lacks_is_not_encrypted() -> None:
    assert entries(PLAIN | {"protocol": ""}) == [(1, [], ["CLIENTS"])]


def test_what_is_for_controllers_lets_no_client_in() -> None:
    assert entries(PLAIN, SECURE | {"for_controllers": True}) == [(1, [], ["CLIENTS"])]


@pytest.mark.parametrize("column", ["protocol", "for_controllers"])
def test_what_one_listener_does_not_tell_leaves_its_broker_unknown(column: str) -> None:
    assert entries(SECURE, PLAIN | {column: None}, SECURE | {"broker": 2}) == [(1, None, None), (2, ["SECURE"], [])]
