from typing import Any

import pytest

from runbook.model.fact import Gap
from runbook.views import acl_successor
from support.mirror_facts import HIDDEN, fact_of, seen

READ = {
    "host": "*",
    "operation": "Read",
    "permission": "Allow",
    "resource_type": "Topic",
    "resource": "orders",
    "pattern": "Literal",
}
OLD = READ | {"principal": "User:shop"}
NEW = READ | {"principal": "User:shop-2"}
ALSO = {"host": "192.0.2.1", "operation": "Write", "permission": "Deny", "resource_type": "Group", "resource": "o"}


def present(*acls: dict[str, Any], gaps: tuple[Gap, ...] = (), old: str = "shop", new: str = "shop-2") -> list[Any]:
    return [row["present"] for row in seen(acl_successor, acl=fact_of("kafka_acl", acls, gaps), old=old, new=new)]


def test_each_acl_of_the_one_is_looked_for_with_the_other() -> None:
    [row] = seen(acl_successor, acl=fact_of("kafka_acl", [OLD, NEW]), old="shop", new="shop-2")
    assert (row["binding"], row["principal"], row["present"]) == (
        "Allow Read Topic orders Literal from *",
        "User:shop-2",
        True,
    )
    assert present(OLD) == [False]


@pytest.mark.parametrize(("column", "value"), [*ALSO.items(), ("pattern", "Prefixed")])
def test_an_acl_that_differs_in_anything_is_another(column: str, value: str) -> None:
    assert present(OLD, NEW | {column: value}) == [False]


def test_what_is_not_told_may_be_the_one_that_is_missing() -> None:
    assert present(OLD, gaps=HIDDEN) == [None]
    assert present(OLD, NEW, gaps=HIDDEN) == [True]
    assert present(OLD, NEW | {"host": None}) == [None]
    assert present(OLD, NEW, READ | {"principal": None}) == [True, None]


@pytest.mark.parametrize(("old", "new"), [("shpo", "shop-2"), ("", "shop-2"), ("shop", "")])
def test_who_has_no_acl_or_was_not_named_is_not_known_rather_than_fine(old: str, new: str) -> None:
    assert present(OLD, NEW, old=old, new=new) == [None]
