from typing import Any

import pytest

from runbook.model.fact import Fact, tabulate
from runbook.views.acl_reach import VIEW, compute

NAMES = ("principal", "host", "operation", "permission", "resource_type", "resource", "pattern")


def reach(*bindings: str) -> dict[str, dict[str, Any]]:
    """Rows by principal; a binding is written `alice Allow Read Topic orders`, with `@host` and a prefix as `pay*`."""
    rows = []
    for binding in bindings:
        who, permission, operation, kind, name = binding.split()
        who, _, host = who.partition("@")
        prefixed = name.endswith("*") and name != "*"
        resource, pattern = (name.removesuffix("*"), "Prefixed") if prefixed else (name, "Literal")
        rows.append((f"User:{who}", host or "*", operation, permission, kind, resource, pattern))
    columns = {name: [row[i] for row in rows] for i, name in enumerate(NAMES)}
    table = tabulate("acl_reach", VIEW.columns, compute(acl=Fact("kafka_acl", columns)))
    return {row["principal"].removeprefix("User:"): row for row in table.rows()}


def test_a_principal_with_rights_on_one_topic_reaches_no_further():
    row = reach("a Allow Read Topic orders", "a Allow Read Group g")["a"]
    assert (row["everything_in"], row["cluster_rights"]) == ([], [])
    assert not row["reads_all"]
    assert not row["writes_all"]


def test_all_on_every_resource_of_a_type_is_everything_in_it():
    row = reach("root Allow All Topic *", "root Allow All Group *", "root Allow All Topic pay*")["root"]
    assert row["everything_in"] == ["Group", "Topic"]
    assert row["reads_all"]
    assert row["writes_all"]


def test_all_operations_one_by_one_come_to_all():
    each = ["Read", "Write", "Create", "Delete", "Alter", "AlterConfigs"]
    assert reach(*(f"a Allow {does} Topic *" for does in each))["a"]["everything_in"] == ["Topic"]
    assert reach(*(f"a Allow {does} Topic *" for does in each[1:]))["a"]["everything_in"] == []
    assert reach(*(f"a Allow {does} Topic pay*" for does in each))["a"]["everything_in"] == []
    assert reach(*(f"a@{does} Allow {does} Topic *" for does in each))["a"]["everything_in"] == []
    assert reach("a Allow Read TransactionalId *", "a Allow Write TransactionalId *")["a"]["everything_in"] == []


def test_who_reads_and_deletes_all_groups_does_not_configure_them():
    lag_tool = ["a Allow Read Group *", "a Allow Delete Group *"]
    assert reach(*lag_tool)["a"]["everything_in"] == []
    assert reach(*lag_tool, "a Allow AlterConfigs Group *")["a"]["everything_in"] == ["Group"]


def test_from_one_address_what_is_allowed_from_any_counts_too_but_for_what_is_denied_there():
    each = [f"a Allow {does} Topic *" for does in ("Read", "Write", "Create", "Delete", "Alter")]
    from_one = [*each, "a@10.0.0.1 Allow AlterConfigs Topic *"]
    assert reach(*from_one)["a"]["everything_in"] == ["Topic"]
    assert reach(*from_one, "a@10.0.0.1 Deny Read Topic *")["a"]["everything_in"] == []
    assert reach("a Allow All Topic *", "a@10.0.0.1 Deny Read Topic *")["a"]["everything_in"] == ["Topic"]


def test_rights_on_the_cluster_count_beyond_describing():
    found = reach(
        "a Allow Describe Cluster kafka-cluster",
        "a Allow IdempotentWrite Cluster kafka-cluster",
        "b Allow AlterConfigs Cluster kafka-cluster",
        "c Allow All Cluster kafka-cluster",
    )
    assert [found[name]["cluster_rights"] for name in "abc"] == [[], ["AlterConfigs"], ["All"]]
    assert found["c"]["everything_in"] == ["Cluster"]


@pytest.mark.parametrize(
    "denial",
    ["a Deny Read Topic orders", "a Deny All Topic orders", "* Deny Read Topic *", "a Deny Read Topic ord*"],
)
def test_a_denial_takes_back_what_it_covers(denial: str):
    row = reach("a Allow Read Topic orders", denial)["a"]
    assert row["void"] == ["Read on Topic orders"]


@pytest.mark.parametrize(
    "denial",
    [
        "a@10.0.0.1 Deny Read Topic orders",
        "a Deny Write Topic orders",
        "b Deny Read Topic orders",
        "a Deny Read Group orders",
        "a Deny Read Topic orders-eu",
        "a Deny Read Topic orders-*",
    ],
)
def test_a_denial_of_something_else_takes_nothing_back(denial: str):
    assert reach("a Allow Read Topic orders", denial)["a"]["void"] == []


def test_a_denial_of_some_does_not_void_a_right_to_all_but_one_of_all_does():
    assert reach("a Allow Read Topic *", "a Deny Read Topic secret")["a"]["reads_all"]
    assert reach("a Allow Read Topic *", "a Deny Read Topic s*")["a"]["void"] == []
    row = reach("a Allow Read Topic *", "a Deny Read Topic *")["a"]
    assert (row["reads_all"], row["void"]) == (False, ["Read on Topic *"])


def test_a_right_within_a_broader_one_of_the_same_principal_is_redundant():
    row = reach("a Allow All Topic pay*", "a Allow Read Topic pay-eu*", "a@10.0.0.1 Allow Write Topic payroll")["a"]
    assert row["redundant"] == ["Read on Topic pay-eu*", "Write on Topic payroll from 10.0.0.1"]
    assert reach("a Allow All Topic pay*", "b Allow Read Topic pay-eu*")["b"]["redundant"] == []
    assert reach("a Allow Read Topic pay", "a Allow Read Topic pay*")["a"]["redundant"] == ["Read on Topic pay"]


def test_who_is_only_denied_has_a_row_and_no_right():
    row = reach("a Deny All Topic *")["a"]
    assert (row["everything_in"], row["void"], row["redundant"]) == ([], [], [])
