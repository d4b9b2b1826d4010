from typing import Any

import pytest

from runbook.model.fact import Fact
from runbook.views import mirror_sync_topic
from support.mirror_facts import HIDDEN, fact_of, seen

FLOW = {
    "connector": "eu-us",
    "kind": "source",
    "source": "eu",
    "target": "us",
    "enabled": True,
    "policy": "default",
    "separator": ".",
    "emit_offset_syncs": True,
    "offset_syncs_location": "source",
}
SYNCS = "mm2-offset-syncs.us.internal"


def topics(*names: str, hidden: bool = False) -> Fact:
    return fact_of("kafka_topic", [{"name": name} for name in names], HIDDEN if hidden else ())


def told(at_source: Fact, at_target: Fact | None = None, **flow: Any) -> list[tuple[bool | None, list[str]]]:
    given = {"source": at_source, "target": at_target or topics("eu.orders"), "alias": "eu"}
    rows = seen(mirror_sync_topic, connector=fact_of("mirror_connector", [FLOW | flow]), **given)
    return [(row["present"], row["missing"]) for row in rows]


def test_it_is_called_after_the_cluster_that_is_copied_to() -> None:
    assert told(topics("orders", SYNCS)) == [(True, [])]
    assert told(topics("orders")) == [(False, [SYNCS])]
    assert told(topics("orders", "mm2-offset-syncs.eu.internal")) == [(False, [SYNCS])]


def test_at_the_target_it_is_called_after_the_source() -> None:
    there = {"offset_syncs_location": "target"}
    assert told(topics(), topics("mm2-offset-syncs.eu.internal"), **there) == [(True, [])]
    assert told(topics(SYNCS), **there) == [(False, ["mm2-offset-syncs.eu.internal"])]


def test_with_a_separator_of_ones_own_it_may_have_dots_all_the_same() -> None:
    assert told(topics(SYNCS), separator="-") == [(True, [])]
    assert told(topics("mm2-offset-syncs-us-internal"), separator="-") == [(True, [])]


def test_a_topic_that_may_be_hidden_is_not_missing() -> None:
    assert told(topics("orders", hidden=True)) == [(None, [])]


@pytest.mark.parametrize(
    "cells", [{"policy": "com.example.Own"}, {"policy": None}, {"separator": None}, {"offset_syncs_location": None}]
)
def test_of_a_name_that_is_not_known_nothing_is_told(cells: dict[str, Any]) -> None:
    assert told(topics("orders"), **cells) == [(None, [])]


def test_whether_it_is_written_may_be_unknown() -> None:
    assert told(topics(SYNCS), emit_offset_syncs=None) == [(None, [])]


@pytest.mark.parametrize(
    "cells", [{"kind": "checkpoint"}, {"source": "asia"}, {"enabled": False}, {"emit_offset_syncs": False}]
)
def test_what_notes_no_offsets_from_there_needs_no_such_topic(cells: dict[str, Any]) -> None:
    assert told(topics("orders"), **cells) == [(True, [])]
