from collections.abc import Iterator
from itertools import chain
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runbook.model.errors import Garbled
from runbook.model.fact import Fact, Gap, Observed, conform, distinct, tabulate
from runbook.model.row import Cell, Row, columns_of


class Named(Row):
    """Something with a size."""

    name: Annotated[str, Cell("Name.", key=True)]
    size: Annotated[int | None, Cell("Size.")]


COLUMNS = columns_of(Named)


def test_rows_become_columns_with_what_could_not_be_seen() -> None:
    fact = tabulate("p", COLUMNS, Observed([Named(name="a", size=1), Named(name="b", size=None)], [Gap("hidden")]))
    assert (fact.columns, fact.complete, len(fact)) == ({"name": ["a", "b"], "size": [1, None]}, False, 2)
    assert list(fact.rows()) == [{"name": "a", "size": 1}, {"name": "b", "size": None}]


@pytest.mark.parametrize(("name", "size"), [("a", "1"), ("a", True), (1, 1), ("a", 2**64)])
def test_a_row_that_is_not_as_declared_is_refused(name: Any, size: Any) -> None:
    with pytest.raises(Garbled, match="p gave"):
        tabulate("p", COLUMNS, Observed([Named(name=name, size=size)]))


def test_what_has_no_meaning_is_no_row_and_no_gap() -> None:
    fact = tabulate("p", COLUMNS, Observed(inapplicable="ZooKeeper mode"))
    assert (fact.inapplicable, fact.gaps, len(fact)) == ("ZooKeeper mode", [], 0)


def test_cells_without_names_are_no_row() -> None:
    with pytest.raises(Garbled, match="p gave rows of tuple, not its own"):
        tabulate("p", COLUMNS, Observed([("a", 1)]))


def test_a_fact_without_rows_is_a_fact() -> None:
    assert tabulate("p", COLUMNS, Observed())


def test_a_fact_without_gaps_is_complete() -> None:
    assert tabulate("p", COLUMNS, Observed()).complete


@pytest.mark.parametrize("found", [[], "", None, 0, False])
def test_what_was_not_found_is_absent_only_if_all_was_seen(found: object) -> None:
    whole, part = Fact("p", {"a": [1]}), Fact("p", {"a": [1]}, [Gap("hidden")])
    assert (whole.presence(found=found), part.presence(found=found)) == (False, None)
    assert (whole.presence(found="it"), part.presence(found="it")) == (True, True)


def test_the_digest_is_of_what_was_seen_not_of_when() -> None:
    one = Fact("p", {"a": [1], "b": [2]}, collected_at="2026-01-01T00:00:00Z", took_ms=3)
    assert one.digest() == Fact("p", {"b": [2], "a": [1]}).digest()


@given(st.sampled_from(["source", "cell", "gap", "inapplicable", "order"]))
def test_the_digest_changes_with_anything_seen(what: str) -> None:
    fact = Fact("p", {"a": [1, 2]}, [Gap("g")])
    other = {
        "source": Fact("q", {"a": [1, 2]}, [Gap("g")]),
        "cell": Fact("p", {"a": [1, None]}, [Gap("g")]),
        "gap": Fact("p", {"a": [1, 2]}, [Gap("g", {"broker": 1})]),
        "inapplicable": Fact("p", {"a": [1, 2]}, [Gap("g")], "no"),
        "order": Fact("p", {"a": [2, 1]}, [Gap("g")]),
    }[what]
    assert fact.digest() != other.digest()


def test_gaps_that_say_the_same_count_once() -> None:
    gaps = [Gap("x", {"broker": 1}), Gap("y"), Gap("x", {"broker": 1}), Gap("x", {"broker": 2})]
    assert distinct(gaps) == [gaps[0], gaps[1], gaps[3]]


def test_a_stored_fact_that_is_as_declared_stays_itself() -> None:
    fact = Fact("p", {"size": [1], "name": ["a"]})
    assert conform(fact, COLUMNS) is fact


def test_a_column_that_was_not_asked_for_then_is_not_known_now() -> None:
    assert conform(Fact("p", {"name": ["a", "b"], "old": [1, 2]}), COLUMNS).columns == {
        "name": ["a", "b"],
        "size": [None, None],
    }


@pytest.mark.parametrize("columns", [{"name": ["a"], "size": ["1"]}, {"name": ["a", "b"], "size": [1]}])
def test_a_stored_fact_that_is_not_as_declared_is_refused(columns: dict[str, list[Any]]) -> None:
    with pytest.raises(Garbled, match="the stored fact of p has"):
        conform(Fact("p", columns), COLUMNS)


def test_rows_may_come_one_by_one_and_a_stranger_among_thousands_is_refused():
    def come(count: int) -> Iterator[Any]:
        yield from (Named(name=str(number), size=number) for number in range(count))

    assert tabulate("p", COLUMNS, Observed(rows=come(2500))).columns["size"] == [*range(2500)]
    with pytest.raises(Garbled, match="p gave rows of Named, tuple, not its own"):
        tabulate("p", COLUMNS, Observed(rows=chain(come(2500), [("a", 1)])))
