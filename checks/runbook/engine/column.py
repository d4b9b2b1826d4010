"""Typed columns: the vocabulary in which probes and views describe their rows."""

from typing import Any, Literal

from msgspec import Struct

ColumnType = Literal["int", "float", "string", "bool", "timestamp", "list[int]", "list[string]", "map[string]"]

ENTITIES = (
    "cluster",
    "environment",
    "topic",
    "partition",
    "broker",
    "controller",
    "rack",
    "host",
    "pod",
    "node",
    "group",
    "principal",
    "listener",
    "subject",
    "connector",
    "setting",
    "log_dir",
)


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
    """

    name: str
    type: ColumnType
    help: str
    key: bool = False
    entity: str | None = None
    unit: str | None = None


_FITS: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (float, int),
    "string": (str,),
    "bool": (bool,),
    "timestamp": (str,),
}


def fits(column: Column, value: Any) -> bool:
    """Say whether a cell's value is of its column's type; None always fits."""
    if value is None:
        return True
    kind, _, inner = column.type.partition("[")
    if kind == "list":
        return isinstance(value, list) and all(isinstance(item, _FITS[inner[:-1]]) for item in value)
    if kind == "map":
        return isinstance(value, dict) and all(isinstance(k, str) and isinstance(v, str) for k, v in value.items())
    if isinstance(value, bool) and kind != "bool":
        return False
    return isinstance(value, _FITS[kind])
