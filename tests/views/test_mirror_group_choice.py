from typing import Any

import pytest

from runbook.views import mirror_group_choice
from support.mirror_facts import fact_of, seen

FLOW = {
    "connector": "eu-us",
    "kind": "checkpoint",
    "source": "eu",
    "enabled": True,
    "emit_checkpoints": True,
    "groups": [".*"],
    "groups_exclude": ["console-consumer-.*"],
}


def told(*flows: dict[str, Any], **given: Any) -> list[dict[str, Any]]:
    places = [("billing", "orders"), ("billing", "clicks"), ("web", "clicks"), ("raw", "__state")]
    group = fact_of("kafka_group_offset", [{"group": group, "topic": topic} for group, topic in places])
    given = {"groups": ["billing", "raw"], "alias": "eu"} | given
    return seen(mirror_group_choice, connector=fact_of("mirror_connector", flows), group=group, **given)


@pytest.mark.parametrize(
    ("cells", "takes"),
    [
        ({}, True),
        ({"groups": ["reporting-.*"]}, False),
        ({"groups": ["bill"]}, False),
        ({"groups": ["web", "bill.*"]}, True),
        ({"groups_exclude": ["b.*"]}, False),
        ({"groups": []}, False),
        ({"groups": None}, None),
        ({"groups_exclude": None}, None),
    ],
)
def test_a_group_is_taken_that_one_pattern_fits_whole_and_none_excludes(cells: dict[str, Any], takes: Any) -> None:
    [row] = told(FLOW | cells)
    assert (row["group"], row["taken"], row["connectors"]) == ("billing", takes, ["eu-us"])


def test_one_connector_that_takes_it_is_enough() -> None:
    other = FLOW | {"connector": "eu-us-2", "groups": ["reporting-.*"]}
    [row] = told(FLOW, other)
    assert (row["taken"], row["filters"]) == (True, [".*", "reporting-.*"])
    [row] = told(other, FLOW | {"groups": None})
    assert (row["taken"], row["filters"]) == (None, None)


@pytest.mark.parametrize(
    "cells", [{"kind": "source"}, {"source": "asia"}, {"enabled": False}, {"emit_checkpoints": False}]
)
def test_where_nothing_is_translated_nothing_is_said_of_filters(cells: dict[str, Any]) -> None:
    assert told(FLOW | cells) == []


def test_groups_and_topics_that_are_not_meant_have_no_row() -> None:
    assert [row["group"] for row in told(FLOW, groups=["*"])] == ["billing", "web"]
    assert [row["group"] for row in told(FLOW, groups=["*"], exclude=["clicks"])] == ["billing"]
    assert told(FLOW, groups=None) == []


def test_a_filter_that_is_not_understood_is_a_gap() -> None:
    [row] = told(FLOW | {"groups": ["(?<one"]})
    assert row["taken"] is None
