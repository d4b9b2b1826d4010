from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runbook.evidence.shared_cells import Cells

SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-300, 300), st.floats(allow_nan=False), st.sampled_from("ab"))
CELLS = st.one_of(SCALARS, st.lists(SCALARS, max_size=2), st.dictionaries(st.sampled_from("ab"), SCALARS, max_size=2))


def column(cells: list[Any]) -> list[Any]:
    return Cells().column(msgspec.Raw(msgspec.json.encode(cells)))


@given(st.lists(CELLS, max_size=8))
def test_cells_are_what_they_were_written_as(cells: list[Any]) -> None:
    assert repr(column(cells)) == repr(msgspec.json.decode(msgspec.json.encode(cells)))


@pytest.mark.parametrize("cell", ["orders", 70_000, [1, 2], ["az-a"], {"retention.ms": "1"}])
def test_equal_cells_are_one_object(cell: object) -> None:
    first, nothing, second = column([cell, None, cell])
    assert first is second
    assert nothing is None


def test_texts_are_one_object_in_all_columns() -> None:
    cells = Cells()
    [first], [second] = (cells.column(msgspec.Raw(b'["orders"]')) for _ in range(2))
    assert first is second
