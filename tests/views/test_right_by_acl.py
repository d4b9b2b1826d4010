from typing import Any

import pytest

from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.right_by_acl import VIEW, compute

NAMES = ("principal", "host", "operation", "permission", "resource_type", "resource", "pattern")
ACLS = [
    ("User:billing", "*", "Write", "Allow", "Topic", "orders", "Prefixed"),
    ("User:billing", "*", "Write", "Deny", "Topic", "orders-audit", "Literal"),
    ("User:billing", "192.0.2.1", "Read", "Allow", "Topic", "*", "Literal"),
    ("User:*", "*", "Read", "Allow", "Group", "open", "Literal"),
    ("User:CN=app, O=Lab", "*", "All", "Allow", "Topic", "app", "Literal"),
]


def judged(*rights: str, gaps: list[Gap] | None = None) -> list[dict[str, Any]]:
    acl = Fact("kafka_acl", {name: [acl[i] for acl in ACLS] for i, name in enumerate(NAMES)}, gaps or [])
    return list(tabulate("right_by_acl", VIEW.columns, compute(acl=acl, rights=list(rights))).rows())


@pytest.mark.parametrize(
    ("right", "given"),
    [
        ("User:billing Write Topic orders-eu", True),
        ("User:billing Describe Topic orders-eu", True),
        ("User:billing Write Topic orders-audit", False),
        ("User:billing Read Topic orders", False),
        ("User:billing Read Topic orders 192.0.2.1", True),
        ("User:billing Read Topic orders 192.0.2.2", False),
        ("User:billing Create Cluster kafka-cluster", False),
        ("User:anybody Read Group open", True),
        ("User:CN=app, O=Lab Delete Topic app", True),
        ("User:billing Write", None),
    ],
)
def test_a_right_is_given_as_kafka_would_give_it(right: str, given: Any):
    [row] = judged(right)
    assert row["given"] is given


def test_a_deny_that_is_seen_decides_and_all_else_waits_for_what_is_not_seen():
    rows = judged("User:billing Write Topic orders", "User:billing Write Topic orders-audit", gaps=[Gap("refused")])
    assert [(row["given"], row["denied"]) for row in rows] == [(None, None), (False, True)]


def test_acls_of_those_who_are_left_out_give_and_deny_nothing():
    acl = Fact("kafka_acl", {name: [acl[i] for acl in ACLS] for i, name in enumerate(NAMES)}, [])
    rights = ["User:anybody Read Group open", "User:billing Write Topic orders-audit"]
    [group, topic] = compute(acl=acl, rights=rights, without=["User:*"]).rows
    assert (group.given, topic.given, topic.denied) == (False, False, True)
    [group, topic] = compute(acl=acl, rights=rights, without=["User:billing"]).rows
    assert (group.given, topic.given, topic.denied) == (True, False, False)
