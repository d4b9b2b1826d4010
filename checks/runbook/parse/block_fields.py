"""Everything that a runbook's head and its blocks may say: the kinds of block, their parts, and the fields of each."""

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

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


def cards(kinds: Sequence[str]) -> list[FieldCard]:
    """Cards of these kinds, each followed by those of its parts; each of them once."""
    found: dict[str, FieldCard] = {}
    waiting = [(kind, KINDS[kind]) for kind in kinds]
    while waiting:
        name, record = waiting.pop(0)
        if name not in found:
            found[name] = FieldCard(name, summary(record), record_fields(record))
            waiting[:0] = _parts(found[name])
    return list(found.values())


def _parts(card: FieldCard) -> Iterator[tuple[str, Any]]:
    """The records that stand in fields, under their own names; those of a kind under the kind's."""
    kinds = {record.__name__: kind for kind, record in KINDS.items()}
    for field in card.fields:
        for module in (block, front_matter, parameter):
            record = getattr(module, field.record, None) if field.record else None
            if inspect.isclass(record) and record.__module__ == module.__name__:
                yield kinds.get(field.record, field.record), record
