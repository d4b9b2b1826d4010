from typing import Any

from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.right_missing import VIEW, compute

NAMES = ("principal", "host", "operation", "permission", "resource_type", "resource", "pattern")
RIGHT = "User:a Write Topic orders"
OPEN = "allow.everyone.if.no.acl.found"


def acls(*bindings: tuple[str, str, str, str], gaps: list[Gap] | None = None) -> Fact:
    rows = [(who, "*", what, permission, "Topic", topic, "Literal") for who, what, permission, topic in bindings]
    return Fact("kafka_acl", {name: [row[i] for row in rows] for i, name in enumerate(NAMES)}, gaps=gaps or [])


def settings(*values: tuple[str, str | None]) -> Fact:
    columns: dict[str, list[Any]] = {
        "broker": [1] * len(values),
        "setting": [name for name, _ in values],
        "value": [value for _, value in values],
    }
    return Fact("kafka_broker_setting", columns)


CLOSED = settings(("node.id", "1"))


def missing(acl: Fact, setting: Fact = CLOSED, right: str = RIGHT) -> Any:
    [row] = tabulate("right_missing", VIEW.columns, compute(acl=acl, setting=setting, rights=[right])).rows()
    return row["missing"]


def test_what_an_acl_gives_or_denies_is_not_missing() -> None:
    assert missing(acls(("User:a", "Write", "Allow", "orders"))) is False
    assert missing(acls(("User:a", "Write", "Deny", "orders"))) is False


def test_what_no_acl_gives_is_missing_where_the_resource_has_any() -> None:
    open_ = settings((OPEN, "true"))
    assert missing(acls(("User:a", "Read", "Allow", "orders")), open_)
    assert missing(acls(("User:b", "Write", "Allow", "orders")), open_)


def test_a_resource_without_any_may_be_open_by_that() -> None:
    other = acls(("User:a", "Write", "Allow", "other"))
    assert missing(other)
    assert missing(other, settings((OPEN, "false")))
    assert missing(other, settings((OPEN, "true"))) is False
    assert missing(other, settings((OPEN, None))) is None
    assert missing(other, settings()) is None


def test_what_is_not_told_or_not_understood_is_not_known() -> None:
    assert missing(acls(("User:a", "Read", "Allow", "orders"), gaps=[Gap("broker 2 did not answer")])) is None
    assert missing(acls(), right="a writes to orders") is None
