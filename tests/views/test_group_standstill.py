from typing import Any

import pytest

from runbook.model.fact import Fact
from runbook.views.group_standstill import GroupStandstill, compute

_NAMES = ("group", "topic", "partition", "progress", "owner", "behind_least")

TOPICS = Fact("kafka_topic", {"name": ["orders"], "compression_type": ["zstd"]})


def standstill(*rows: tuple[Any, ...]) -> Any:
    """The rows for (progress, owner, age) of partitions of one topic, by number."""
    whole = [("billing", "orders", number, *row) for number, row in enumerate(rows)]
    [found] = compute(
        progress=Fact("group_progress", {name: [row[i] for row in whole] for i, name in enumerate(_NAMES)}),
        topic=TOPICS,
    ).rows
    return found


def test_a_group_that_is_stuck_in_two_partitions_is_stuck_in_several():
    assert standstill(("stuck", "a", 40.0), ("stuck", "b", 70.0), ("keeps up", "c", 0.0)) == GroupStandstill(
        group="billing",
        topic="orders",
        partitions=3,
        stuck=2,
        several=True,
        codec="zstd",
        owners=["a", "b"],
        behind_least=70.0,
    )


def test_one_that_is_stuck_in_one_partition_only_is_not():
    assert standstill(("stuck", "a", 40.0), ("keeps up", "a", 0.0)).several is False
    assert standstill(("stuck", "a", 40.0), ("keeps up", "a", 0.0)).stuck == 1
    assert standstill(("stuck", "a", 40.0)).several is False


@pytest.mark.parametrize(
    "unknown",
    [(None, "a", 40.0), (None, None, None), ("no commit seen", "a", 40.0), ("stuck or held", "a", 40.0)],
)
def test_where_a_partition_is_not_known_that_several_stand_is_not_known(unknown: tuple[Any, ...]):
    found = standstill(("stuck", "a", 40.0), unknown)
    assert (found.several, found.stuck, found.owners, found.behind_least) == (None, None, None, None)
    assert standstill(("stuck", "a", 40.0), ("keeps up", "a", 0.0), unknown).several is None
    assert standstill(unknown, ("keeps up", "a", 0.0), unknown).several is None
    assert standstill(unknown, ("keeps up", "a", 0.0)).several is False
    found = standstill(("stuck", "a", 40.0), ("stuck", "b", 70.0), unknown)
    assert (found.several, found.stuck, found.owners) == (True, 2, ["a", "b"])


def test_groups_and_topics_are_told_apart():
    rows = [("billing", "orders", 0, "stuck", "a", 1.0), ("shop", "orders", 1, "stuck", "b", 1.0)]
    rows += [("billing", "clicks", 0, "keeps up", "a", 0.0)]
    fact = Fact("group_progress", {name: [row[i] for row in rows] for i, name in enumerate(_NAMES)})
    assert [(row.group, row.topic, row.stuck) for row in compute(progress=fact, topic=TOPICS).rows] == [
        ("billing", "orders", 1),
        ("shop", "orders", 1),
        ("billing", "clicks", 0),
    ]
    assert [row.codec for row in compute(progress=fact, topic=TOPICS).rows] == ["zstd", "zstd", None]
