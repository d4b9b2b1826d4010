from collections.abc import Callable
from typing import Any

import pytest

from probes.groups_played import ARCHIVE, REFUNDS, Moving, member, topic_partition
from runbook.answers.kafka import TopicPartition
from runbook.connections.kafka.group_observations import offsets_partition
from runbook.model.errors import Denied, TimedOut

Play = Callable[[str], Any]
PLACE = topic_partition("refunds", 0)
HOUR = 3600.0


@pytest.fixture
def moving(play: Play, monkeypatch: pytest.MonkeyPatch) -> Moving:
    return Moving(play("offsets"), monkeypatch)


def test_each_cell_is_its_own(moving: Moving):
    moving.ages(PLACE, {offset: HOUR - offset * 100 for offset in range(3, 20)})
    moving.members(REFUNDS, member("archive-1", PLACE), member("archive-2"))
    moving.commits = {REFUNDS: {PLACE: 7}}
    moving.stable[PLACE] = 15

    def move() -> None:
        moving.commits = {REFUNDS: {PLACE: 9}}
        moving.logs[PLACE][20] = moving.now
        moving.ends[PLACE] = 22

    moving.between = move
    row = moving.row(REFUNDS, PLACE)
    assert (row["type"], row["state"], row["members"], row["owner"]) == ("classic", "stable", 2, "archive-1 (10.0.0.7)")
    assert (row["committed_before"], row["committed"], row["commits"]) == (7, 9, True)
    assert (row["begin"], row["stable"], row["end_before"], row["end"]) == (3, 15, 20, 22)
    assert (row["lag"], row["deleted"], row["untimed"]) == (13, 0, "")
    assert row["open_least"] == pytest.approx(2100, rel=0.02)
    assert row["open_least"] <= row["open_most"] == pytest.approx(2100, rel=0.02)
    assert 2700 - 60 <= row["behind_least"] <= 2705
    assert 2699 <= row["behind_most"] <= 2700 + 60
    assert row["behind_least"] <= row["behind_most"]


def test_who_has_read_all_is_behind_by_nothing_and_no_time_is_searched(moving: Moving):
    moving.ages(PLACE, {0: HOUR, 1: HOUR})
    moving.commits = {REFUNDS: {PLACE: 2}}
    row = moving.row(REFUNDS, PLACE)
    assert [row[name] for name in ("lag", "behind_least", "behind_most", "untimed")] == [0, 0.0, 0.0, ""]
    assert moving.asked == []


def test_where_no_transaction_is_open_it_is_so_since_0_seconds(moving: Moving):
    moving.ages(PLACE, {0: HOUR, 1: HOUR, 2: 100})
    moving.commits = {REFUNDS: {PLACE: 1}}
    row = moving.row(REFUNDS, PLACE)
    assert (row["open_least"], row["open_most"]) == (0.0, 0.0)


def test_the_age_of_an_open_transaction_is_told_though_all_is_read(moving: Moving):
    moving.ages(PLACE, {0: HOUR, 1: HOUR, 2: 100})
    moving.commits = {REFUNDS: {PLACE: 3}}
    moving.stable[PLACE] = 2
    row = moving.row(REFUNDS, PLACE)
    assert (row["behind_most"], row["open_least"]) == (0.0, pytest.approx(100, abs=5))


def test_the_age_of_an_open_transaction_is_unknown_where_times_are(moving: Moving):
    moving.ages(PLACE, {0: HOUR, 1: HOUR, 2: -100})
    moving.commits = {REFUNDS: {PLACE: 3}}
    moving.stable[PLACE] = 2
    row = moving.row(REFUNDS, PLACE)
    assert row["open_least"] is None
    assert "ahead of our clock" in row["untimed"]


def test_what_was_deleted_unread_is_counted_and_the_age_is_that_of_the_first_left(moving: Moving):
    moving.ages(PLACE, {5: 500, 6: 400, 7: 300})
    moving.commits = {REFUNDS: {PLACE: 2}}
    row = moving.row(REFUNDS, PLACE)
    assert (row["committed"], row["begin"], row["deleted"], row["lag"]) == (2, 5, 3, 6)
    assert row["behind_least"] == row["behind_most"] == pytest.approx(500, abs=5)


def test_a_partition_that_a_member_has_and_never_committed_in_is_shown(moving: Moving):
    moving.members(REFUNDS, member("archive-1", PLACE))
    moving.commits = {REFUNDS: {}}
    row = moving.row(REFUNDS, PLACE)
    assert [row[name] for name in ("commits", "committed", "lag", "owner")] == [
        False,
        None,
        None,
        "archive-1 (10.0.0.7)",
    ]
    assert row["untimed"].startswith("the group has committed nothing there")


def test_partitions_of_a_topic_it_reads_that_nobody_has_are_shown(moving: Moving):
    moving.members(ARCHIVE, member("archive-1", topic_partition("shipments", 0)))
    moving.commits = {ARCHIVE: {}}
    rows = {row["partition"]: row for row in moving.observe().rows() if row["group"] == ARCHIVE}
    assert {number: row["owner"] for number, row in rows.items()} == {0: "archive-1 (10.0.0.7)", 1: "", 2: ""}


def test_a_silent_coordinator_leaves_commits_unknown_and_is_a_gap(moving: Moving):
    moving.members(REFUNDS, member("archive-1", PLACE))
    moving.refused["OffsetFetch"] = TimedOut("broker 2 did not answer in 3.0 s")
    fact = moving.observe()
    [row] = [row for row in fact.rows() if row["group"] == REFUNDS]
    assert [row[name] for name in ("commits", "committed", "lag", "behind_most")] == [None] * 4
    assert {gap.keys["broker"] for gap in fact.gaps} == {1, 2, 3}


def test_a_silent_leader_leaves_ends_unknown_and_is_a_gap(moving: Moving):
    moving.refused["ListOffsets"] = Denied("broker 1 does not let us look")
    moving.commits = {REFUNDS: {PLACE: 7}}
    fact = moving.observe()
    [row] = [row for row in fact.rows() if row["group"] == REFUNDS]
    assert [row[name] for name in ("begin", "end", "stable", "lag", "behind_least")] == [None] * 5
    assert [gap.keys for gap in fact.gaps] == [{"broker": 1}]


def test_a_record_of_the_future_makes_times_unknown(moving: Moving):
    moving.ages(PLACE, {0: HOUR, 1: 100, 2: -61})
    moving.commits = {REFUNDS: {PLACE: 1}}
    row = moving.row(REFUNDS, PLACE)
    assert (row["behind_least"], row["behind_most"]) == (None, None)
    assert "61 s ahead of our clock" in row["untimed"]
    assert row["dated"] == "ahead"


def test_a_little_ahead_is_no_future(moving: Moving):
    moving.ages(PLACE, {0: HOUR, 1: 100, 2: -50})
    moving.commits = {REFUNDS: {PLACE: 1}}
    assert (moving.row(REFUNDS, PLACE)["untimed"], moving.row(REFUNDS, PLACE)["dated"]) == ("", "")


def test_what_is_written_now_with_old_times_makes_times_unknown(moving: Moving):
    moving.ages(PLACE, {0: 2 * HOUR, 1: HOUR})
    moving.commits = {REFUNDS: {PLACE: 1}}
    moving.between = lambda: moving.ages(PLACE, {0: 2 * HOUR, 1: HOUR, 2: 61})
    row = moving.row(REFUNDS, PLACE)
    assert (row["behind_least"], row["behind_most"]) == (None, None)
    assert "61 s ago" in row["untimed"]
    assert row["dated"] == "past"


def test_old_times_without_writing_are_no_sign(moving: Moving):
    moving.ages(PLACE, {0: 2 * HOUR, 1: HOUR})
    moving.commits = {REFUNDS: {PLACE: 1}}
    assert moving.row(REFUNDS, PLACE)["behind_least"] == pytest.approx(HOUR, abs=5)


def test_times_are_searched_where_most_lags_and_the_rest_is_said(moving: Moving):
    near, far = topic_partition("shipments", 0), topic_partition("shipments", 1)
    moving.ages(near, {0: 900, 1: 800})
    moving.ages(far, {0: 900, 1: 800, 2: 700})
    moving.commits = {ARCHIVE: {near: 0, far: 0}}
    rows = {row["partition"]: row for row in moving.observe(searched=1).rows()}
    assert (rows[1]["untimed"], rows[0]["behind_most"]) == ("", None)
    assert rows[0]["untimed"] == "2 partitions lag, times are searched in the 1 that lag most"


def test_topics_are_chosen_by_patterns(moving: Moving):
    moving.commits = {REFUNDS: {PLACE: 0}, ARCHIVE: {topic_partition("shipments", 0): 0}}
    assert {row["topic"] for row in moving.observe(topics=["ship*"]).rows()} == {"shipments"}


def test_where_times_run_backwards_it_is_known_how_old_it_is_at_least(moving: Moving):
    moving.ages(PLACE, {offset: 4000 - offset for offset in range(1000)} | {1000 + n: 90_000 - n for n in range(3000)})
    moving.commits = {REFUNDS: {PLACE: 2500}}
    row = moving.row(REFUNDS, PLACE)
    assert row["behind_least"] == pytest.approx(3001, abs=5)
    assert row["behind_most"] is None
    assert row["untimed"] == "many records before it are younger: times run backwards there"


@pytest.mark.parametrize(("policy", "least"), [("delete", 4000), ("compact", 100), ("compact,delete", 100)])
def test_in_a_topic_that_is_compacted_the_answer_is_wider(moving: Moving, policy: str, least: float):
    moving.ages(PLACE, {0: 9000, 1: 4000, 9: 100})
    moving.commits = {REFUNDS: {PLACE: 4}}
    moving.policies["refunds"] = policy
    row = moving.row(REFUNDS, PLACE)
    assert row["behind_least"] == pytest.approx(least, rel=0.03, abs=5)
    assert row["behind_most"] == pytest.approx(4000, rel=0.02)


def test_where_settings_can_t_be_seen_a_topic_may_be_compacted(moving: Moving, monkeypatch: pytest.MonkeyPatch):
    moving.ages(PLACE, {0: 9000, 1: 4000, 9: 100})
    moving.commits = {REFUNDS: {PLACE: 4}}
    monkeypatch.setattr(moving.played.kafka, "topic_settings", dict)
    assert moving.row(REFUNDS, PLACE)["behind_least"] == pytest.approx(100, abs=5)


OFFSETS = "__consumer_offsets"


def kept(moving: Moving, group: str) -> TopicPartition:
    """Where the recorded cluster keeps a group's commits."""
    return topic_partition(OFFSETS, offsets_partition(group, len(moving.played.recording["topics"][OFFSETS])))


def test_since_when_nothing_was_written_where_commits_are_kept(moving: Moving):
    moving.ages(PLACE, {0: HOUR, 1: HOUR})
    moving.commits = {REFUNDS: {PLACE: 1}}
    moving.ages(kept(moving, REFUNDS), {4: HOUR, 5: 700, 6: 900})
    assert moving.row(REFUNDS, PLACE)["quiet"] == pytest.approx(700, abs=5)


def test_where_that_is_not_told_it_is_not_known(moving: Moving):
    moving.ages(PLACE, {0: HOUR, 1: HOUR})
    moving.commits = {REFUNDS: {PLACE: 1}}
    moving.ages(kept(moving, REFUNDS), {})
    row = moving.row(REFUNDS, PLACE)
    assert (row["quiet"], row["lag"]) == (None, 1)


@pytest.mark.parametrize(
    ("group", "partition"),
    [("a", 47), ("parcels-archive", 7), ("", 0), ("polygenelubricants", 0), ("größe", 7), ("\U0001f600", 49)],
)
def test_the_partition_that_keeps_a_group_is_chosen_as_coordinators_do(group: str, partition: int):
    assert offsets_partition(group, 50) == partition


@pytest.mark.parametrize(("lag", "moves", "looks"), [(5, False, True), (5, True, False), (1, False, False)])
def test_while_a_group_that_lags_is_not_seen_to_commit_it_is_looked_at_again(
    moving: Moving, *, lag: int, moves: bool, looks: bool
):
    moving.ages(PLACE, dict.fromkeys(range(10), HOUR))
    moving.members(REFUNDS, member("archive-1", PLACE))
    moving.commits = {REFUNDS: {PLACE: 10 - lag}}
    slept = []

    def move() -> None:
        slept.append(1)
        if moves:
            moving.commits = {REFUNDS: {PLACE: 11 - lag}}

    moving.between = move
    moving.row(REFUNDS, PLACE, apart=1, longest=3)
    assert (len(slept) > 1) is looks
