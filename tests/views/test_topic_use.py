from typing import Any

import pytest
from msgspec.structs import replace

from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.topic_use import VIEW, compute
from support.kafka_facts import fact

_CONTENT = {"topic": "orders", "written": True, "records": 7, "newest": "2026-01-01T12:00:00.000Z", "disk_bytes": 9}


def row(commits: Fact) -> dict[str, Any]:
    content = Fact("topic_content", {name: [value] for name, value in _CONTENT.items()})
    [found] = tabulate("topic_use", VIEW.columns, compute(content=content, offset=commits)).rows()
    return found


def commits(*members: int | None, topic: str = "orders") -> Fact:
    rows = [
        {"group": f"g{number}", "topic": topic, "partition": 0, "members": count}
        for number, count in enumerate(members)
    ]
    return fact("kafka_group_offset", rows)


def test_a_group_with_members_reads_it():
    assert row(commits(0, 2)) == {**_CONTENT, "groups": ["g0", "g1"], "read": True}


@pytest.mark.parametrize("seen", [commits(), commits(0), commits(2, topic="payments")])
def test_without_members_nobody_does(seen: Fact):
    assert row(seen)["read"] is False


def test_where_groups_may_be_hidden_that_nobody_reads_it_is_unknown():
    assert row(commits(0, None))["read"] is None
    hidden = [Gap("groups may be hidden")]
    assert row(replace(commits(0), gaps=hidden))["read"] is None
    assert row(replace(commits(1), gaps=hidden))["read"] is True
