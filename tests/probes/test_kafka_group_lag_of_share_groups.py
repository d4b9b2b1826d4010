"""Rows of share groups: what their coordinators told beside where partitions end."""

from typing import Any

from runbook.answers.kafka import AnyGroup, GroupMember, TopicPartition
from runbook.answers.kafka.group_observations import GroupObservation, GroupObservations
from runbook.answers.kafka.offsets import OffsetAndTimestamp
from runbook.model.quantity import BrokerId, MemberId, Offset, PartitionNumber, Timestamp
from runbook.probes.kafka_group_lag import KafkaGroupLag, _rows

PLACES = [TopicPartition("orders", PartitionNumber(number)) for number in range(2)]


def member(number: int, *assigned: TopicPartition) -> GroupMember:
    return GroupMember(
        id=MemberId(f"id-{number}"),
        client=f"desk-{number}",
        host="10.0.0.7",
        instance="",
        assigned=assigned,
    )


def rows(
    members: tuple[GroupMember, ...] | None, committed: dict[TopicPartition, int], lags: dict[TopicPartition, Any]
) -> list[KafkaGroupLag]:
    at = {place: OffsetAndTimestamp(offset=Offset(900), timestamp=Timestamp(-1)) for place in PLACES}
    look = GroupObservation(5.0, {"desks": {place: Offset(offset) for place, offset in committed.items()}}, at)
    group = AnyGroup(
        name="desks", type="share", protocol="share", state="stable", coordinator=BrokerId(1), members=members
    )
    begins = {place: OffsetAndTimestamp(offset=Offset(0), timestamp=Timestamp(-1)) for place in PLACES}
    return [
        *_rows(
            GroupObservations(
                groups=[group],
                before=look,
                after=GroupObservation(10.0, look.commits, at, {"desks": lags}),
                begins=begins,
                stable=at,
                written={},
                untimed={},
                rounds=0,
                writes={},
                gaps=[],
            )
        )
    ]


def test_the_lag_is_what_the_coordinator_tells_and_else_at_most_up_to_the_end():
    told, untold = rows((), dict.fromkeys(PLACES, 500), {PLACES[0]: 3, PLACES[1]: None})
    assert (told.lag, untold.lag) == (3, 400)
    assert (told.type, told.committed, told.commits, told.quiet) == ("share", 500, True, None)


def test_a_partition_without_a_start_offset_has_a_row_though_nobody_has_it():
    first, second = rows((), {PLACES[0]: 500}, dict.fromkeys(PLACES))
    assert (first.partition, first.commits) == (0, True)
    assert (second.partition, second.commits, second.committed, second.lag) == (1, False, None, None)


def test_all_members_that_have_a_partition_are_named_or_counted():
    both = rows((member(1, *PLACES), member(2, PLACES[0])), {}, {})
    assert [row.owner for row in both] == ["desk-1 (10.0.0.7), desk-2 (10.0.0.7)", "desk-1 (10.0.0.7)"]
    [many, none] = rows(tuple(member(number, PLACES[0]) for number in range(5)), {}, {})
    assert many.owner == "desk-0 (10.0.0.7), desk-1 (10.0.0.7), desk-2 (10.0.0.7), and 2 more"
    assert none.owner == ""
