from typing import Any

import pytest

from runbook.model.fact import Fact, Gap
from runbook.views.moved_acl import compute
from support.kafka_facts import fact

WRITES = {
    "principal": "User:shop",
    "host": "*",
    "operation": "Write",
    "permission": "Allow",
    "resource_type": "Topic",
    "resource": "orders",
    "pattern": "Literal",
}
GROUP = WRITES | {"operation": "Read", "resource_type": "Group", "resource": "billing"}
TRANSACTION = WRITES | {"resource_type": "TransactionalId", "resource": "shop-1"}


def acls(*rows: dict[str, Any]) -> Fact:
    return fact("kafka_acl", rows)


def present(source: Fact, target: Fact) -> list[bool | None]:
    found = compute(source=source, target=target, topics=["orders"], groups=["billing"])
    return [row.present for row in found.rows]


@pytest.mark.parametrize("right", [WRITES, WRITES | {"permission": "Deny"}, WRITES | {"operation": "All"}, GROUP])
def test_the_same_has_to_be_there_under_the_same_name(right: dict[str, Any]) -> None:
    assert present(acls(right), acls(right)) == [True]
    assert present(acls(right), acls()) == [False]


@pytest.mark.parametrize("column", [column for column in WRITES if column != "pattern"])
def test_what_differs_in_anything_is_not_the_same(column: str) -> None:
    assert present(acls(WRITES), acls(WRITES | {column: "another"})) == [False]


def test_who_may_do_more_there_may_do_it_and_not_the_other_way_round() -> None:
    assert present(acls(WRITES), acls(WRITES | {"operation": "All"})) == [True]
    prefixed = WRITES | {"pattern": "Prefixed"}
    assert present(acls(WRITES), acls(prefixed)) == [True]
    assert present(acls(prefixed), acls(WRITES)) == [False]


def test_transactional_ids_are_of_who_may_write_what_is_meant() -> None:
    assert present(acls(TRANSACTION), acls()) == []
    assert present(acls(WRITES, TRANSACTION), acls(WRITES)) == [True, False]
    assert present(acls(WRITES | {"resource": "others"}, TRANSACTION), acls()) == []


@pytest.mark.parametrize(
    "right",
    [
        WRITES | {"operation": "Read"},
        WRITES | {"resource": "others"},
        GROUP | {"resource": "shipping"},
        GROUP | {"operation": "Describe", "resource": "*"},
    ],
)
def test_reading_and_what_is_not_meant_are_other_checks_matters(right: dict[str, Any]) -> None:
    assert present(acls(right), acls()) == []


@pytest.mark.parametrize("cells", [{"resource": "*"}, {"pattern": "Prefixed", "resource": "or"}])
@pytest.mark.parametrize("right", [WRITES, GROUP])
def test_a_right_to_several_names_is_meant_for_some_of_them(right: dict[str, Any], cells: dict[str, Any]) -> None:
    assert present(acls(right | cells), acls()) == [False]


def test_no_group_is_meant_unless_some_are_named() -> None:
    assert compute(source=acls(GROUP, GROUP | {"resource": "*"}), target=acls()).rows == []


def test_what_the_target_does_not_tell_is_not_known() -> None:
    assert present(acls(WRITES), fact("kafka_acl", [], Gap("broker 2 did not answer"))) == [None]
