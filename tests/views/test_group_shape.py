from typing import Any

from runbook.model.fact import Fact, Gap
from runbook.views.group_shape import GroupShape, compute


def members(
    *described: tuple[str, str | None, int | None], gaps: list[Gap] | None = None, topics: list[list[str]] | None = None
) -> Fact:
    columns: dict[str, list[Any]] = {
        "group": [group for group, _, _ in described],
        "member": [f"member-{number}" for number, _ in enumerate(described)],
        "instance": [instance for _, instance, _ in described],
        "partitions": [count for _, _, count in described],
        "topics": [*(topics or [None] * len(described))],
    }
    return Fact("kafka_group_member", columns, gaps=gaps or [])


def test_a_group_is_counted_and_others_are_left_out() -> None:
    there = members(("billing", "a", 3), ("billing", "a", 0), ("shop", "", 1), ("billing", "", 2))
    assert compute(member=there, groups=["billing"]).rows == [
        GroupShape(group="billing", members=3, working=2, instances=1, fewest=0, most=3, one_of_each=None)
    ]


def test_a_group_that_is_not_there_has_no_members() -> None:
    assert compute(member=members(), groups=["billing"]).rows == [
        GroupShape(group="billing", members=0, working=0, instances=0, fewest=0, most=0, one_of_each=False)
    ]


def test_of_a_group_whose_members_may_be_hidden_nothing_is_known() -> None:
    unknown = GroupShape(
        group="billing", members=None, working=None, instances=None, fewest=None, most=None, one_of_each=None
    )
    hidden = Gap("members of group billing are not known", {"group": "billing"})
    assert compute(member=members(("billing", "a", 1), gaps=[hidden]), groups=["billing"]).rows == [unknown]
    assert compute(member=members(gaps=[Gap("groups may be hidden")]), groups=["billing"]).rows == [unknown]
    other = Gap("members of group shop are not known", {"group": "shop"})
    assert compute(member=members(("billing", "a", 1), gaps=[other]), groups=["billing"]).rows[0].members == 1


def test_what_one_member_does_not_tell_is_not_counted() -> None:
    [row] = compute(member=members(("billing", None, 1), ("billing", "b", None)), groups=["billing"]).rows
    assert row == GroupShape(
        group="billing", members=2, working=None, instances=None, fewest=None, most=None, one_of_each=None
    )


def test_nothing_declared_nothing_shown() -> None:
    assert compute(member=members(("billing", "a", 1)), groups=[]).rows == []


def test_of_all_each_is_shown_that_has_members() -> None:
    there = members(("billing", "a", 3), ("shop", "", 1), ("billing", "a", 0))
    assert [(row.group, row.fewest, row.most) for row in compute(member=there).rows] == [
        ("billing", 0, 3),
        ("shop", 1, 1),
    ]


def one_of_each(counts: list[int], topics: list[list[str]]) -> bool | None:
    return compute(member=members(*(("billing", "", count) for count in counts), topics=topics)).rows[0].one_of_each


def test_each_topic_is_shared_out_for_itself_where_one_member_has_one_partition_of_all() -> None:
    assert one_of_each([2, 1, 0], [["orders", "refunds"], ["orders"], []])
    assert not one_of_each([2, 1, 0], [["orders"], ["orders"], []])
    assert not one_of_each([1, 1, 0], [["orders"], ["refunds"], []])
