from typing import Any

from runbook.views import acl_of_user
from support.mirror_facts import HIDDEN, fact_of, seen

_ACL = {"host": "*", "permission": "Allow", "resource_type": "Topic", "resource": "orders", "pattern": "Literal"}
ROWS = [
    {"principal": "User:shop", "operation": "Read"} | _ACL,
    {"principal": "User:shop-2", "operation": "Write"} | _ACL,
]


def operations(user: str, *rows: dict[str, Any], gaps: Any = ()) -> list[str]:
    return [row["operation"] for row in seen(acl_of_user, acl=fact_of("kafka_acl", rows, gaps), user=user)]


def test_only_those_of_the_user_are_there() -> None:
    assert operations("shop", *ROWS) == ["Read"]


def test_that_it_has_none_is_said_only_where_all_are_seen() -> None:
    assert operations("till", *ROWS) == [""]
    assert operations("till") == [""]
    assert operations("till", *ROWS, gaps=HIDDEN) == []
