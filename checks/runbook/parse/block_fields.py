"""Everything that a runbook's head and its blocks may say: the kinds of block, their parts, and the fields of each."""

import inspect
from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_type_hints

from msgspec import Struct

from runbook.model import block, front_matter, parameter
from runbook.parse.record_fields import RecordField, record_fields, summary

KINDS: Mapping[str, Any] = {
    "front-matter": front_matter.FrontMatter,
    **block.BLOCKS,
    block.AMEND: block.Amendment,
    "parameter": parameter.Parameter,
}
"""What stands in a runbook beside its prose -> the record of its fields."""


class FieldCard(Struct, frozen=True):
    """A kind of block, or a part of one, with its fields."""

    name: str
    help: str
    fields: list[RecordField]


def cards(records: Mapping[str, Any]) -> list[FieldCard]:
    """Cards of these records by name, each followed by those of its parts; each of them once."""
    kinds = {record: kind for kind, record in KINDS.items()}
    found: dict[str, FieldCard] = {}
    waiting = list(records.items())
    while waiting:
        name, record = waiting.pop(0)
        if name not in found:
            found[name] = FieldCard(name, summary(record), record_fields(record))
            waiting[:0] = [(kinds.get(part, part.__name__), part) for part in _parts(record)]
    return list(found.values())


def _parts(record: Any) -> list[Any]:
    """The records that stand in its fields, in their order."""
    return list(dict.fromkeys(part for hint in get_type_hints(record).values() for part in _records(hint)))


def _records(hint: Any) -> Iterator[Any]:
    if inspect.isclass(hint) and issubclass(hint, Struct):
        yield hint
    for inside in get_args(hint):
        yield from _records(inside)
