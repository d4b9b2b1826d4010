from typing import Any

import pytest

from runbook.engine.column import Column
from runbook.engine.errors import Garbled
from runbook.engine.fact import Gap, Observed
from runbook.formats.metrics import Group, Metric, Sheet
from runbook.formats.metrics.broker import IDENTITY
from runbook.formats.metrics.table import require_identity, tell

SIZE = Metric(Column("size", "int", "Size."), "a:type=size", "Value")
SPEED = Metric(Column("speed", "float", "Speed."), "a:type=speed", "Value")
WORD = Metric(Column("word", "string", "Word."), "a:type=word", "Value")
SINCE = Metric(Column("since", "timestamp", "Since."), "a:type=since", "Value")
PROOF = Metric(Column("proof", "int", "Proof."), "a:type=proof", "Value")
GROUP = Group((), (SIZE, SPEED), nowhere="there is none of it")


def told(jvm: int | str = 1, **found: Any) -> Sheet:
    by_name = {metric.column.name: metric for metric in (SIZE, SPEED, WORD, SINCE)}
    return Sheet(jvm, {by_name[name]: {(): value} for name, value in found.items()})


def rows(group: Group, *sheets: Sheet, gaps: tuple[Gap, ...] = ()) -> Observed:
    return tell((list(sheets), list(gaps)), group)


def test_values_become_cells_of_their_columns_types():
    group = Group((), (SIZE, SPEED, WORD, SINCE), nowhere="none")
    [row] = rows(group, told(size=3.0, speed=2, word="up", since=1_700_000_000_000)).rows
    assert row == (1, 3, 2.0, "up", "2023-11-14T22:13:20+00:00")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf"), "text"])
def test_what_is_no_number_yet_is_not_known(value: float | str):
    assert rows(GROUP, told(size=1, speed=value)).rows == [(1, 1, None)]


def test_a_jvm_that_has_none_of_it_has_no_row_and_is_no_gap():
    without = Sheet(2, absent={SIZE, SPEED})
    assert rows(GROUP, told(size=1, speed=2.0), without) == Observed(rows=[(1, 1, 2.0)], gaps=[])


def test_where_no_jvm_has_any_of_it_the_question_has_no_meaning():
    assert rows(GROUP, Sheet(1, absent={SIZE, SPEED})).inapplicable == "there is none of it"


def test_a_jvm_of_which_nothing_could_be_read_is_a_gap():
    observed = rows(GROUP, told(size=1, speed=2.0), Sheet(2, unknown={SIZE: "no right", SPEED: "no right"}))
    assert observed.gaps == [Gap("broker 2: no right", {"broker": 2})]
    assert not observed.inapplicable


def test_an_application_is_named_in_its_gap():
    assert rows(GROUP, Sheet("orders", unknown={SIZE: "no right"})).gaps == [Gap("application orders: no right")]


def test_one_value_that_could_not_be_read_is_a_cell():
    sheet = told(size=1)
    sheet.unknown[SPEED] = "left out"
    assert rows(GROUP, sheet) == Observed(rows=[(1, 1, None)])


def test_a_jvm_that_did_not_answer_keeps_its_gap_and_the_others_their_rows():
    silent = Gap("broker 2 did not answer", {"broker": 2})
    assert rows(GROUP, told(size=1, speed=1.0), gaps=(silent,)) == Observed(rows=[(1, 1, 1.0)], gaps=[silent])


def test_what_exists_only_elsewhere_proves_that_it_is_not_here():
    group = Group((), (SIZE,), nowhere="KRaft mode", proof=(PROOF,))
    sheet = Sheet(1, {PROOF: {(): 5}}, unknown={SIZE: "not shown"})
    assert rows(group, sheet).inapplicable == "KRaft mode"


def test_a_jvm_without_what_all_of_its_kind_have_is_of_another_kind():
    group = Group((), (SIZE, SPEED), nowhere="no broker", of=SPEED)
    other = Sheet(1, {SIZE: {(): 1}}, absent={SPEED})
    assert rows(group, other, told(2, size=3, speed=1.0)) == Observed(rows=[(2, 3, 1.0)])


def test_rows_that_say_nothing_are_left_out_and_those_not_known_are_kept():
    key = Column("kind", "string", "Kind.", key=True)
    count = Metric(Column("count", "int", "Count."), "a:type=*", "Count")
    time = Metric(Column("time", "float", "Time."), "a:type=*", "Mean")
    group = Group((key,), (count, time), nowhere="none", seen="count")
    sheet = Sheet(1, {count: {("a",): 0, ("b",): 4}, time: {("a",): 0.0, ("b",): 1.5, ("c",): 2.5}})
    assert rows(group, sheet).rows == [(1, "b", 4, 1.5), (1, "c", None, 2.5)]
    idle = Sheet(1, {count: {("a",): 0}, time: {("a",): 0.0}})
    assert rows(group, idle) == Observed(rows=[])


def test_the_metrics_of_another_broker_are_refused():
    with pytest.raises(Garbled, match="answers for node 2: correct the address"):
        require_identity(Sheet(1, {IDENTITY: {("2",): 1.0}}))
    require_identity(Sheet(2, {IDENTITY: {("2",): 1.0}}))
    require_identity(Sheet(3))


@pytest.mark.parametrize("value", [1e300, 10**400, -1e30])
def test_what_no_calendar_and_no_64_bits_hold_is_not_known(value: float):
    group = Group((), (SIZE, SINCE, SPEED), nowhere="none")
    [row] = rows(group, told(size=value, since=value, speed=1.5)).rows
    assert row == (1, None, None, 1.5)
