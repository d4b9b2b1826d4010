"""How many members and partitions a group's rates ask for."""

from typing import Any

import pytest

from runbook.model.fact import Fact
from runbook.views.recommended_partition_count import RecommendedPartitionCount, compute
from support.kafka_facts import fact


def of(
    setting: str,
    *progress: str | None,
    members: int | None = 3,
    written: float = 100.0,
    read: float | None = 50.0,
    growth: float = 1.0,
) -> RecommendedPartitionCount:
    parts: list[dict[str, Any]] = [
        {"group": "g", "topic": "t", "partition": n, "progress": word, "write_rate": written, "read_rate": read}
        for n, word in enumerate(progress)
    ]
    observed = compute(
        progress=Fact("group_progress", {name: [part[name] for part in parts] for name in parts[0]}),
        lag=fact("kafka_group_lag", [{"group": "g", "topic": "t", "members": members}]),
        growth=growth,
    )
    [row] = [row for row in observed.rows if (row.setting, row.objective) == (setting, "latency")]  # type: ignore[attr-defined]
    assert isinstance(row, RecommendedPartitionCount)
    return row


BEHIND = ("falls behind",) * 3


def test_where_each_partition_has_a_member_more_of_them_are_needed() -> None:
    row = of("partitions", *BEHIND)
    assert (row.in_force, row.recommended) == ("3", "6")
    assert "order by key breaks" in row.warning
    assert of("partitions", *BEHIND, growth=1.5).recommended == "9"
    assert of("members", *BEHIND).change is False


def test_members_come_first_up_to_the_partitions() -> None:
    row = of("members", *BEHIND, members=1)
    assert (row.recommended, row.warning) == ("2", "")
    row = of("members", *BEHIND, members=2)
    assert (row.recommended, row.warning) == ("3", "4 would be needed: then add partitions")
    assert of("partitions", *BEHIND, members=2).change is False


def test_a_group_that_keeps_up_or_has_hot_partitions_needs_none() -> None:
    assert of("partitions", "keeps up", "keeps up").change is False
    row = of("partitions", "falls behind", "keeps up", "keeps up")
    assert row.change is False
    assert "hot keys" in row.inputs


def test_what_is_not_known_is_named() -> None:
    rows = [
        of("partitions", *BEHIND, read=None),
        of("partitions", None, *BEHIND),
        of("partitions", *BEHIND, read=0.0),
        of("members", *BEHIND, members=None),
    ]
    assert [(row.change, bool(row.lacking)) for row in rows] == [(None, True)] * 4


def test_a_group_without_members_has_no_row() -> None:
    with pytest.raises(ValueError, match="not enough values"):
        of("partitions", *BEHIND, members=0)
