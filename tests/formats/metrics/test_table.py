from typing import Annotated, Any

import pytest

from runbook.formats.metrics import Group, Metric, Sheet
from runbook.formats.metrics.meters import IDENTITY
from runbook.formats.metrics.table import require_identity, tell
from runbook.model.errors import Garbled
from runbook.model.fact import Gap, Observed
from runbook.model.quantity import BrokerId, Moment
from runbook.model.row import Cell, Row

SIZE = Metric("a:type=size", "Value")
SPEED = Metric("a:type=speed", "Value")
WORD = Metric("a:type=word", "Value")
SINCE = Metric("a:type=since", "Value")
PROOF = Metric("a:type=proof", "Value")
OTHER_SIZE = Metric("a:type=other", "Value")


class Moving(Row):
    """A size and a speed."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    size: Annotated[int | None, Cell("Size."), SIZE]
    speed: Annotated[float | None, Cell("Speed."), SPEED]


class Everything(Moving):
    """A cell of each type."""

    word: Annotated[str | None, Cell("Word."), WORD]
    since: Annotated[Moment | None, Cell("Since."), SINCE]


class Twin(Row):
    """Two cells of one type."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    other: Annotated[int | None, Cell("Other size."), OTHER_SIZE]
    size: Annotated[int | None, Cell("Size."), SIZE]


class Kind(Row):
    """What there is of each kind, within each part."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    kind: Annotated[str, Cell("Kind.", key=True)]
    part: Annotated[str, Cell("Part.", key=True)]
    count: Annotated[int | None, Cell("Count."), Metric("a:kind=*,part=*", "Count")]
    time: Annotated[float | None, Cell("Time."), Metric("a:kind=*,part=*", "Mean")]


GROUP = Group(Moving, nowhere="there is none of it")
KINDS = Group(Kind, nowhere="none", seen="count")


def sheet_of(jvm: int | str = 1, **found: Any) -> Sheet:
    metrics = Group(Everything, nowhere="").metrics
    return Sheet(jvm, {metrics[name]: {(): value} for name, value in found.items()})


def moving(broker: int, size: int | None, speed: float | None) -> Moving:
    return Moving(broker=BrokerId(broker), size=size, speed=speed)


def rows(group: Group, *sheets: Sheet, gaps: tuple[Gap, ...] = ()) -> Observed:
    return tell((list(sheets), list(gaps)), group)


def test_values_become_cells_of_their_columns_types():
    [row] = rows(
        Group(Everything, nowhere="none"), sheet_of(size=3.0, speed=2, word="up", since=1_700_000_000_000)
    ).rows
    since = Moment("2023-11-14T22:13:20+00:00")
    assert row == Everything(broker=BrokerId(1), size=3, speed=2.0, word="up", since=since)


def test_every_metric_comes_under_the_field_that_is_annotated_with_it():
    sheet = Sheet(7, {SIZE: {(): 3}, OTHER_SIZE: {(): 4}})
    assert rows(Group(Twin, nowhere="none"), sheet).rows == [Twin(broker=BrokerId(7), size=3, other=4)]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf"), "text"])
def test_what_is_no_number_yet_is_not_known(value: float | str):
    assert rows(GROUP, sheet_of(size=1, speed=value)).rows == [moving(1, 1, None)]


def test_a_jvm_that_has_none_of_it_has_no_row_and_is_no_gap():
    without = Sheet(2, absent={SIZE, SPEED})
    assert rows(GROUP, sheet_of(size=1, speed=2.0), without) == Observed(rows=[moving(1, 1, 2.0)], gaps=[])


def test_where_no_jvm_has_any_of_it_the_question_has_no_meaning():
    assert rows(GROUP, Sheet(1, absent={SIZE, SPEED})).inapplicable == "there is none of it"


def test_a_jvm_of_which_nothing_could_be_read_is_a_gap():
    observed = rows(GROUP, sheet_of(size=1, speed=2.0), Sheet(2, unknown={SIZE: "no right", SPEED: "no right"}))
    assert observed.gaps == [Gap("broker 2: no right", {"broker": 2})]
    assert not observed.inapplicable


def test_an_application_is_named_in_its_gap():
    assert rows(GROUP, Sheet("orders", unknown={SIZE: "no right"})).gaps == [Gap("application orders: no right")]


def test_one_value_that_could_not_be_read_is_a_cell():
    sheet = sheet_of(size=1)
    sheet.unknown[SPEED] = "left out"
    assert rows(GROUP, sheet) == Observed(rows=[moving(1, 1, None)])


def test_a_jvm_that_did_not_answer_keeps_its_gap_and_the_others_their_rows():
    silent = Gap("broker 2 did not answer", {"broker": 2})
    assert rows(GROUP, sheet_of(size=1, speed=1.0), gaps=(silent,)) == Observed(rows=[moving(1, 1, 1.0)], gaps=[silent])


def test_what_exists_only_elsewhere_proves_that_it_is_not_here():
    group = Group(Moving, nowhere="KRaft mode", proof=(PROOF,))
    sheet = Sheet(1, {PROOF: {(): 5}}, unknown={SIZE: "not shown"})
    assert rows(group, sheet).inapplicable == "KRaft mode"


def test_a_jvm_without_what_all_of_its_kind_have_is_of_another_kind():
    group = Group(Moving, nowhere="no broker", of="speed")
    other = Sheet(1, {SIZE: {(): 1}}, absent={SPEED})
    assert rows(group, other, sheet_of(2, size=3, speed=1.0)) == Observed(rows=[moving(2, 3, 1.0)])


def test_rows_that_say_nothing_are_left_out_and_those_not_known_are_kept():
    count, time = KINDS.metrics["count"], KINDS.metrics["time"]
    a, b, c = ("a", "x"), ("b", "y"), ("c", "z")
    sheet = Sheet(1, {count: {a: 0, b: 4}, time: {a: 0.0, b: 1.5, c: 2.5}})
    assert rows(KINDS, sheet).rows == [
        Kind(broker=BrokerId(1), kind="b", part="y", count=4, time=1.5),
        Kind(broker=BrokerId(1), kind="c", part="z", count=None, time=2.5),
    ]
    idle = Sheet(1, {count: {a: 0}, time: {a: 0.0}})
    assert rows(KINDS, idle) == Observed(rows=[])


def test_a_value_that_does_not_say_of_what_it_is_is_refused():
    with pytest.raises(Garbled, match="broker 1 gave a value and does not say of which kind and part"):
        rows(KINDS, Sheet(1, {KINDS.metrics["count"]: {(): 5}}))


def test_the_metrics_of_another_broker_are_refused():
    with pytest.raises(Garbled, match="answers for node 2: correct the address"):
        require_identity(Sheet(1, {IDENTITY: {("2",): 1.0}}))
    require_identity(Sheet(2, {IDENTITY: {("2",): 1.0}}))
    require_identity(Sheet(3))


@pytest.mark.parametrize("value", [1e300, 10**400, -1e30])
def test_what_no_calendar_and_no_64_bits_hold_is_not_known(value: float):
    [row] = rows(Group(Everything, nowhere="none"), sheet_of(size=value, since=value, speed=1.5)).rows
    assert row == Everything(broker=BrokerId(1), size=None, speed=1.5, word=None, since=None)
