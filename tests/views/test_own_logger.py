from collections.abc import Mapping
from typing import Any

from runbook.model.fact import tabulate
from runbook.views.own_logger import VIEW, compute
from support.kafka_facts import fact


def levels(*rows: tuple[int, str, str]) -> dict[tuple[int, str], Mapping[str, Any]]:
    made = compute(logger=fact("kafka_logger", [{"broker": b, "logger": name, "level": at} for b, name, at in rows]))
    return {(row["broker"], row["logger"]): row for row in tabulate("own_logger", VIEW.columns, made).rows()}


def test_what_inherits_the_level_of_root_is_counted_beside_it() -> None:
    found = levels((1, "root", "TRACE"), (1, "kafka.a", "TRACE"), (1, "kafka.b", "TRACE"), (1, "kafka.c", "INFO"))
    assert {name: row["followers"] for name, row in found.items()} == {(1, "root"): 2, (1, "kafka.c"): 0}


def test_each_broker_has_a_root_of_its_own() -> None:
    found = levels((1, "root", "TRACE"), (2, "root", "INFO"), (2, "kafka.a", "TRACE"))
    assert found.keys() == {(1, "root"), (2, "root"), (2, "kafka.a")}


def test_where_root_was_not_seen_all_loggers_are_told() -> None:
    assert levels((1, "kafka.a", "TRACE"), (1, "kafka.b", "INFO")).keys() == {(1, "kafka.a"), (1, "kafka.b")}
