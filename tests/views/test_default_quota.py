from typing import Any

from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.default_quota import VIEW, compute


def defaults(*rows: tuple[str, float, bool, str]) -> dict[str, dict[str, Any]]:
    names = ("limit", "value", "default", "about")
    columns = {name: [row[i] for row in rows] for i, name in enumerate(names)}
    table = tabulate("default_quota", VIEW.columns, compute(quota=Fact("kafka_quota", columns)))
    return {row["limit"]: row for row in table.rows()}


def test_a_default_of_users_or_clients_limits_all():
    found = defaults(("producer_byte_rate", 5.0, True, "user"), ("consumer_byte_rate", 7.0, True, "user and client"))
    assert [found[name]["set"] for name in found] == [True, True, False]
    assert found["consumer_byte_rate"]["value"] == 7.0


def test_a_quota_of_one_client_limits_nobody_else():
    row = defaults(("producer_byte_rate", 5.0, False, "user"))["producer_byte_rate"]
    assert (row["set"], row["value"], row["others"]) == (False, 0.0, 1)


def test_without_any_quota_every_limit_is_told_to_be_missing():
    assert [row["set"] for row in defaults().values()] == [False, False, False]


def test_of_several_defaults_the_loosest_counts():
    found = defaults(("request_percentage", 50.0, True, "client"), ("request_percentage", 400.0, True, "user"))
    assert found["request_percentage"]["value"] == 400.0


def test_a_default_that_may_only_be_hidden_is_not_known_to_be_missing():
    columns: dict[str, list[Any]] = {name: [] for name in ("limit", "value", "default", "about")}
    fact = Fact("kafka_quota", columns, [Gap("we may not see quotas")])
    assert [(row.set, row.value) for row in compute(quota=fact).rows] == [(None, None)] * 3
