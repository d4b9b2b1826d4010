from itertools import groupby

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runbook.model.fact import Fact
from runbook.run.collection.packed_facts import packed, unpacked

CELLS = st.one_of(st.none(), st.booleans(), st.integers(0, 2), st.sampled_from([0.0, 1.0]), st.sampled_from(["", "a"]))


@given(st.lists(st.tuples(CELLS, st.integers(1, 9))))
def test_what_is_packed_comes_out_to_the_byte(runs: list[tuple[object, int]]):
    cells = [cell for cell, count in runs for _ in range(count)]
    fact = Fact("x", {"a": cells, "b": [*range(len(cells))]})
    small, counts = packed(fact)
    assert msgspec.json.encode(unpacked(small, counts)) == msgspec.json.encode(fact)


def test_a_cell_of_many_rows_is_sent_once_and_is_one_object_then():
    group = ["orders"] * 500 + ["parcels"] * 500
    small, counts = packed(Fact("x", {"group": group, "partition": [*range(1000)]}))
    assert small.columns["group"] == ["orders", "parcels"]
    assert counts == {"group": [500, 500]}
    came = unpacked(msgspec.json.decode(msgspec.json.encode(small), type=Fact), counts)
    assert came.columns["group"] == group
    assert [len({*map(id, cells)}) for _, cells in groupby(came.columns["group"])] == [1, 1]


def test_what_differs_from_row_to_row_is_sent_as_it_is():
    fact = Fact("x", {"partition": [1000, 2000, 3000]})
    assert packed(fact) == (fact, {})


def test_where_a_count_is_missing_nothing_is_made_up():
    with pytest.raises(ValueError, match="shorter"):
        unpacked(Fact("x", {"a": ["b", "c"]}), {"a": [2]})
