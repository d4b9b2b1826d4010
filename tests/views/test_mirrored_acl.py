from typing import Any

import pytest

from runbook.model.fact import Gap
from runbook.views import mirrored_acl
from support.mirror_facts import HIDDEN, fact_of, seen

READ = {
    "principal": "User:billing",
    "host": "*",
    "operation": "Read",
    "permission": "Allow",
    "resource_type": "Topic",
    "resource": "orders",
    "pattern": "Literal",
}


def rights(here: dict[str, Any], *there: dict[str, Any], gaps: tuple[Gap, ...] = ()) -> list[dict[str, Any]]:
    return seen(
        mirrored_acl,
        source=fact_of("kafka_acl", [here]),
        target=fact_of("kafka_acl", there, gaps),
        prefix="eu.",
        topics=["orders"],
    )


def test_a_right_is_there_if_it_is_for_the_mirror() -> None:
    assert [row["present"] for row in rights(READ, READ | {"resource": "eu.orders"})] == [True]
    assert [row["present"] for row in rights(READ, READ)] == [False]
    assert [row["present"] for row in rights(READ, gaps=HIDDEN)] == [None]


@pytest.mark.parametrize("change", ["principal", "host", "permission"])
def test_a_right_that_differs_is_not_the_same(change: str) -> None:
    assert [row["present"] for row in rights(READ, READ | {"resource": "eu.orders", change: "other"})] == [False]


def test_all_becomes_read_and_leave_to_write_stays_behind() -> None:
    everything = READ | {"operation": "All"}
    assert [row["present"] for row in rights(everything, READ | {"resource": "eu.orders"})] == [True]
    assert rights(READ | {"operation": "Write"}) == []
    assert len(rights(READ | {"operation": "Write", "permission": "Deny"})) == 1


def test_a_right_for_every_topic_is_the_same_on_both_sides() -> None:
    everywhere = READ | {"resource": "*"}
    assert [row["present"] for row in rights(everywhere, everywhere)] == [True]


def test_rights_on_other_things_are_left_out() -> None:
    assert rights(READ | {"resource_type": "Group"}) == []
    assert rights(READ | {"resource": "clicks"}) == []
    assert [row["mirror"] for row in rights(READ | {"resource": "ord", "pattern": "Prefixed"})] == ["eu.ord"]


@pytest.mark.parametrize(
    ("broader", "present"),
    [
        ({"resource": "eu.", "pattern": "Prefixed"}, True),
        ({"resource": "*"}, True),
        ({"resource": "eu.orders", "operation": "All"}, True),
        ({"resource": "eu.orders", "principal": "User:*"}, True),
        ({"resource": "us.", "pattern": "Prefixed"}, False),
        ({"resource": "eu.orders", "operation": "Describe"}, False),
        ({"resource": "eu.orders", "host": "192.0.2.1"}, False),
    ],
)
def test_a_broader_right_is_there_as_well(broader: dict[str, Any], *, present: bool) -> None:
    assert [row["present"] for row in rights(READ, READ | broader)] == [present]
    prefixed = READ | {"resource": "ord", "pattern": "Prefixed"}
    assert [row["present"] for row in rights(prefixed, READ | {"resource": "eu.ord"})] == [False]


def test_who_may_read_a_mirror_may_describe_it_and_who_is_denied_to_is_not_denied_all() -> None:
    describe = READ | {"operation": "Describe"}
    assert [row["present"] for row in rights(describe, READ | {"resource": "eu.orders"})] == [True]
    denied = {"permission": "Deny"}
    assert [row["present"] for row in rights(describe | denied, READ | denied | {"resource": "eu.orders"})] == [False]
