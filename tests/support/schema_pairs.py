"""Pairs of schemas of which one came out of the other by changes that people make, and how two judges call them."""

import random
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from schema_compat import Clash, SchemaError, UndecidedSchema, clashes, parse
from support.schema_pairs_avro import avro_change, avro_schema, avro_text
from support.schema_pairs_json import json_change, json_schema, json_text
from support.schema_pairs_protobuf import protobuf_change, protobuf_schema, protobuf_text

COMPATIBLE, INCOMPATIBLE, UNDECIDED = "compatible", "incompatible", "undecided"


class Pair(Struct, frozen=True):
    """A reader's schema and a writer's.

    Attributes:
        kind: of both.
        reader: its text.
        writer: likewise.
        changes: what was done to the older one to get the newer one.
        back: the reader has the older one.
    """

    kind: str
    reader: str
    writer: str
    changes: tuple[str, ...]
    back: bool


_KINDS: dict[str, tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]] = {
    "AVRO": (avro_schema, avro_change, avro_text),
    "JSON": (json_schema, json_change, json_text),
    "PROTOBUF": (protobuf_schema, protobuf_change, protobuf_text),
}


def pairs(kind: str, count: int, seed: int) -> Iterator[Pair]:
    """So many pairs, always the same for a seed; two of three differ by one change, so that none hides another."""
    make, change, text = _KINDS[kind]
    for number in range(count):
        dice = random.Random(f"{kind} {seed} {number}")
        old = make(dice)
        new, changes = old, []
        for _ in range(dice.choice((1, 1, 2, 3)) if number % 3 == 0 else 1):
            new, done = change(dice, new)
            changes.append(done)
        back = dice.random() < 0.5
        reader, writer = (text(old), text(new)) if back else (text(new), text(old))
        yield Pair(kind, reader, writer, tuple(changes), back)


def judged(pair: Pair) -> tuple[str, list[Clash]]:
    """Our verdict."""
    try:
        found = clashes(parse(pair.kind, pair.reader), parse(pair.kind, pair.writer))
    except UndecidedSchema:
        return UNDECIDED, []
    except SchemaError as error:
        raise AssertionError(f"{error}: {pair}") from error
    return (INCOMPATIBLE if found else COMPATIBLE), found
