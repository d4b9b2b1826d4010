from typing import Any

from runbook.model.fact import tabulate
from runbook.views.group_remainder import VIEW, compute
from support.kafka_facts import fact

STOOD = {"group": "billing", "topic": "orders", "partition": 0, "commits": True, "committed": 5, "lag": 0}
BOUNDS = {"begin": 0, "end": 5}


def left(offsets: list[dict[str, Any]], *rows: dict[str, Any]) -> dict[tuple[str, int], int | None]:
    made = compute(lag=fact("kafka_group_lag", [*rows]), offset=fact("kafka_partition_offset", offsets))
    there = tabulate("group_remainder", VIEW.columns, made).rows()
    return {(row["group"], row["partition"]): row["unread"] for row in there}


def test_a_partition_in_which_a_stopped_group_never_committed_is_unread_as_a_whole() -> None:
    offsets = [{"topic": "orders", "partition": number, "records": count} for number, count in ((0, 5), (1, 7), (2, 0))]
    offsets += [{"topic": "orders", "partition": 3, "records": None}, {"topic": "else", "partition": 0, "records": 9}]
    found = left(offsets, STOOD | BOUNDS, STOOD | BOUNDS | {"group": "shop", "partition": 1, "lag": 2})
    assert {number: unread for (group, number), unread in found.items() if group == "billing"} == {
        0: 0,
        1: 7,
        2: 0,
        3: None,
    }
    assert found["shop", 1] == 2


def test_what_a_member_has_never_committed_is_known_from_its_own_row() -> None:
    mine = STOOD | {"commits": False, "committed": None, "lag": None}
    assert left([], mine | {"begin": 3, "end": 5}) == {("billing", 0): 2}
    assert left([], mine | {"begin": None, "end": 5}) == {("billing", 0): None}
    assert left([], mine | BOUNDS | {"commits": None, "lag": None}) == {("billing", 0): None}
