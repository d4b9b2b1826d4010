from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from runbook.model.fact import Fact, Gap
from runbook.views.planned_offset import PlannedOffset, compute

_NAMES = ("group", "topic", "partition", "committed")
_THERE = [("billing", "orders", 0, 120), ("billing", "orders", 1, 95), ("shop", "orders", 0, 7)]


def fact(rows: Sequence[tuple[Any, ...]] = _THERE) -> Fact:
    return Fact("kafka_group_offset", {name: [row[i] for row in rows] for i, name in enumerate(_NAMES)})


def test_each_line_is_beside_what_the_group_has_committed():
    assert compute(offset=fact(), group="billing", plan=["orders:0:100", " orders:1:95"]).rows == [
        PlannedOffset(line="orders:0:100", topic="orders", partition=0, planned=100, committed=120),
        PlannedOffset(line="orders:1:95", topic="orders", partition=1, planned=95, committed=95),
    ]


def test_where_the_group_has_committed_nothing_it_says_so_and_where_that_may_be_hidden_nothing():
    [row] = compute(offset=fact(), group="billing", plan=["orders:2:0"]).rows
    assert row.committed == -1
    hidden = replace(fact(), gaps=[Gap("commits of 3 groups are not known")])
    [row] = compute(offset=hidden, group="billing", plan=["orders:2:0"]).rows
    assert row.committed is None
    [row] = compute(offset=fact([("billing", "orders", 2, None)]), group="billing", plan=["orders:2:0"]).rows
    assert row.committed is None


@pytest.mark.parametrize(
    "line", ["orders", "orders:0", "orders:x:1", "orders:0:-1", ":0:1", "orders:0:1:2", "orders,0,1"]
)
def test_a_line_that_is_no_plans_is_not_known(line: str):
    [row] = compute(offset=fact(), group="billing", plan=[line]).rows
    assert row == PlannedOffset(line=line, topic=line, partition=None, planned=None, committed=None)


def test_without_a_plan_nothing_is_known_of_a_group():
    unknown = [PlannedOffset(line="", topic="", partition=None, planned=None, committed=None)]
    assert compute(offset=fact(), group="billing", plan=["", " "]).rows == unknown
    assert compute(offset=fact(), group="billing").rows == unknown


def test_without_a_group_nothing_is_said():
    assert compute(offset=fact()).rows == []
