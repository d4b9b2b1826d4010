import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from probes.groups_played import Moving, topic_partition
from runbook.model import moment
from runbook.model.fact import Gap

Play = Callable[[str], Any]
PLACE = topic_partition("refunds", 0)
HOUR = 3600.0


@pytest.fixture
def moving(play: Play, monkeypatch: pytest.MonkeyPatch) -> Moving:
    return Moving(play("offsets"), monkeypatch)


def observe(moving: Moving, *ages: str) -> Any:
    return moving.played.observe("kafka_record_of_age", ages=list(ages or ["refunds=60"]))


def row(moving: Moving, *ages: str) -> dict[str, Any]:
    """The row of the one partition of refunds; its record's age in seconds under `age`."""
    [found] = [row for row in observe(moving, *ages).rows() if row["topic"] == "refunds"]
    age = found["written"] and round(time.time() - moment.read(found["written"]).timestamp())
    return found | {"age": age}


def test_where_nothing_was_written_lately_it_is_the_newest_of_all_and_none_of_an_empty_partition(play: Play):
    played = play("offsets")
    fact = played.observe("kafka_record_of_age", ages=["*=60"])
    assert played.python.asked.count("ListOffsets") == 4 * 3  # as for kafka_partition_offset: nothing is searched
    newest = {(row["topic"], row["partition"]): row for row in play("offsets").observe("kafka_partition_offset").rows()}
    assert len(fact) == len(newest)
    for row in fact.rows():
        there = newest[row["topic"], row["partition"]]
        assert row["written"] == there["newest"]
        assert (row["offset"] == -1) == (there["records"] == 0)
        assert row["offset"] < there["end"]


def test_it_is_the_newest_of_those_that_are_old_enough(moving: Moving):
    moving.ages(PLACE, {3: 2 * HOUR, 4: HOUR, 5: 300, 6: 40, 7: 1})
    found = row(moving)
    assert (found["partition"], found["seconds"], found["offset"]) == (0, 60, 5)
    assert found["age"] == pytest.approx(300, abs=5)


def test_the_newest_of_all_is_found_without_a_search(moving: Moving):
    moving.ages(PLACE, {3: 2 * HOUR, 4: HOUR})
    assert (row(moving)["offset"], moving.asked) == (4, [])


def test_where_records_come_all_the_time_one_question_finds_one(moving: Moving):
    moving.ages(PLACE, {offset: 2000.5 - offset for offset in range(2000)})
    assert 60 <= row(moving)["age"] <= 68
    assert len(moving.asked) == 1


@pytest.mark.parametrize("ages", [{}, {3: 50, 4: 1}])
def test_where_none_is_so_old_that_is_known(moving: Moving, ages: dict[int, float]):
    moving.ages(PLACE, ages)
    found = row(moving)
    assert (found["offset"], found["written"], moving.asked) == (-1, None, [])


@pytest.mark.parametrize("seed", range(20))
def test_it_is_found_within_a_second_or_a_twentieth_of_its_age(moving: Moving, seed: int):
    dice = random.Random(seed)
    drawn = (10 ** dice.uniform(0, 7) for _ in range(dice.randint(2, 30)))
    ages = sorted((age for age in drawn if not 20 < age < 31), reverse=True)
    moving.ages(PLACE, dict(enumerate(ages)))
    found = row(moving, "refunds=30")
    meant = min((age for age in ages if age >= 30), default=None)
    if meant is None:
        assert found["offset"] == -1
        return
    assert meant - 2 <= found["age"] <= meant + max(2, 0.06 * meant) + 5  # a busy machine asks late
    assert len(moving.asked) <= 12


def test_no_age_is_too_short(moving: Moving):
    moving.ages(PLACE, {3: HOUR, 4: 100, 5: 0})
    assert row(moving, "refunds=0")["offset"] == 5


def test_topics_have_their_ages_by_pattern_and_others_no_row(moving: Moving):
    fact = observe(moving, "refunds=60", "ship*=90")
    ages = dict(zip(fact.columns["topic"], fact.columns["seconds"], strict=True))
    assert ages == {"refunds": 60, "shipments": 90, "shipments.dlq": 90}
    assert observe(moving, "nothing=60").columns["topic"] == []


def test_a_partition_without_a_leader_is_a_gap(moving: Moving):
    moving.played.recording["topics"]["refunds"][0][1] = -1
    fact = observe(moving)
    assert (fact.columns["offset"], fact.columns["written"]) == ([None], [None])
    assert [gap.reason for gap in fact.gaps] == ["refunds-0 has no leader"]


def test_who_stops_telling_during_the_search_is_a_gap_and_not_asked_again(moving: Moving):
    moving.ages(PLACE, {3: HOUR, 4: 1})
    places = moving.played.kafka.places
    asked = []

    def lost(partitions: Any, times: Any, *more: Any) -> Any:
        if min(times.values()) <= 0:
            return places(partitions, times, *more)
        asked.append(times)
        return {}, [gap]

    gap = Gap("broker 1 did not answer in 3.0 s", {"broker": 1})
    moving.played.kafka.places = lost
    fact = observe(moving)
    assert (fact.columns["offset"], fact.columns["written"], fact.gaps) == ([None], [None], [gap])
    assert len(asked) == 1


def test_a_search_that_has_no_time_left_tells_nothing(moving: Moving, monkeypatch: pytest.MonkeyPatch):
    moving.ages(PLACE, {3: HOUR, 4: 1})
    monkeypatch.setattr(moving.played.kafka.clock, "left", lambda: 0.5)
    fact = observe(moving)
    assert fact.columns["offset"] == [None]
    assert ["time was up" in gap.reason for gap in fact.gaps] == [True]
