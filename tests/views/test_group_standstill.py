from typing import Any

import pytest

from runbook.model.fact import Fact
from runbook.views.group_standstill import GroupStandstill, compute

_NAMES = ("group", "topic", "partition", "progress", "owner", "behind_least")


def standstill(*rows: tuple[Any, ...]) -> Any:
    """The rows for (progress, owner, age) of partitions of one topic, by number."""
    whole = [("billing", "orders", number, *row) for number, row in enumerate(rows)]
    [found] = compute(
        progress=Fact("group_progress", {name: [row[i] for row in whole] for i, name in enumerate(_NAMES)})
    ).rows
    return found


def test_a_group_that_is_stuck_in_all_partitions_is_so_everywhere():
    assert standstill(("stuck", "a", 40.0), ("stuck", "b", 70.0)) == GroupStandstill(
        group="billing",
        topic="orders",
        partitions=2,
        stuck=2,
        everywhere=True,
        owners=["a", "b"],
        behind_least=70.0,
    )


def test_one_that_moves_somewhere_is_not_nor_is_one_of_a_single_partition():
    assert standstill(("stuck", "a", 40.0), ("keeps up", "a", 0.0)).everywhere is False
    assert standstill(("stuck", "a", 40.0), ("keeps up", "a", 0.0)).stuck == 1
    assert standstill(("stuck", "a", 40.0)).everywhere is False


@pytest.mark.parametrize(
    "unknown",
    [(None, "a", 40.0), (None, None, None), ("no commit seen", "a", 40.0), ("stuck or held", "a", 40.0)],
)
def test_where_a_partition_is_not_known_that_all_stand_is_not_known(unknown: tuple[Any, ...]):
    found = standstill(("stuck", "a", 40.0), unknown)
    assert (found.everywhere, found.stuck, found.owners, found.behind_least) == (None, None, None, None)
    assert standstill(("keeps up", "a", 0.0), unknown).everywhere is False


def test_groups_and_topics_are_told_apart():
    rows = [("billing", "orders", 0, "stuck", "a", 1.0), ("shop", "orders", 1, "stuck", "b", 1.0)]
    rows += [("billing", "clicks", 0, "keeps up", "a", 0.0)]
    fact = Fact("group_progress", {name: [row[i] for row in rows] for i, name in enumerate(_NAMES)})
    assert [(row.group, row.topic, row.stuck) for row in compute(progress=fact).rows] == [
        ("billing", "orders", 1),
        ("shop", "orders", 1),
        ("billing", "clicks", 0),
    ]
