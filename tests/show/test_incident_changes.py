"""What changed in an incident is told once, when a look saw it first, and again when it is as it was."""

from typing import Any

import pytest

from runbook.changes.difference import CellChange, Comparison, EntityChange, Kind, Unseen
from runbook.incident.changes import seen_changes
from runbook.incident.record import ObservationSince
from runbook.show.incident_page import changes_section

BEFORE = "2026-11-23T06:00:00.000Z"


def lowered(to: int, *topics: str) -> EntityChange:
    subjects: tuple[dict[str, Any], ...] = tuple({"topic": topic} for topic in topics)
    return EntityChange(
        "changed", "topic", "kafka_topic", subjects, (CellChange("min_insync_replicas", before=2, after=to),)
    )


def look(hour: int, *changes: EntityChange, probes: str = "kafka_topic", unseen: str = "") -> ObservationSince:
    missing = [Unseen(unseen, "new", "connection refused", 1)] if unseen else []
    found = Comparison("prod", BEFORE, f"2026-11-24T0{hour}:00:00.000Z", [*changes], missing, rows=3)
    return ObservationSince(found, {*probes.split()})


def told(*looks: ObservationSince) -> list[tuple[int, str, bool]]:
    """Of each change the hour, the topics, and whether it is as before again."""
    return [
        (int(one.at[11:13]), " ".join(subject["topic"] for subject in one.change.subjects), one.back)
        for one in seen_changes(looks)
    ]


def test_what_stays_changed_is_told_once() -> None:
    assert told(look(6, lowered(1, "a")), look(7, lowered(1, "a"))) == [(6, "a", False)]


def test_what_changes_further_is_told_again() -> None:
    assert told(look(6, lowered(1, "a")), look(7, lowered(0, "a"))) == [(6, "a", False), (7, "a", False)]


def test_what_another_gets_too_is_told_and_nothing_is_said_to_be_back() -> None:
    assert told(look(6, lowered(1, "a")), look(7, lowered(1, "a", "b"))) == [(6, "a", False), (7, "a b", False)]


def test_what_is_changed_back_is_told_as_before_again_and_may_change_again() -> None:
    looks = look(6, lowered(1, "a", "b")), look(7), look(8, lowered(1, "a", "b"))
    assert told(*looks) == [(6, "a b", False), (7, "a b", True), (8, "a b", False)]


@pytest.mark.parametrize("later", [look(7, probes="jvm_gc"), look(7, unseen="kafka_topic")], ids=["other", "unseen"])
def test_a_look_that_did_not_ask_or_did_not_see_all_says_nothing_of_it(later: ObservationSince) -> None:
    assert told(look(6, lowered(1, "a")), later, look(8, lowered(1, "a"))) == [(6, "a", False)]
    assert told(look(6, lowered(1, "a")), later, look(8)) == [(6, "a", False), (8, "a", True)]


def test_the_page_says_when() -> None:
    text = "\n".join(changes_section([look(6, lowered(1, "a")), look(7)]))
    assert text == (
        "## What changed since the kept facts of 2026-11-23 06:00:00\n\n"
        "- 2026-11-24 06:00:00 changed topic a: min\\_insync\\_replicas 2 → 1 (kafka\\_topic)\n"
        "- 2026-11-24 07:00:00 as before again: topic a: min\\_insync\\_replicas 2 (kafka\\_topic)\n"
    )


@pytest.mark.parametrize(
    ("kind", "cells", "said"),
    [
        ("went", (), "there"),
        ("came", (), "gone"),
        (
            "changed",
            (CellChange("fenced", before=False, after=True), CellChange("answers", before=True, after=False)),
            "fenced false, answers true",
        ),
        ("changed", (CellChange("isr", removed=(3,), added=(4,)),), "isr with 3 without 4"),
        ("changed", (CellChange("configs", "a", after="1"),), "configs a not set"),
    ],
)
def test_what_is_as_before_is_told_by_what_holds_again(kind: Kind, cells: tuple[CellChange, ...], said: str) -> None:
    change = EntityChange(kind, "broker", "kafka_broker", ({"id": 3},), cells)
    text = "\n".join(changes_section([look(6, change, probes="kafka_broker"), look(7, probes="kafka_broker")]))
    assert f"07:00:00 as before again: broker 3: {said} (kafka\\_broker)\n" in text


def test_without_two_looks_there_is_no_such_section() -> None:
    assert [*changes_section([])] == []
