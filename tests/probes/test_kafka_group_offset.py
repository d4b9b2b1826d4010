from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import asdict

from runbook.answers.kafka import AnyGroup, TopicPartition
from runbook.answers.kafka.offsets import OffsetAndTimestamp
from runbook.model.errors import Denied
from runbook.model.quantity import BrokerId, Offset, PartitionNumber, Timestamp
from runbook.probes.kafka_group_offset import _Bounds, _row

Play = Callable[[str], Any]


def rows(played: Any, **given: Any) -> dict[tuple[str, str, int], dict[str, Any]]:
    found = played.observe("kafka_group_offset", **given).rows()
    return {(row["group"], row["topic"], row["partition"]): row for row in found}


def test_a_group_that_stands_still_at_a_record_is_late(play: Play):
    row = rows(play("offsets"))["connect-refunds-archive", "refunds", 0]
    assert (row["state"], row["members"]) == ("empty", 0)
    assert (row["committed"], row["begin"], row["end"], row["lag"], row["late"]) == (2, 0, 4, 2, True)


def test_a_group_that_has_read_all_is_not(play: Play):
    found = rows(play("offsets"), topics=["shipments"])
    assert {key[:2] for key in found} == {("connect-shipments-archive", "shipments")}
    assert {(row["lag"], row["late"], row["members"]) for row in found.values()} == {(0, False, 1)}


def test_coordinators_are_asked_once_for_all_of_their_groups(play: Play):
    played = play("offsets")
    played.observe("kafka_group_offset")
    coordinators = {group[2] for group in played.recording["groups"].values()}
    assert played.python.asked.count("OffsetFetch") == len(coordinators)


def test_a_coordinator_that_refuses_is_a_gap(play: Play):
    played = play("offsets")
    ask = played.python.ask

    def refuse(node: int, label: str, request: Any) -> Any:
        if node == 1 and type(request).__name__ == "OffsetFetchRequest":
            raise Denied(f"{label} does not let us look")
        return ask(node, label, request)

    played.python.ask = refuse
    fact = played.observe("kafka_group_offset")
    assert [gap.keys for gap in fact.gaps] == [{"broker": 1}]
    assert set(fact.columns["group"]) < set(played.recording["groups"])


def at(offset: int, timestamp: int = -1) -> OffsetAndTimestamp:
    return OffsetAndTimestamp(offset=Offset(offset), timestamp=Timestamp(timestamp))


def placed(
    committed: int, told: int | None = None, *, markers: bool = True, **offsets: OffsetAndTimestamp | None
) -> dict[str, Any]:
    group = AnyGroup(
        name="billing", state="stable", type="classic", protocol="consumer", coordinator=BrokerId(7), members=()
    )
    topic_partition = TopicPartition("orders", PartitionNumber(6))
    known = [{topic_partition: found} if (found := offsets[name]) else {} for name in ("begin", "end", "sooner")]
    return asdict(
        _row(group, topic_partition, committed=Offset(committed), told=told, bounds=_Bounds(*known), markers=markers)
    )


@pytest.mark.parametrize(
    ("sooner", "late"),
    [
        (at(7, 1000), True),  # records from then on begin behind the one to be read next
        (at(5, 1000), False),
        (at(3, 1000), False),
        (at(-1), True),  # no record is that young
        (None, None),
    ],
)
def test_late_is_what_was_there_before_the_moment(sooner: OffsetAndTimestamp | None, *, late: bool | None):
    who = {"group": "billing", "topic": "orders", "partition": 6, "state": "stable", "members": 0}
    where = {"committed": 5, "begin": 1, "end": 9, "lag": 4, "late": late}
    assert placed(5, begin=at(1), end=at(9), sooner=sooner) == who | where


def test_the_lag_of_a_share_group_is_what_its_coordinator_tells():
    assert placed(5, told=2, begin=at(1), end=at(9), sooner=at(7, 1000))["lag"] == 2


def test_one_old_offset_is_a_record_where_no_transaction_was_ever_made():
    left = {"begin": at(1), "end": at(6), "sooner": at(-1)}
    assert placed(5, markers=False, **left)["late"] is True
    assert placed(5, markers=True, **left)["late"] is None


def test_who_has_read_all_is_never_late():
    assert placed(9, begin=at(0), end=at(9), sooner=at(-1))["late"] is False
    row = placed(9, begin=None, end=None, sooner=at(-1))
    assert [row[name] for name in ("begin", "end", "lag", "late")] == [None] * 4
