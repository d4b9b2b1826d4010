import pytest

from runbook.model.fact import Fact
from runbook.views.topic_writer import compute

NAMES = ("principal", "host", "operation", "permission", "resource_type", "resource", "pattern")
TOPICS = Fact("kafka_topic", {"name": ["orders.dlq", "orders"]})
CLOSED = Fact("broker_authorization", {"open_by_default": [False, False]})
Rule = tuple[str, str, str, str, str, str, str]


def acls(*rules: Rule) -> Fact:
    return Fact("kafka_acl", {name: [rule[i] for rule in rules] for i, name in enumerate(NAMES)})


def allow(principal: str, resource: str, pattern: str = "Literal", operation: str = "Write", host: str = "*") -> Rule:
    return (principal, host, operation, "Allow", "Topic", resource, pattern)


def deny(principal: str, resource: str, host: str = "*") -> Rule:
    return (principal, host, "Write", "Deny", "Topic", resource, "Literal")


@pytest.mark.parametrize(
    ("rules", "writers"),
    [
        ([allow("User:a", "orders.dlq")], ["User:a"]),
        ([allow("User:a", "orders", "Prefixed")], ["User:a"]),
        ([allow("User:a", "*")], ["User:a"]),
        ([allow("User:a", "*", operation="All")], ["User:a"]),
        ([allow("User:a", "orders.dlq", host="10.0.0.1")], ["User:a"]),
        ([allow("User:a", "orders")], []),
        ([allow("User:a", "orders.dlq", operation="Read")], []),
        ([allow("User:a", "*"), deny("User:a", "orders.dlq")], []),
        ([allow("User:a", "*"), deny("User:a", "orders.dlq", host="10.0.0.1")], ["User:a"]),
        ([allow("User:a", "*"), deny("User:*", "*")], []),
        ([("User:a", "*", "Write", "Allow", "Group", "*", "Literal")], []),
        ([], []),
    ],
)
def test_who_may_write_is_who_is_allowed_and_not_denied(rules: list[Rule], writers: list[str]):
    [row] = compute(topic=TOPICS, acl=acls(*rules), authorization=CLOSED, topics=["*.dlq"]).rows
    assert (row.topic, row.writers) == ("orders.dlq", writers)


@pytest.mark.parametrize(
    ("rules", "by_broker", "is_open"),
    [
        ([], [True, True], True),
        ([], [True, False], False),
        ([], [True, None], None),
        ([], [], False),
        ([allow("User:a", "orders", operation="Read")], [True], True),
        ([allow("User:a", "orders.dlq", operation="Read")], [True], False),
        ([deny("User:a", "*")], [None], False),
        ([allow("User:a", "o", "Prefixed", operation="Read")], [None], False),
    ],
)
def test_what_no_acl_names_is_open_where_all_brokers_say_so(
    rules: list[Rule], by_broker: list[bool | None], *, is_open: bool | None
):
    authorization = Fact("broker_authorization", {"open_by_default": by_broker})
    [row] = compute(topic=TOPICS, acl=acls(*rules), authorization=authorization, topics=["*.dlq"]).rows
    assert row.open is is_open


def test_a_topic_that_is_named_in_full_and_not_there_is_a_row_too():
    asked = ["*.dlq", "shop.dlq", "orders", "shop.dlq"]
    rows = compute(topic=TOPICS, acl=acls(allow("User:a", "shop", "Prefixed")), authorization=CLOSED, topics=asked).rows
    assert [(row.topic, row.writers) for row in rows] == [("orders.dlq", []), ("orders", []), ("shop.dlq", ["User:a"])]
