from typing import Any

import pytest

from runbook.model.fact import Gap
from runbook.views.overridden_allow import compute
from support.kafka_facts import fact

ACL = {
    "principal": "User:billing",
    "host": "*",
    "operation": "Read",
    "permission": "Allow",
    "resource_type": "Topic",
    "resource": "orders",
    "pattern": "Literal",
}
DENY = ACL | {"principal": "User:*", "permission": "Deny"}


def overrides(deny: dict[str, Any], allow: dict[str, Any]) -> list[str]:
    [row] = compute(acl=fact("kafka_acl", [ACL | allow, DENY | deny])).rows
    return row.overrides


@pytest.mark.parametrize(
    ("deny", "allow"),
    [
        ({}, {}),
        ({"host": "10.0.0.7"}, {}),
        ({}, {"host": "10.0.0.7"}),
        ({"operation": "All"}, {}),
        ({}, {"operation": "All"}),
        ({"operation": "Describe"}, {}),  # which Read allows, too
        ({"resource": "*"}, {}),
        ({"resource": "ord", "pattern": "Prefixed"}, {}),
        ({}, {"resource": "ord", "pattern": "Prefixed"}),
        ({"resource": "orders.eu", "pattern": "Prefixed"}, {"resource": "ord", "pattern": "Prefixed"}),
        ({"resource": "*"}, {"resource": "ord", "pattern": "Prefixed"}),
    ],
)
def test_a_deny_that_matches_a_request_of_an_allow_overrides_it(deny: dict[str, Any], allow: dict[str, Any]):
    right = ACL | allow
    assert overrides(deny, allow) == [f"User:billing {right['operation']} Topic {right['resource']}"]


@pytest.mark.parametrize(
    ("deny", "allow"),
    [
        ({"operation": "Write"}, {}),
        ({}, {"operation": "Describe"}),  # a Deny of Read denies no Describe
        ({"resource": "payments"}, {}),
        ({"resource_type": "Group"}, {}),
        ({"host": "10.0.0.7"}, {"host": "10.0.0.8"}),
        ({"resource": "pay", "pattern": "Prefixed"}, {}),
        ({}, {"resource": "orders.eu", "pattern": "Prefixed"}),
    ],
)
def test_a_deny_of_something_else_overrides_nothing(deny: dict[str, Any], allow: dict[str, Any]):
    assert overrides(deny, allow) == []


def test_a_deny_for_one_user_is_left_out():
    assert compute(acl=fact("kafka_acl", [ACL, DENY | {"principal": "User:billing"}])).rows == []


def test_what_is_overridden_is_unknown_where_not_all_acls_are_seen():
    [row] = compute(acl=fact("kafka_acl", [DENY], Gap("some ACLs are hidden"))).rows
    assert row.overrides is None
