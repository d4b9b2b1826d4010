"""What a change is said to do, by Kafka's rules; tests/live/plain/test_changes_foretold.py has real brokers."""

from pathlib import Path
from typing import Any

import pytest

from runbook.api import UsageError, what_if
from runbook.what_if.change_analysis import ChangeForecast
from support.changes_asked import LEADER_1, forecast
from support.small_layouts import keep, partition


def told(change: ChangeForecast) -> dict[str, Any]:
    """What is said of the one partition, in short."""
    [one] = change.partitions
    return {
        "meanwhile": one.meanwhile and one.meanwhile.refuses,
        "after": one.after and one.after.refuses,
        "stays": one.stays,
        "lacking": one.lacking,
        "copied": one.copied,
    }


def test_one_copy_under_a_minimum_of_two_refuses_writes_until_a_second_is_made(tmp_path: Path) -> None:
    change = forecast(tmp_path, LEADER_1, [1, 2, 3])
    assert told(change) == {"meanwhile": True, "after": False, "stays": False, "lacking": 1, "copied": 6_000_000}
    assert [one.name for one in change.stopped("meanwhile")] == ["t-0"]
    assert change.harms


def test_with_the_minimum_lowered_first_it_takes_them_all_the_time(tmp_path: Path) -> None:
    change = forecast(tmp_path, LEADER_1, [1, 2, 3], set_topic=["t:min.insync.replicas=1"])
    assert told(change) == {"meanwhile": False, "after": False, "stays": False, "lacking": 0, "copied": 6_000_000}
    assert not change.harms


@pytest.mark.parametrize(("release", "after"), [("3.6", True), ("3.7", False), (None, None)])
def test_fewer_copies_than_the_minimum_refuse_before_kafka_3_7(
    tmp_path: Path, release: str | None, *, after: bool | None
) -> None:
    row = {"leader": 1, "isr": [1, 2], "needs": 2, "min_insync_replicas": 2, "replicas": [1, 2]}
    change = forecast(tmp_path, row, [1], release=release)
    assert told(change)["after"] is after
    assert bool(change.unsure) == (after is None)


def test_a_copy_onto_a_broker_that_is_down_does_not_end(tmp_path: Path) -> None:
    row = {"leader": 1, "isr": [1, 2], "needs": 2, "min_insync_replicas": 2, "replicas": [1, 2]}
    change = forecast(tmp_path, row, [1, 3], down=(3,))
    assert [(one.name, one.waits_for) for one in change.stuck] == [("t-0", [3])]
    assert told(change)["after"] is False, "it stays with both old copies, which are in sync"


@pytest.mark.parametrize(
    ("release", "mode", "waits"),
    [
        ("4.3", "kraft", False),
        ("4.2", "kraft", True),
        ("3.8", "kraft", True),
        ("3.7", "kraft", False),
        ("3.7", "zookeeper", True),
        ("3.7", None, True),
        (None, "kraft", True),
    ],
)
def test_a_copy_that_stays_on_a_broker_that_is_down_is_awaited_where_the_release_awaits_it(
    tmp_path: Path, release: str | None, mode: str | None, *, waits: bool
) -> None:
    row = {"leader": 1, "isr": [1], "needs": 1, "min_insync_replicas": 1, "replicas": [1, 2]}
    change = forecast(tmp_path, row, [2, 3], down=(2,), release=release, mode=mode)
    [one] = change.partitions
    assert (bool(change.stuck), one.waits_for) == (waits, [2] if waits else [])
    assert one.after is not None
    assert (one.after.replicas, one.after.leader, one.after.isr) == (([2, 3, 1], 1, [1]) if waits else ([2, 3], 3, [3]))
    shrinks = forecast(tmp_path, row | {"replicas": [1, 2, 4]}, [2, 3], down=(2,), release="4.3")
    assert shrinks.stuck, "where more are removed than added all of the target are awaited"


def test_copies_that_are_there_and_in_sync_are_taken_at_once(tmp_path: Path) -> None:
    row = {"leader": 1, "isr": [1, 2], "needs": 2, "min_insync_replicas": 2, "replicas": [1, 2]}
    assert told(forecast(tmp_path, row, [2]))["meanwhile"] is None
    [one] = forecast(tmp_path, row, [2]).partitions
    assert one.after is not None
    assert (one.after.leader, one.after.isr) == (2, [2])


def test_what_lags_has_to_catch_up_before_others_go(tmp_path: Path) -> None:
    row = {"leader": 1, "isr": [1], "needs": 1, "min_insync_replicas": 1, "replicas": [1, 2]}
    assert told(forecast(tmp_path, row, [2])) == {
        "meanwhile": False,
        "after": False,
        "stays": False,
        "lacking": 0,
        "copied": 0,
    }


def test_nobody_to_copy_from_is_no_end_either(tmp_path: Path) -> None:
    row = {"leader": -1, "isr": [], "needs": 1, "min_insync_replicas": 1, "replicas": [1]}
    change = forecast(tmp_path, row, [1, 2])
    assert change.stuck
    assert not change.stopped("meanwhile"), "it refuses already"


@pytest.mark.parametrize(
    ("target", "why"),
    [([1, 9], "broker 9 is not registered"), ([1, 1], "it is to have two replicas on broker 1"), ([], "no replica")],
)
def test_what_kafka_refuses_changes_nothing(tmp_path: Path, target: list[int], why: str) -> None:
    change = forecast(tmp_path, LEADER_1, target)
    assert why in change.refused[0].refused
    assert change.harms
    assert not change.stopped("meanwhile")


def test_a_minimum_above_those_in_sync_stops_writes(tmp_path: Path) -> None:
    row = {"leader": 1, "isr": [1, 2], "needs": 2, "min_insync_replicas": 2, "replicas": [1, 2, 3]}
    change = forecast(tmp_path, row, set_topic=["t:min.insync.replicas=3"])
    assert [one.name for one in change.stopped("after")] == ["t-0"]


def test_a_broker_that_still_holds_copies_can_not_just_go(tmp_path: Path) -> None:
    row = {"leader": 1, "isr": [1, 2], "needs": 2, "min_insync_replicas": 2, "replicas": [1, 2]}
    [removed] = forecast(tmp_path, row, remove_broker=[1]).removed
    assert (removed.still_holds, removed.stops, removed.votes) == (["t-0"], ["t-0"], True)
    [removed] = forecast(tmp_path, row, [3, 2], remove_broker=[1]).removed
    assert (removed.still_holds, removed.stops) == ([], [])


def test_copies_take_as_long_as_the_busiest_broker_needs_at_its_throttle(tmp_path: Path) -> None:
    change = forecast(tmp_path, LEADER_1, [1, 2, 3], throttle=1_000_000)
    assert (change.seconds, change.busiest) == (6.0, 1), "it sends both copies"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "missing required field"),
        ('{"partitions": []}', "names no partitions"),
        ('{"partitions": [{"topic": "t", "partition": "0", "replicas": [1]}]}', "partitions[0].partition"),
        ("Current partition replica assignment\n{}\n\nProposed partition reassignment configuration\n{}", "sed -n 5p"),
        ('{"partitions": [' + ", ".join(['{"topic": "t", "partition": 0, "replicas": [1]}'] * 2) + "]}", "t-0 twice"),
    ],
)
def test_a_file_that_is_no_plan_is_refused_with_what_one_is(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "plan.json"
    file.write_text(text)
    with pytest.raises(UsageError) as error:
        what_if(bundle=keep(tmp_path / "b.json", [partition({"t": [[1]]})]), reassign=file)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"set_topic": ["t:min.insync.replica=1"]}, "did you mean min.insync.replicas"),
        ({"set_topic": ["t:min.insync.replicas=0"]}, "1 or more"),
        ({"set_topic": ["min.insync.replicas=1"]}, "write TOPIC:KEY=VALUE"),
        ({"set_topic": ["u*:min.insync.replicas=1"]}, "has no topic u*"),
        ({"remove_broker": [7]}, "has no broker 7; it has: 1, 2, 3"),
        ({"throttle": 5}, "give --reassign"),
    ],
)
def test_what_nobody_can_foretell_is_refused(tmp_path: Path, asked: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as error:
        forecast(tmp_path, LEADER_1, **asked)
    assert said in str(error.value)
