from typing import Any

import pytest

from runbook.model.fact import Gap
from runbook.views import mirror_flow
from support.mirror_facts import HIDDEN, fact_of, seen

SOURCE = {"connector": "copy", "kind": "source", "source": "eu", "enabled": True, "state": "RUNNING", "file": ""}
CHECKPOINT = SOURCE | {"connector": "translate", "kind": "checkpoint"}


def flow(*rows: dict[str, Any], gaps: tuple[Gap, ...] = (), alias: str = "eu") -> dict[str, Any]:
    [row] = seen(mirror_flow, connector=fact_of("mirror_connector", rows, gaps), alias=alias)
    return row


def test_what_copies_and_translates_from_a_cluster_is_told() -> None:
    beats = SOURCE | {"connector": "beat", "kind": "heartbeat"}
    assert flow(SOURCE, CHECKPOINT, beats) == {
        "alias": "eu",
        "copies": ["copy"],
        "active": ["copy"],
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


@pytest.mark.parametrize(
    ("cells", "active"),
    [
        ({"state": "PAUSED"}, ["other"]),
        ({"state": "STOPPED"}, ["other"]),
        ({"state": "FAILED"}, ["copy", "other"]),
        ({"state": None}, None),
        ({"state": None, "file": "mm2.properties"}, ["copy", "other"]),
        ({"state": None, "kind": "checkpoint"}, ["other"]),
        ({"state": "STOPPED", "enabled": None}, ["other"]),
    ],
)
def test_what_somebody_halted_copies_and_is_not_active(cells: dict[str, Any], active: list[str] | None) -> None:
    row = flow(SOURCE | cells, SOURCE | {"connector": "other"})
    assert row["active"] == active


@pytest.mark.parametrize("rows", [[], [SOURCE | {"state": "STOPPED"}]])
@pytest.mark.parametrize("hidden", [{"gaps": HIDDEN}, {"enabled": None}, {"source": None}])
def test_that_nobody_is_active_is_not_known_where_one_may_not_have_been_seen(
    rows: list[dict[str, Any]], hidden: dict[str, Any]
) -> None:
    gaps = hidden.get("gaps", ())
    rows = rows if gaps else [*rows, SOURCE | {"connector": "other"} | hidden]
    assert flow(*rows, gaps=gaps)["active"] is None
