import datetime as dt
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runbook.model.column import ENTITIES, Column, ColumnType, fits, misfits, read_time


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        ("int", [0, -(2**63), 2**63 - 1], [True, 1.0, "1", 2**63, [1]]),
        ("float", [1, 0.5], [True, "0.5"]),
        ("string", ["", "é"], [1, b"a"]),
        ("bool", [True, False], [1, "true"]),
        ("timestamp", ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.123+02:00"], ["soon", "", 5]),
        ("list[int]", [[], [1, 2]], [[True], ["1"], [None], (1,), 1]),
        ("list[string]", [["a"]], [[1], "a"]),
        ("map[string]", [{}, {"a": "b"}], [{"a": 1}, {1: "a"}, []]),
    ],
)
def test_cells_must_be_of_their_columns_type(kind: Any, right: list[Any], wrong: list[Any]) -> None:
    column = Column("c", kind, "A column.")
    assert all(fits(column, value) for value in [*right, None])
    assert [value for value in wrong if fits(column, value)] == []


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**64), 2**64),
    st.floats(),
    st.text(max_size=3),
    st.just("2026-01-01T00:00:00Z"),
)
CELLS = st.one_of(SCALARS, st.lists(SCALARS, max_size=3), st.dictionaries(st.text(max_size=2), SCALARS, max_size=2))


@given(st.sampled_from(get_args(ColumnType)), st.lists(CELLS, max_size=6))
def test_a_whole_column_is_judged_as_its_cells_are(kind: Any, cells: list[Any]) -> None:
    column = Column("c", kind, "A column.")
    assert list(map(repr, misfits(column, cells))) == [repr(cell) for cell in cells if not fits(column, cell)]


def test_a_time_without_an_offset_is_utc() -> None:
    assert read_time("2026-01-01T00:00:00") == dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def test_entities_are_one_word_each() -> None:
    assert len(set(ENTITIES)) == len(ENTITIES)
    assert all(word == word.lower() and " " not in word for word in ENTITIES)
