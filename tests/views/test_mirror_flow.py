from typing import Any

import pytest

from runbook.model.fact import Gap
from runbook.views import mirror_flow
from support.mirror_facts import HIDDEN, fact_of, seen

SOURCE = {"connector": "copy", "kind": "source", "source": "eu", "enabled": True}
CHECKPOINT = SOURCE | {"connector": "translate", "kind": "checkpoint"}


def flow(*rows: dict[str, Any], gaps: tuple[Gap, ...] = (), alias: str = "eu") -> dict[str, Any]:
    [row] = seen(mirror_flow, fact_of("mirror_connector", rows, gaps), alias=alias)
    return row


def test_what_copies_and_translates_from_a_cluster_is_told() -> None:
    beats = SOURCE | {"connector": "beat", "kind": "heartbeat"}
    assert flow(SOURCE, CHECKPOINT, beats) == {
        "alias": "eu",
        "copies": ["copy"],
        "translates": ["translate"],
        "others": [],
    }


def test_flows_from_other_clusters_are_not_taken_for_it() -> None:
    row = flow(SOURCE | {"source": "ap"}, CHECKPOINT)
    assert (row["copies"], row["translates"], row["others"]) == ([], ["translate"], ["ap"])


def test_what_is_turned_off_copies_nothing() -> None:
    row = flow(SOURCE | {"enabled": False}, CHECKPOINT | {"enabled": False, "source": "ap"})
    assert (row["copies"], row["translates"], row["others"]) == ([], [], [])


@pytest.mark.parametrize(
    ("rows", "gaps"),
    [([], HIDDEN), ([SOURCE | {"source": None}], ()), ([SOURCE | {"enabled": None}], ())],
)
def test_what_was_not_seen_is_not_missing(rows: list[dict[str, Any]], gaps: tuple[Gap, ...]) -> None:
    row = flow(*rows, gaps=gaps)
    assert (row["copies"], row["translates"]) == (None, None)
