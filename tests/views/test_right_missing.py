from typing import Any

from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.right_missing import VIEW, compute

NAMES = ("principal", "host", "operation", "permission", "resource_type", "resource", "pattern")
RIGHT = "User:a Write Topic orders"


def acls(*bindings: tuple[str, str, str, str], gaps: list[Gap] | None = None) -> Fact:
    rows = [(who, "*", what, permission, "Topic", topic, "Literal") for who, what, permission, topic in bindings]
    return Fact("kafka_acl", {name: [row[i] for row in rows] for i, name in enumerate(NAMES)}, gaps=gaps or [])


def brokers(*open_by_default: str) -> Fact:
    return Fact(
        "broker_authorization",
        {"open_by_default": [{"open": True, "closed": False}.get(one) for one in open_by_default]},
    )


CLOSED = brokers("closed", "closed")


def missing(acl: Fact, authorization: Fact = CLOSED, right: str = RIGHT) -> Any:
    observed = compute(acl=acl, authorization=authorization, rights=[right])
    [row] = tabulate("right_missing", VIEW.columns, observed).rows()
    return row["missing"]


def test_what_an_acl_gives_or_denies_is_not_missing() -> None:
    assert missing(acls(("User:a", "Write", "Allow", "orders"))) is False
    assert missing(acls(("User:a", "Write", "Deny", "orders"))) is False


def test_what_no_acl_gives_is_missing_where_the_resource_has_any() -> None:
    open_ = brokers("open", "open")
    assert missing(acls(("User:a", "Read", "Allow", "orders")), open_)
    assert missing(acls(("User:b", "Write", "Allow", "orders")), open_)


def test_a_resource_without_any_may_be_open_by_that() -> None:
    other = acls(("User:a", "Write", "Allow", "other"))
    assert missing(other)
    assert missing(other, brokers("open", "open")) is False
    assert missing(other, brokers("open", "hidden")) is None
    assert missing(other, brokers("open", "closed")) is None, "the broker that is asked decides"
    assert missing(other, brokers()) is None


def test_what_is_not_told_or_not_understood_is_not_known() -> None:
    assert missing(acls(("User:a", "Read", "Allow", "orders"), gaps=[Gap("broker 2 did not answer")])) is None
    assert missing(acls(), right="a writes to orders") is None
