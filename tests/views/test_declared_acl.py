from typing import Any

from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.declared_acl import VIEW, compute

NAMES = ("permission", "principal", "host", "operation", "resource_type", "resource", "pattern")
THERE = [
    ("Allow", "User:alice", "192.0.2.1", "Read", "Topic", "orders", "Literal"),
    ("Allow", "User:bob", "*", "Write", "Topic", "orders", "Literal"),
]
ALICE = "Allow User:alice 192.0.2.1 Read Topic orders Literal"
CAROL = "Allow User:carol * Read Group carol Prefixed"


def by_binding(*declared: str, gaps: list[Gap] | None = None) -> dict[str, tuple[Any, Any]]:
    acl = Fact("kafka_acl", {name: [binding[i] for binding in THERE] for i, name in enumerate(NAMES)}, gaps or [])
    rows = tabulate("declared_acl", VIEW.columns, compute(acl=acl, declared=list(declared))).rows()
    return {row["binding"]: (row["declared"], row["present"]) for row in rows}


def test_what_is_there_and_what_was_declared_are_told_apart():
    assert by_binding(ALICE, CAROL) == {
        ALICE: (True, True),
        CAROL: (True, False),
        "Allow User:bob * Write Topic orders Literal": (False, True),
    }


def test_one_that_was_declared_is_not_missing_where_kafka_does_not_tell_all():
    assert by_binding(CAROL, gaps=[Gap("refused")])[CAROL] == (True, None)
