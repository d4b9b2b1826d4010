from typing import Any

import pytest

from support.strimzi_played import USERS, platform


def right(rule: dict[str, Any]) -> dict[str, Any]:
    """The row of a user's only rule."""
    played = platform()
    played.item(USERS, "billing")["spec"]["authorization"]["acls"] = [rule]
    return played.row("acl_declaration", user="billing", rule=1)


def test_rules_are_told_in_their_order():
    rows = [row for row in platform().observe("acl_declaration").rows() if row["user"] == "billing"]
    assert [(row["rule"], row["kind"], row["name"]) for row in rows] == [
        (1, "topic", "orders"),
        (2, "group", "billing"),
    ]
    assert [row["operations"] for row in rows] == [["Read", "Describe"], ["Read"]]
    assert {(row["type"], row["pattern"], row["every"], row["host"]) for row in rows} == {
        ("allow", "literal", False, "*")
    }


@pytest.mark.parametrize(
    ("resource", "every", "name"),
    [
        ({"type": "topic", "name": "*"}, True, "*"),
        ({"type": "topic", "name": "", "patternType": "prefix"}, True, ""),
        ({"type": "topic", "name": "a", "patternType": "prefix"}, False, "a"),
        ({"type": "topic", "name": "*", "patternType": "prefix"}, False, "*"),
        ({"type": "cluster", "patternType": "prefix"}, True, "*"),
        ({"type": "cluster"}, True, "*"),
        ({"type": "transactionalId", "name": "x"}, False, "x"),
    ],
)
def test_what_is_about_everything_says_so(resource: dict[str, Any], name: str, *, every: bool):
    row = right({"resource": resource, "operations": ["Describe"]})
    assert (row["every"], row["name"], row["kind"]) == (every, name, resource["type"])


def test_what_changes_something_is_told_apart():
    row = right({"resource": {"type": "topic", "name": "x"}, "operations": ["Read", "Write", "Describe", "Delete"]})
    assert row["changes"] == ["Write", "Delete"]


def test_one_operation_as_v1beta2_wrote_it_is_one():
    row = right({"resource": {"type": "topic", "name": "x"}, "operation": "All", "host": "10.0.0.1", "type": "deny"})
    assert (row["operations"], row["changes"]) == (["All"], ["All"])
    assert (row["type"], row["host"]) == ("deny", "10.0.0.1")


def test_without_its_definition_the_question_has_no_meaning():
    played = platform()
    del played.answers[USERS]
    assert "no kafkausers.kafka.strimzi.io" in played.observe("acl_declaration").inapplicable
