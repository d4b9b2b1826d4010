from collections.abc import Callable
from typing import Any

import pytest

from runbook.connections.kafka.offset_requests import Offset
from runbook.engine.errors import Denied
from runbook.probes.kafka_group_offset import _where

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


@pytest.mark.parametrize(
    ("sooner", "late"),
    [
        (Offset(7, 1000), True),  # records from then on begin behind the one to be read next
        (Offset(5, 1000), False),
        (Offset(3, 1000), False),
        (Offset(-1, -1), True),  # no record is that young
        (None, None),
    ],
)
def test_late_is_what_was_there_before_the_moment(sooner: Offset | None, *, late: bool | None):
    assert _where(5, Offset(0, -1), Offset(9, -1), sooner) == (0, 9, 4, late)


def test_who_has_read_all_is_never_late():
    assert _where(9, Offset(0, -1), Offset(9, -1), Offset(-1, -1)) == (0, 9, 0, False)
    assert _where(9, None, None, Offset(-1, -1)) == (None, None, None, None)
