from typing import Any

import pytest

from runbook.model.fact import Fact
from runbook.views.group_overlap import GroupOverlap, compute

_MEMBER = ("group", "partitions", "topics", "state", "type")
_LAG = ("group", "topic", "partition", "owner")


def fact(name: str, columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> Fact:
    return Fact(name, {column: [row[at] for row in rows] for at, column in enumerate(columns)})


def overlaps(members: list[tuple[Any, ...]], lags: list[tuple[Any, ...]], kind: str = "classic") -> list[GroupOverlap]:
    typed = [(*row, kind) for row in members]
    found = compute(member=fact("kafka_group_member", _MEMBER, typed), lag=fact("kafka_group_lag", _LAG, lags)).rows
    return [row for row in found if isinstance(row, GroupOverlap)]


THERE = [("billing", "orders", 0, "a"), ("billing", "orders", 1, "b"), ("billing", "orders", 2, "")]
ONE = ("billing", 1, ["orders"], "stable")


def test_each_partition_is_counted_once_and_as_often_as_members_have_it():
    [row] = overlaps([ONE, ("billing", 2, ["orders"], "stable")], THERE)
    assert row == GroupOverlap(
        group="billing", state="stable", type="classic", shared="", members=2, assigned=3, partitions=2
    )
    [row] = overlaps([ONE, ONE], THERE)
    assert (row.assigned, row.partitions) == (2, 2)


def test_tasks_of_streams_are_not_counted_as_partitions():
    """One that reads a topic of four and a topic of two has four tasks, and two of them only read the first."""
    there = [("words", topic, number, "x") for topic, count in (("a", 4), ("b", 2)) for number in range(count)]
    [row] = overlaps([("words", 8, ["a", "b"], "stable")], there, "streams")
    assert (row.type, row.assigned, row.partitions) == ("streams", 8, 6)


def test_members_of_a_share_group_may_have_partitions_in_common_and_the_row_says_so():
    [row] = overlaps([ONE, ONE], THERE[:1], "share")
    assert (row.type, row.shared) == ("share", "members of share groups share partitions by design")


def test_groups_are_told_apart():
    rows = overlaps([ONE, ("shop", 1, ["clicks"], "empty")], [*THERE[:1], ("shop", "clicks", 0, "c")])
    assert [(row.group, row.state, row.assigned, row.partitions) for row in rows] == [
        ("billing", "stable", 1, 1),
        ("shop", "empty", 1, 1),
    ]


@pytest.mark.parametrize(
    ("members", "lags"),
    [
        ([("billing", None, ["orders"], "stable")], THERE),
        ([("billing", 2, None, "stable")], THERE),
        ([("billing", 2, ["orders", "hidden"], "stable")], THERE),
        ([ONE], [("billing", "orders", 0, None)]),
        ([ONE], []),
    ],
)
def test_where_something_is_not_told_one_of_both_is_not_known(members: list[Any], lags: list[Any]):
    [row] = overlaps(members, lags)
    assert None in (row.assigned, row.partitions)


def test_a_member_without_partitions_needs_no_topic():
    [row] = overlaps([ONE, ("billing", 0, [], "stable")], THERE[:1])
    assert (row.members, row.assigned, row.partitions) == (2, 1, 1)
