"""Two facts of one probe: what went, came and changed, and what nobody knows."""

from typing import Any

import pytest

from runbook.changes.difference import CellChange, RowChange, Unseen
from runbook.changes.facts import cell_changes, compare_facts
from runbook.model.column import Column
from runbook.model.fact import Fact, Gap

COLUMNS = (
    Column("broker", "int", "Node id.", key=True, entity="broker"),
    Column("path", "string", "Log directory.", key=True, entity="log_dir"),
    Column("state", "string", "How it is.", why="silence"),
    Column("silence", "string", "Why that is not known."),
    Column("free", "int", "Room.", unit="bytes", moves=True),
)


def fact(rows: list[tuple[Any, ...]], *gaps: Gap, inapplicable: str = "") -> Fact:
    """Log directories of brokers."""
    cells = {column.name: [row[i] for row in rows] for i, column in enumerate(COLUMNS)}
    return Fact("dirs", cells, list(gaps), inapplicable)


A, B = (1, "/a", "well", "", 10), (2, "/b", "well", "", 20)
KEYS_A, KEYS_B = {"broker": 1, "path": "/a"}, {"broker": 2, "path": "/b"}


def test_equal_facts_have_no_changes() -> None:
    found = compare_facts(COLUMNS, fact([A, B]), fact([B, A]))
    assert (found.changes, found.unseen, found.rows, found.neither, found.left_out) == ([], [], 2, 0, 0)


def test_a_row_that_is_in_one_look_only_went_or_came() -> None:
    assert compare_facts(COLUMNS, fact([A, B]), fact([A])).changes == [RowChange("went", KEYS_B)]
    assert compare_facts(COLUMNS, fact([A]), fact([A, B])).changes == [RowChange("came", KEYS_B)]


def test_a_cell_that_is_another_changed() -> None:
    found = compare_facts(COLUMNS, fact([A]), fact([(1, "/a", "ill", "", 10)]))
    assert found.changes == [RowChange("changed", KEYS_A, (CellChange("state", before="well", after="ill"),))]


def test_a_row_that_an_incomplete_look_lacks_did_not_go_and_one_it_lacked_did_not_come() -> None:
    gap = Gap("broker 2 is silent", {"broker": 2})
    gone = compare_facts(COLUMNS, fact([A, B]), fact([A], gap))
    assert (gone.changes, gone.unseen) == ([], [Unseen("dirs", "new", "broker 2 is silent", 1)])
    come = compare_facts(COLUMNS, fact([A], gap), fact([A, B]))
    assert (come.changes, come.unseen) == ([], [Unseen("dirs", "old", "broker 2 is silent", 1)])


def test_a_gap_of_another_entity_hides_nothing_and_one_of_none_hides_all() -> None:
    other, any_of_them = Gap("broker 3 is silent", {"broker": 3}), Gap("not all was told")
    assert compare_facts(COLUMNS, fact([A, B]), fact([A], other)).changes == [RowChange("went", KEYS_B)]
    assert compare_facts(COLUMNS, fact([A, B]), fact([A], other, any_of_them)).changes == []
    strange = Gap("rack b is silent", {"rack": "b"})  # whose rows these are is not known
    assert compare_facts(COLUMNS, fact([A, B]), fact([A], strange)).changes == []


@pytest.mark.parametrize("moment", ["old", "new"])
def test_a_cell_that_one_look_does_not_know_did_not_change(moment: str) -> None:
    unknown = fact([(1, "/a", None, "it was locked", 10)])
    looks = (unknown, fact([A])) if moment == "old" else (fact([A]), unknown)
    found = compare_facts(COLUMNS, *looks)
    assert [change.cells for change in found.changes] == [(found.changes[0].cells[0],)]
    assert found.changes[0].cells[0].column == "silence"
    assert found.unseen == [Unseen("dirs", moment, "it was locked", 1, ("state",))]


def test_why_a_cell_is_not_known_is_what_hides_it_else_that_it_was_not_told() -> None:
    silent = (1, "/a", None, "", 10)
    gap = Gap("broker 1 is slow", {"broker": 1})
    assert [unseen.reason for unseen in compare_facts(COLUMNS, fact([A]), fact([silent], gap)).unseen] == [
        "broker 1 is slow"
    ]
    assert [unseen.reason for unseen in compare_facts(COLUMNS, fact([A]), fact([silent])).unseen] == [
        "it was not reported"
    ]


def test_a_cell_that_neither_look_knows_is_counted() -> None:
    silent = fact([(1, "/a", None, "", 10)])
    found = compare_facts(COLUMNS, silent, silent)
    assert (found.changes, found.unseen, found.neither) == ([], [], 1)


def test_what_moves_by_nature_is_left_out_and_counted_unless_it_is_asked_for() -> None:
    later = fact([(1, "/a", "well", "", 11)])
    left = compare_facts(COLUMNS, fact([A]), later)
    assert (left.changes, left.left_out) == ([], 1)
    asked = compare_facts(COLUMNS, fact([A]), later, moving=True)
    assert [change.cells for change in asked.changes] == [(CellChange("free", before=10, after=11),)]
    assert asked.left_out == 0


def test_rows_come_and_go_by_nature_where_a_key_moves() -> None:
    columns = (Column("offset", "int", "Its offset.", key=True, moves=True), Column("size", "int", "Its size."))
    old = Fact("records", {"offset": [1, 2], "size": [5, 6]})
    new = Fact("records", {"offset": [2, 3], "size": [7, 8]})
    found = compare_facts(columns, old, new)
    assert found.changes == [RowChange("changed", {"offset": 2}, (CellChange("size", before=6, after=7),))]
    assert found.left_out == 2
    assert {change.kind for change in compare_facts(columns, old, new, moving=True).changes} == {
        "went",
        "came",
        "changed",
    }


@pytest.mark.parametrize("moment", ["old", "new"])
def test_a_question_that_has_a_meaning_at_one_look_only_shows_no_change(moment: str) -> None:
    without = fact([], inapplicable="no disks")
    looks = (without, fact([A, B])) if moment == "old" else (fact([A, B]), without)
    found = compare_facts(COLUMNS, *looks)
    assert found.changes == []
    assert [(unseen.look, unseen.rows, "no disks" in unseen.reason) for unseen in found.unseen] == [(moment, 2, True)]


def test_a_question_without_meaning_at_both_looks_is_nothing() -> None:
    without = fact([], inapplicable="no disks")
    assert compare_facts(COLUMNS, without, without).unseen == []


def test_a_list_lost_and_got_and_its_order_is_no_part_of_it() -> None:
    column = Column("isr", "list[int]", "In sync.")
    assert list(cell_changes(column, [1, 2, 3], [3, 2, 1])) == []
    assert list(cell_changes(column, [1, 2, 2], [2, 4])) == [CellChange("isr", removed=(1, 2), added=(4,))]


def test_a_map_changed_item_by_item() -> None:
    column = Column("overrides", "map[string]", "Set.")
    assert list(cell_changes(column, {"a": "1", "b": "2", "c": "3"}, {"a": "1", "b": "4", "d": "5"})) == [
        CellChange("overrides", "b", "2", "4"),
        CellChange("overrides", "c", "3", None),
        CellChange("overrides", "d", None, "5"),
    ]
