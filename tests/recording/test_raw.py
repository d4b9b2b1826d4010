"""Answers come back as they were, by the types that functions declare."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from msgspec import Struct

from runbook.answers.kafka.errors import LostOnTheWay
from runbook.model.errors import CannotLook, Denied, Refused, TimedOut
from runbook.model.gap_kind import GapKind
from runbook.model.quantity import BrokerId
from runbook.recording.raw import failure_of, restored, stored, stored_failure


class Place(NamedTuple):
    """A key that is no text."""

    topic: str
    number: int


class Answer(Struct, frozen=True):
    """A record in which there is another."""

    name: str
    at: tuple[Place, ...] = ()
    broker: BrokerId = BrokerId(-1)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, type(None)),
        (b"\x00\xff", bytes),
        (1.5, float),
        (["a"], list[str]),
        (("a", 1), tuple[str, int]),
        ((1, 2), tuple[int, ...]),
        (frozenset({"a"}), frozenset[str]),
        ({Place("a", 1): 2}, dict[Place, int]),
        ({}, dict[Place, int]),
        ({"a": Answer("b", (Place("c", 0),), BrokerId(3))}, Mapping[str, Answer]),
        (None, Answer | None),
        (Answer("b"), Answer | None),
        ({1: (2, 3)}, dict[int, tuple[int, int]]),
        ({"type": "what a system sent"}, Any),
    ],
)
def test_a_value_comes_back_as_it_was(value: Any, kind: Any):
    again = restored(stored(value), kind)
    assert (again, type(again)) == (value, type(value))


def test_an_error_among_answers_comes_back_with_its_kind_and_what_it_carries():
    found = {"a": ["x"], "b": LostOnTheWay("no answer", after=Refused("refused"))}
    again = restored(stored(found), dict[str, list[str] | CannotLook])
    assert again["a"] == ["x"]
    assert type(again["b"]) is LostOnTheWay
    assert str(again["b"]) == "no answer"
    assert type(again["b"].after) is Refused
    assert again["b"].after.kind is GapKind.REFUSED


def test_the_kind_of_the_gap_that_an_error_leaves_comes_back():
    found = Denied("no", "Describe on all topics")
    found.kind = GapKind.NOT_SERVING
    again = restored(stored(found), int | CannotLook)
    assert (again.kind, again.right) == (GapKind.NOT_SERVING, "Describe on all topics")
    assert isinstance(again.kind, GapKind)


def test_an_error_whose_class_is_gone_is_still_one():
    raw = stored(Denied("you may not")) | {"cannot look": "Renamed"}
    assert type(restored(raw, int | CannotLook)) is CannotLook


@pytest.mark.parametrize(
    "raised", [TimedOut("late"), FileNotFoundError(2, "No such file or directory"), ValueError("odd")]
)
def test_what_was_raised_is_raised_again(raised: Exception):
    again = failure_of(stored_failure(raised))
    assert (type(again), again.args) == (type(raised), raised.args)


def test_a_field_that_is_gone_is_left_out_and_a_new_one_has_its_default():
    assert restored({"name": "a", "gone": 1}, Answer) == Answer("a")


def test_a_value_of_another_type_is_refused():
    with pytest.raises(Exception, match="Expected `int`"):
        restored("a", int)
