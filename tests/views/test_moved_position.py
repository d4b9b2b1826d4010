from collections.abc import Sequence
from typing import Any

import pytest

from runbook.model.fact import Fact
from runbook.views.moved_position import MovedPosition, compute

_NAMES = ("group", "topic", "partition", "behind_least", "behind_most")
_OLD = [("billing", "orders", 0, 10.5, 11.0), ("billing", "orders", 1, 0.0, 0.0)]
_NEW = [("billing", "orders.v2", 0, 70.0, 71.0), ("billing", "orders.v2", 1, 68.5, 69.0)]
_OTHERS = [("shop", "orders", 0, 500.0, 501.0), ("shop", "orders.v2", 0, 900.0, 901.0), ("billing", "x", 0, 99.0, 99.5)]
WORDS = {"group": "billing", "topic": "orders", "next_topic": "orders.v2"}


def fact(rows: Sequence[tuple[Any, ...]]) -> Fact:
    return Fact("kafka_group_lag", {name: [row[i] for row in rows] for i, name in enumerate(_NAMES)})


def test_what_is_unread_is_beside_the_oldest_that_it_begins_with():
    assert compute(lag=fact([*_OTHERS, *_OLD, *_NEW]), **WORDS).rows == [
        MovedPosition(topic="orders", partition=0, unread_most=11.0, begins_least=70.0),
        MovedPosition(topic="orders", partition=1, unread_most=0.0, begins_least=70.0),
    ]


@pytest.mark.parametrize("new", [[], [_NEW[0], ("billing", "orders.v2", 1, None, None)]])
def test_without_a_position_or_its_age_it_is_not_known_with_what_it_begins(new: list[tuple[Any, ...]]):
    rows = list(compute(lag=fact([*_OTHERS, *_OLD, *new]), **WORDS).rows)
    assert [row.begins_least for row in rows] == [None, None]


def test_an_age_that_is_not_known_stays_so():
    [row] = compute(lag=fact([("billing", "orders", 0, 10.5, None), *_NEW]), **WORDS).rows
    assert row == MovedPosition(topic="orders", partition=0, unread_most=None, begins_least=70.0)


def test_of_a_group_that_left_nothing_nothing_is_known():
    unknown = MovedPosition(topic="orders", partition=None, unread_most=None, begins_least=70.0)
    assert compute(lag=fact([*_OTHERS, *_NEW]), **WORDS).rows == [unknown]


def test_without_a_group_nothing_is_said():
    assert compute(lag=fact([*_OLD, *_NEW])).rows == []
