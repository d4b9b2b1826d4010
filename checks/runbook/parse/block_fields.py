"""Everything that a runbook's head and its blocks may say: the kinds of block, their parts, and the fields of each."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from runbook.model import block, front_matter, parameter
from runbook.parse.record_fields import RecordField, parts, record_fields, summary

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
            waiting[:0] = [(kinds.get(part, part.__name__), part) for part in parts(record)]
    return list(found.values())
