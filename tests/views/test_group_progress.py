from typing import Any

import pytest

from runbook.model.errors import Misconfigured
from runbook.model.fact import Fact
from runbook.views.group_progress import compute

WELL: dict[str, Any] = {
    "group": "billing",
    "topic": "orders",
    "partition": 3,
    "type": "classic",
    "state": "stable",
    "members": 2,
    "owner": "billing-1 (10.0.0.7)",
    "committed": 500,
    "committed_before": 500,
    "commits": True,
    "stable": 900,
    "end": 900,
    "end_before": 900,
    "lag": 400,
    "between": 5.0,
    "quiet": 400.0,
    "behind_least": 300.0,
    "behind_most": 310.0,
}
TOPIC: dict[str, Any] = {
    "name": "orders",
    "cleanup_policy": "delete",
    "retention_ms": 3_600_000,
    "retention_bytes": -1,
}


def fact(name: str, row: dict[str, Any]) -> Fact:
    return Fact(name, {column: [value] for column, value in row.items()})


def progress_of(row: dict[str, Any] | None = None, topic: dict[str, Any] | None = None, **given: Any) -> Any:
    [found] = compute(
        lag=fact("kafka_group_lag", WELL | (row or {})), topic=fact("kafka_topic", TOPIC | (topic or {})), **given
    ).rows
    return found


@pytest.mark.parametrize(
    ("row", "progress"),
    [
        ({}, "stuck"),
        ({"members": 0, "owner": ""}, "stopped"),
        ({"members": None}, None),
        ({"members": 0, "owner": "", "behind_least": None, "behind_most": None}, "stopped"),
        ({"stable": 500}, "held"),
        ({"stable": 501}, "held"),
        ({"stable": 499}, "stuck or held"),
        ({"stable": 502}, "stuck or held"),
        ({"stable": 502, "state": "preparing_rebalancing"}, "rebalancing"),
        ({"stable": 502, "state": None}, None),
        ({"stable": 501, "committed_before": 499, "end_before": 499}, "keeps up"),
        ({"stable": 700, "end_before": 600}, "stuck"),
        ({"stable": 700, "end_before": None}, None),
        ({"stable": 500, "end": 500, "end_before": 500, "lag": 3}, "stuck"),
        ({"stable": None}, None),
        ({"stable": None, "behind_most": 20.0, "behind_least": 10.0}, "keeps up"),
        ({"owner": ""}, "no longer read"),
        ({"owner": "", "committed_before": 400}, "catches up"),
        ({"owner": "", "committed_before": 490, "end_before": 800}, "falls behind"),
        ({"owner": "", "state": "preparing_rebalancing"}, "rebalancing"),
        ({"state": "preparing_rebalancing"}, "rebalancing"),
        ({"state": "completing_rebalancing"}, "rebalancing"),
        ({"state": "completing_rebalancing", "stable": 500}, "held"),
        ({"state": "completing_rebalancing", "committed": 800, "lag": 100}, "catches up"),
        ({"state": None}, None),
        ({"owner": "", "members": None}, None),
        ({"owner": None}, None),
        ({"committed_before": 400}, "catches up"),
        ({"committed_before": 400, "end_before": 850}, "catches up"),
        ({"committed_before": 400, "end_before": 849}, "holds its lag"),
        ({"committed_before": 450, "end_before": 801}, "holds its lag"),
        ({"committed_before": 450, "end_before": 800}, "falls behind"),
        ({"committed_before": 501}, "rewound"),
        ({"committed": 901, "committed_before": 901, "lag": 0}, "ahead of the log"),
        ({"committed": None, "committed_before": None, "commits": False, "lag": None}, "never committed"),
        ({"committed": None, "committed_before": None, "commits": None, "lag": None}, None),
        ({"committed": 900, "committed_before": 900, "lag": 0}, "nothing to read"),
        ({"committed": 899, "committed_before": 899, "lag": 1}, "nothing to read"),
        ({"committed": 898, "committed_before": 898, "lag": 2}, "stuck"),
        ({"committed": 900, "committed_before": 800, "end_before": 800, "lag": 0}, "keeps up"),
        ({"behind_least": 100.0, "behind_most": 120.0}, "keeps up"),
        ({"behind_least": 100.0, "behind_most": 121.0}, None),
        ({"behind_least": 120.0, "behind_most": 121.0}, None),
        ({"behind_least": None, "behind_most": None}, None),
        ({"behind_most": None}, "stuck"),
        ({"behind_least": 100.0, "behind_most": None}, None),
        ({"committed_before": None}, None),
        ({"end": None, "lag": None}, None),
        ({"end_before": None}, None),
    ],
)
def test_what_a_group_does_is_told_by_two_looks_and_the_age_of_what_it_is_to_read(
    row: dict[str, Any], progress: str | None
):
    assert progress_of(row).progress == progress


JUST_NOW = {"quiet": 2.0}


@pytest.mark.parametrize(
    ("row", "sure"),
    [
        ({}, False),
        ({"quiet": None}, False),
        ({"quiet": 119.9}, False),
        ({"quiet": 120.0}, True),
        ({"between": 119.9}, False),
        ({"between": 120.0}, True),
    ],
)
def test_one_that_was_not_seen_to_commit_is_stuck_only_where_that_is_no_chance(row: dict[str, Any], *, sure: bool):
    seen = progress_of(JUST_NOW | row)
    assert (seen.progress, seen.stands) == (("stuck", True) if sure else ("no commit seen", None))
    assert seen.untold.startswith("late, and no commit of its member was seen") is not sure


def test_one_that_commits_another_partition_and_not_this_one_is_stuck():
    assert several(WELL_READ | JUST_NOW, STANDS | JUST_NOW) == ["keeps up", "stuck"]
    assert several(WELL_READ | JUST_NOW | {"owner": "another"}, STANDS | JUST_NOW) == ["keeps up", "no commit seen"]


@pytest.mark.parametrize(
    ("row", "stands"),
    [
        ({}, True),
        ({"stable": 500}, True),
        ({"state": "preparing_rebalancing"}, True),
        ({"committed_before": 400}, False),
        ({"committed": None, "committed_before": None, "commits": False, "lag": None}, False),
        ({"behind_least": None, "behind_most": None}, None),
    ],
)
def test_that_it_stands_is_told_apart_from_why(row: dict[str, Any], *, stands: bool | None):
    seen = progress_of(row)
    assert (seen.stands, seen.untold == "") == (stands, stands is not None)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"committed_before": None}, "one of two looks found no committed offset"),
        ({"end_before": None}, "its committed offset, the end of the partition or its members"),
        ({"members": None}, "its committed offset, the end of the partition or its members"),
        ({"behind_least": None, "behind_most": None}, "it has something to read, and how long"),
        ({"owner": None}, "the group is rebalancing, or which member"),
    ],
)
def test_where_it_is_not_known_what_a_group_does_it_is_said_why_and_what_helps(row: dict[str, Any], *, why: str):
    seen = progress_of(row)
    assert (seen.progress, seen.stands) == (None, None)
    assert seen.untold.startswith(why)
    assert "check again" in seen.untold


def several(*rows: dict[str, Any]) -> list[Any]:
    full = [WELL | {"partition": number} | row for number, row in enumerate(rows)]
    lags = Fact("kafka_group_lag", {column: [row[column] for row in full] for column in WELL})
    return [row.progress for row in compute(lag=lags, topic=fact("kafka_topic", TOPIC)).rows]


MOVES = {"committed_before": 490, "end_before": 880}
STANDS = {"end_before": 880}
WELL_READ = {"committed_before": 400, "behind_least": 1.0, "behind_most": 2.0}


def test_a_member_that_takes_one_batch_after_the_other_is_judged_by_all_that_it_is_late_with():
    assert several(MOVES, STANDS) == ["falls behind"] * 2
    assert several({"committed_before": 460}, STANDS, STANDS) == ["holds its lag"] * 3
    assert several({"committed_before": 420}, STANDS, STANDS) == ["catches up"] * 3


def test_what_keeps_up_does_not_count_for_what_stands():
    assert several(WELL_READ, STANDS) == ["keeps up", "stuck"]


def test_what_another_member_reads_does_not_count():
    assert several(MOVES | {"owner": "another"}, STANDS) == ["falls behind", "stuck"]


COMMITTED_NOTHING = {"committed": None, "committed_before": None, "commits": False, "lag": None}


@pytest.mark.parametrize(
    ("row", "commits", "progress"),
    [
        ({"commits": True}, True, "stuck"),
        ({"commits": None, "committed": None, "lag": None}, None, None),
        (COMMITTED_NOTHING, False, "never committed"),
        (COMMITTED_NOTHING | {"stable": 500}, None, None),
        (COMMITTED_NOTHING | {"stable": 500, "end_before": 400}, False, "never committed"),
        (COMMITTED_NOTHING | {"stable": None}, None, None),
    ],
)
def test_a_group_that_an_open_transaction_may_hold_is_not_said_to_leave_out_its_commits(
    row: dict[str, Any], *, commits: bool | None, progress: str | None
):
    seen = progress_of(row)
    assert (seen.commits_what_it_reads, seen.progress) == (commits, progress)
    assert seen.untold.startswith("the group has committed nothing, and a transaction is open") is (
        seen.commits is False and commits is None and seen.stable is not None
    )


REBALANCES = COMMITTED_NOTHING | {"state": "preparing_rebalancing", "members": 2, "end_before": 850}


@pytest.mark.parametrize(
    ("row", "progress", "stands"),
    [
        (REBALANCES | {"quiet": 156.0}, "rebalancing", True),
        (REBALANCES | {"quiet": 119.0}, "never committed", None),
        (REBALANCES | {"quiet": None}, "never committed", None),
        (REBALANCES | {"quiet": 156.0, "state": "stable"}, "never committed", False),
        (REBALANCES | {"quiet": 156.0, "members": 0}, "never committed", False),
        (REBALANCES | {"quiet": 156.0, "end_before": 900}, "never committed", False),
    ],
)
def test_a_first_rebalance_that_does_not_end_stands(row: dict[str, Any], progress: str, *, stands: bool | None):
    seen = progress_of(row)
    assert (seen.progress, seen.stands) == (progress, stands)
    assert ("rebalances and has committed nothing yet" in seen.untold) is (stands is None)


def test_what_an_open_transaction_holds_does_not_count_for_what_its_member_reads():
    held = {"stable": 501, "end_before": 800}
    assert several(held, {"committed_before": 480}) == ["held", "catches up"]
    assert several({"end_before": 800}, {"committed_before": 480}) == ["falls behind"] * 2


def test_of_a_member_that_reads_elsewhere_it_is_not_known_whether_a_transaction_holds_it_here():
    assert several({"stable": 700}, {"committed_before": 480}) == [None, "catches up"]


@pytest.mark.parametrize("unknown", ["committed", "end_before", "behind_least", "lag"])
def test_where_it_is_not_known_whether_its_member_moves_nothing_is_said(unknown: str):
    assert several(STANDS, MOVES | {unknown: None})[0] is None


def test_who_assigns_partitions_by_hand_has_no_members_and_is_judged_by_what_moves():
    by_hand = {"members": 0, "owner": "", "state": "empty"}
    assert several(by_hand | MOVES | {"committed_before": 400}, by_hand | STANDS) == ["catches up", "stopped"]


def test_a_partition_that_nobody_has_is_stuck_where_others_of_its_topic_are_read():
    rows = [WELL | {"owner": ""}, WELL | {"partition": 4}]
    lags = Fact("kafka_group_lag", {column: [row[column] for row in rows] for column in WELL})
    assert [(row.progress, row.is_read) for row in compute(lag=lags, topic=fact("kafka_topic", TOPIC)).rows] == [
        ("stuck", True),
        ("stuck", True),
    ]


def test_parameters_move_the_bounds():
    assert progress_of(late=310).progress == "keeps up"
    assert progress_of({"quiet": 290.0}, late=295).progress == "no commit seen"
    assert progress_of(spare=400).progress == "nothing to read"
    assert progress_of({"committed_before": 450, "end_before": 801}, clear=1.5).progress == "falls behind"


def test_rates_and_when_it_has_read_all():
    row = progress_of({"committed_before": 400, "end_before": 850})
    assert (row.read_rate, row.write_rate, row.caught_up_in) == (20.0, 10.0, 40.0)
    assert progress_of({"committed_before": 450, "end_before": 800}).caught_up_in is None


@pytest.mark.parametrize(
    ("topic", "kept", "seconds"),
    [
        ({}, "by time", 3290.0),
        ({"retention_ms": 200_000}, "by time", 0.0),
        ({"retention_bytes": 5}, "by time and size", 3290.0),
        ({"retention_ms": -1, "retention_bytes": 5}, "by size", None),
        ({"retention_ms": -1}, "for ever", None),
        ({"cleanup_policy": "compact"}, "for ever", None),
        ({"cleanup_policy": "compact,delete"}, "by time", 3290.0),
        ({"cleanup_policy": None}, None, None),
        ({"retention_ms": None}, None, None),
        ({"name": "another"}, None, None),
    ],
)
def test_what_has_not_been_read_is_kept_for_so_long_at_least(topic: dict[str, Any], kept: str, seconds: float):
    row = progress_of(topic=topic)
    assert (row.kept, row.deleted_not_before) == (kept, seconds)


@pytest.mark.parametrize("row", [{"lag": 1}, {"lag": None}, {"behind_most": None}])
def test_nothing_is_said_of_deletion_where_nothing_is_to_be_read_or_no_age_is_known(row: dict[str, Any]):
    assert progress_of(row).deleted_not_before is None


@pytest.mark.parametrize(
    ("seldom", "progress"),
    [
        (["billing=600"], "keeps up"),  # what waits five minutes is not late by its own pace
        (["bill*=305"], None),
        (["bill*=299"], "stuck"),
        (["orders=600"], "stuck"),
        (["billing=10"], "stuck"),  # what is declared lets nobody off sooner than others
    ],
)
def test_a_group_that_commits_seldom_by_design_has_the_time_that_is_declared_for_it(seldom: list[str], progress: str):
    assert progress_of(seldom=seldom).progress == progress


def test_one_that_is_later_than_that_and_silent_for_less_may_only_commit_seldom():
    found = progress_of({"behind_least": 700.0, "behind_most": 710.0}, seldom=["billing=600"])
    assert (found.progress, found.stands) == ("no commit seen", None)
    assert progress_of({"behind_least": 700.0, "behind_most": 710.0, "quiet": 650.0}, seldom=["billing=600"]).stands


def test_what_is_no_pace_is_refused():
    with pytest.raises(Misconfigured, match="'billing' declares no seconds"):
        progress_of(seldom=["billing"])


def beside(**quiet: Any) -> Any:
    """What is said of a partition whose member has another one, in which the group has committed nothing."""
    other = WELL | {"partition": 4, "commits": False, "committed": None, "committed_before": None, "lag": None}
    other |= {"behind_least": None, "behind_most": None} | quiet
    rows = [WELL | {"committed": 510}, other]
    lag = Fact("kafka_group_lag", {column: [row[column] for row in rows] for column in WELL})
    return compute(lag=lag, topic=fact("kafka_topic", TOPIC)).rows[0]


def test_a_partition_that_was_never_committed_in_and_not_written_to_hides_nothing_of_its_member():
    assert beside().progress == "catches up"
    assert beside().untold == ""


def test_where_it_was_written_to_it_is_said_why_nothing_is_known_of_its_member():
    found = beside(end=930)
    assert (found.progress, found.stands) == (None, None)
    assert found.untold.startswith("its member has partitions in which it has committed nothing yet")


def test_groups_that_a_registry_left_behind_at_a_restart_are_not_judged() -> None:
    journal, gone = {"topic": "kafkasql-journal"}, {"members": 0, "owner": ""}

    def count(row: dict[str, Any]) -> int:
        lag, topic = fact("kafka_group_lag", WELL | row), fact("kafka_topic", TOPIC)
        return len(list(compute(lag=lag, topic=topic).rows))

    assert (count(journal | gone), count(journal), count(gone), count(journal | {"members": None})) == (0, 1, 1, 1)


def test_a_group_that_first_committed_between_two_looks_is_said_to_have_just_begun():
    found = progress_of({"committed_before": None, "behind_least": 2.8, "behind_most": 2.8})
    assert (found.progress, found.stands) == (None, None)
    assert found.untold.startswith("one of two looks found no committed offset")
    assert progress_of({"committed": None, "committed_before": None}).untold.startswith("its committed offset, the end")


@pytest.mark.parametrize(
    ("state", "quiet", "unowned", "progress"),
    [
        ("stable", 5.0, True, "stuck"),
        ("reconciling", 5.0, None, None),
        ("preparing_rebalancing", 5.0, None, None),
        ("reconciling", 400.0, True, "stuck"),
        (None, 400.0, None, None),
    ],
)
def test_a_partition_that_is_handed_over_is_not_unowned(
    *, state: str | None, quiet: float, unowned: bool | None, progress: str | None
) -> None:
    """ConsumerGroupDescribe names assigned partitions only, and none that waits to be given up (KIP-848)."""
    there = WELL | {"state": state, "quiet": quiet}
    rows = [there, there | {"partition": 4, "owner": ""}]
    lag = Fact("kafka_group_lag", {name: [row[name] for row in rows] for name in there})
    found: Any = compute(lag=lag, topic=fact("kafka_topic", TOPIC)).rows
    assert [row.unowned for row in found] == [False, unowned]
    assert [row.progress for row in found][1] == progress
