import msgspec
import pytest
from msgspec import Struct

from runbook.model.undone import RowsUndone, Undone


@pytest.mark.parametrize("record", [Undone, RowsUndone])
def test_every_field_is_explained(record: type[Struct]) -> None:
    assert [name for name in record.__struct_fields__ if f"    {name}: " not in (record.__doc__ or "")] == []


def test_rows_are_left_alone_unless_something_is_said_of_them() -> None:
    rows = msgspec.convert({"probe": "host_clock"}, RowsUndone)
    assert (rows.where, rows.set, rows.unknown, rows.drop) == (None, {}, [], False)


@pytest.mark.parametrize("unknown", ["every", ["Not A Column"]])
def test_what_is_unknown_are_columns_or_all_of_them(unknown: object) -> None:
    assert msgspec.convert({"probe": "host_clock", "unknown": "all"}, RowsUndone).unknown == "all"
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"probe": "host_clock", "unknown": unknown}, RowsUndone)
