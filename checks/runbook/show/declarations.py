"""What may be written in a runbook, for its author: the fields of blocks, the columns of probes and views."""

import shutil
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from runbook.model.column import Column
from runbook.model.errors import UsageError, did_you_mean
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.view import Input, View
from runbook.parse.block_fields import FieldCard, cards
from runbook.parse.inventory import OF_INVENTORY
from runbook.parse.record_fields import RecordField
from runbook.plugins.catalog import catalog
from runbook.safety.sanitize import sanitize, sanitize_json

_DECLARED: Final = {"probes": Probe, "views": View}


class SourceCard(Struct, frozen=True, omit_defaults=True):
    """A probe or a view: what a row of it is, and what may be said of it.

    Attributes:
        name: of the probe or view.
        help: one sentence: what a row is.
        columns: of its rows.
        parameters: what `with:` may say.
        inputs: the facts a view takes, by the names that `of:` binds.
        connections: the kinds of connection a probe can be put to.
        rights: the least rights a probe needs.
    """

    name: str
    help: str
    columns: tuple[Column, ...]
    parameters: dict[str, Parameter] = {}
    inputs: Mapping[str, Input] = {}
    connections: tuple[str, ...] = ()
    rights: tuple[str, ...] = ()


def sources(room: str, names: Sequence[str]) -> list[SourceCard]:
    """The cards of these probes or views.

    Raises:
        UsageError: there is none of a name.
    """
    found = []
    for name in names:
        if name not in catalog(room):
            raise UsageError(f"There is no {room.removesuffix('s')} {name}: {catalog(room).instead_of(name)}")
        one = declared(room, name)
        found.append(
            SourceCard(
                name=name,
                help=" ".join([one.help, *(f"Left out: {left}." for left in [getattr(one, "leaves_out", "")] if left)]),
                columns=one.columns,
                parameters=one.parameters,
                inputs=getattr(one, "inputs", {}),
                connections=getattr(one, "connections", ()),
                rights=getattr(one, "rights", ()),
            )
        )
    return found


def declared(room: str, name: str) -> Any:
    """What a probe or view declares: a `Probe` or a `View`.

    Raises:
        UsageError: its file can't be loaded, or declares none.
    """
    word, kind = room.removesuffix("s"), _DECLARED[room]
    found = getattr(catalog(room).load(name), word.upper(), None)
    if not isinstance(found, kind):
        wanted = f"{kind.__module__}.{kind.__name__}"
        raise UsageError(f"the file of {word} {name} must define {word.upper()}, a {wanted}")
    return found


def written() -> dict[str, Any]:
    """What somebody writes, into runbooks, cases and inventories -> the record of its fields."""
    from runbook.run.judgement.case import WRITTEN

    return {**WRITTEN, **OF_INVENTORY}


def kinds(names: Sequence[str]) -> list[FieldCard]:
    """The cards of these kinds of block, each followed by those of its parts.

    Raises:
        UsageError: there is none of a name.
    """
    known = written()
    for name in names:
        if name not in known:
            raise UsageError(f"There is no kind of block {name}: {did_you_mean(name, [*known])}")
    return cards({name: known[name] for name in names})


def as_json(cards: Sequence[SourceCard] | Sequence[FieldCard]) -> str:
    """Cards for programs."""
    return sanitize_json(msgspec.to_builtins(cards))


def as_text(cards: Sequence[SourceCard] | Sequence[FieldCard]) -> str:
    """Cards for people, an empty line between them."""
    lines: list[str] = []
    for card in cards:
        lines += [""] if lines else []
        lines += _source(card) if isinstance(card, SourceCard) else _kind(card)
    return "\n".join(sanitize(line) for line in lines)


def _source(card: SourceCard) -> Iterator[str]:
    yield from _wrapped(f"{card.name}  {card.help}")
    if card.connections:
        yield f"  asked of {' or '.join(card.connections)}"
    if card.rights:
        yield from _wrapped(f"  least rights: {'; '.join(card.rights)}")
    if card.inputs:
        takes = [
            (name, " or ".join(wanted.kinds), wanted.at or "", ", ".join(wanted.columns))
            for name, wanted in card.inputs.items()
        ]
        yield from _table(("OF", "FACT", "AT", "COLUMNS IT READS"), takes)
    rows = [(column.name, column.type, note_of(column), meaning_of(column)) for column in card.columns]
    yield from _table(("COLUMN", "TYPE", "", "MEANING"), rows)
    if card.parameters:
        parameters = [
            (name, parameter.type, _default(parameter.default), parameter.help)
            for name, parameter in card.parameters.items()
        ]
        yield from _table(("WITH", "TYPE", "DEFAULT", "MEANING"), parameters)


def _kind(card: FieldCard) -> Iterator[str]:
    yield from _wrapped(f"{card.name}  {card.help}")
    rows = [
        (field.name, field.type, "needed" if field.must else "", f"{field.help}{_words(field)}")
        for field in card.fields
    ]
    yield from _table(("FIELD", "TYPE", "", "MEANING"), rows)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, shutil.get_terminal_size().columns, subsequent_indent="    ")


def _words(field: RecordField) -> str:
    return f" One of {', '.join(field.words)}." if field.words else ""


def note_of(column: Column) -> str:
    """Whether a column is of the key, or moves by nature; empty for neither."""
    return "key" if column.key else "moves" if column.moves else ""


def meaning_of(column: Column) -> str:
    """What a column means, with its unit."""
    return f"{column.help} ({column.unit})" if column.unit else column.help


def _default(value: Any) -> str:
    return "" if value is None else msgspec.json.encode(value).decode()


_WIDEST = 30  # columns of a terminal that a name or a type may take before its meaning begins on the next line


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Cells below each other, the last one wrapped within the terminal."""
    widths = [min(_WIDEST, max(len(row[place]) for row in [head, *rows])) for place in range(len(head) - 1)]
    begin = 2 + sum(width + 2 for width in widths if width)
    room = max(30, shutil.get_terminal_size().columns - begin)
    for row in [head, *rows]:
        front = "  " + "".join(f"{cell:{width}}  " for cell, width in zip(row, widths, strict=False) if width)
        text = textwrap.wrap(row[-1], room) or [""]
        if len(front) > begin:
            yield front.rstrip()
            front = ""
        yield f"{front:{begin}}{text[0]}".rstrip()
        yield from (" " * begin + line for line in text[1:])
