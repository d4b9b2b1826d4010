"""Typed columns: the vocabulary in which probes and views describe their rows."""

import datetime as dt
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain
from types import NoneType
from typing import Any, Literal

from msgspec import Struct

from runbook.model import moment

ColumnType = Literal["int", "float", "string", "bool", "timestamp", "list[int]", "list[string]", "map[string]"]

ENTITIES = (
    "cluster",
    "environment",
    "data_centre",
    "rack",
    "node",
    "host",
    "pod",
    "broker",
    "controller",
    "server",
    "listener",
    "endpoint",
    "principal",
    "setting",
    "connector",
    "subject",
    "topic",
    "group",
    "partition",
    "log_dir",
)
"""What rows are about; what is further up explains more of what changes further down: our judgement."""


PLACES = "places"
"""The column, a map, that says where a file has what a row's cells say: column -> FILE:LINE:COLUMN, "" for the row."""


class Column(Struct, frozen=True):
    """One column of a fact.

    A cell holds a value of `type`, or None for "could not find out": an expression that reads such a cell is
    unknown for that row. A known absence is a value ("" for no rack, -1 for no leader, as in Kafka itself).

    Attributes:
        name: the name expressions use, as in `topic.replication_factor`.
        type: int and float are 64 bit; a timestamp is RFC 3339 text in UTC; a map has string keys and values.
        help: one sentence for authors.
        key: whether the column is part of what names the row.
        entity: what the values name, one of ENTITIES; joins and common causes go by it.
        unit: of a number: bytes, ms, records, partitions…
        why: the text column of the same fact that says why a cell is None, where it is; reports quote it.
        untold: why a cell may be None where no `why` says it, as the end of a sentence: Kafka tells it from 3.3 on.
        moves: whether its values change by nature, as sizes, ages and counters do: no change of anything, when two
            looks are compared. Of a key: rows come and go by nature.
        renewed: of a key: it names its row until that starts anew, as a process id does; two looks are compared
            without it, and another one is a restart.
        setting: the setting of the system whose value in force it is; what would set it so is not advised.
    """

    name: str
    type: ColumnType
    help: str
    key: bool = False
    entity: str | None = None
    unit: str | None = None
    why: str | None = None
    untold: str = ""
    moves: bool = False
    renewed: bool = False
    setting: str = ""


_INT64 = range(-(2**63), 2**63)


_PLAIN: dict[str, set[type]] = {"int": {int}, "float": {float, int}, "string": {str}, "bool": {bool}}


def misfits(column: Column, cells: Sequence[Any]) -> Iterator[Any]:
    """Yield the cells that are not of their column's type; None always fits.

    A fact may have a hundred thousand rows, so whole columns are looked at by type first, cells one by one only where
    that does not settle it.
    """
    kind, _, inner = column.type.partition("[")
    kinds = set(map(type, cells))
    known = [cell for cell in cells if cell is not None] if NoneType in kinds else cells
    if kind == "timestamp":
        plain = _are_times(known)
    elif kind == "list" and kinds <= {list, NoneType}:
        objects = dict(zip(map(id, known), known, strict=True)).values()  # of equal lists mostly one
        items = list(chain.from_iterable(objects))
        plain = _is_plain(inner[:-1], set(map(type, items)), items)
    else:
        plain = _is_plain(kind, kinds - {NoneType}, known)
    if not plain:
        yield from (cell for cell in known if not fits(column, cell))


def _is_plain(kind: str, types: set[type], values: Sequence[Any]) -> bool:
    if not types <= _PLAIN.get(kind, set()):
        return False
    return kind != "int" or not values or (min(values) in _INT64 and max(values) in _INT64)


def _are_times(values: Sequence[Any]) -> bool:
    """Whether all are texts of moments; each text is read once."""
    if not set(map(type, values)) <= {str}:
        return False
    try:
        deque(map(moment.read, set(values)), maxlen=0)
    except ValueError:
        return False
    return True


def fits(column: Column, value: Any) -> bool:
    """Say whether a cell's value is of its column's type; None always fits."""
    if value is None:
        return True
    kind, _, inner = column.type.partition("[")
    if kind == "list":
        return isinstance(value, list) and all(_is(item, inner[:-1]) for item in value)
    if kind == "map":
        return isinstance(value, dict) and all(isinstance(k, str) and isinstance(v, str) for k, v in value.items())
    return _is(value, kind)


def _is(value: Any, kind: str) -> bool:
    """Say whether a value is a scalar of a kind; True and False are no numbers, as they are in Python."""
    match kind:
        case "int":
            return isinstance(value, int) and not isinstance(value, bool) and value in _INT64
        case "float":
            return isinstance(value, float | int) and not isinstance(value, bool)
        case "bool":
            return isinstance(value, bool)
        case "timestamp":
            return isinstance(value, str) and read_time(value) is not None
        case _:
            return isinstance(value, str)


def read_time(text: str) -> dt.datetime | None:
    """Read an RFC 3339 time; one without an offset is UTC. None if it is not written so."""
    try:
        time = moment.read(text)
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=dt.UTC)
