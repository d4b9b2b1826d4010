"""Evidence that does not come from comparing schemas: Avro's own library writes values and reads them again."""

import io
import json
import warnings
from random import Random
from typing import Any

import avro.io
import avro.schema
import pytest
from avro.errors import AvroException

from support.schema_pairs import COMPATIBLE, INCOMPATIBLE, Pair, judged, pairs

# What Java's library reads and Python's does not: aliases, types that moved to another namespace, defaults of enums.
_LACKS = {"rename field", "rename type", "change namespace", "change symbols"}


def plain(text: str) -> Any:
    """Without logical types, of which Python's library makes values of its own."""
    words = ("logicalType", "precision", "scale")
    bare = json.loads(text, object_hook=lambda parsed: {name: parsed[name] for name in parsed if name not in words})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return avro.schema.parse(json.dumps(bare))


def value(schema: Any, dice: Random) -> Any:
    """Any value of a type."""
    plain_values = {"null": None, "boolean": True, "int": 7, "long": 1 << 40, "float": 1.5, "double": 2.5}
    made = {
        "record": lambda: {field.name: value(field.type, dice) for field in schema.fields},
        "array": lambda: [value(schema.items, dice) for _ in range(2)],
        "map": lambda: {name: value(schema.values, dice) for name in "ab"},
        "union": lambda: value(dice.choice(schema.schemas), dice),
        "enum": lambda: dice.choice(schema.symbols),
        "fixed": lambda: b"x" * schema.size,
        "string": lambda: "text",
        "bytes": lambda: b"octets",
    }
    return made[schema.type]() if schema.type in made else plain_values[schema.type]


def reads(pair: Pair, times: int) -> bool:
    """Whether the reader reads all of some values that the writer wrote."""
    reader, writer, dice = plain(pair.reader), plain(pair.writer), Random(pair.writer)
    for _ in range(times):
        wire = io.BytesIO()
        avro.io.DatumWriter(writer).write(value(writer, dice), avro.io.BinaryEncoder(wire))
        wire.seek(0)
        try:
            avro.io.DatumReader(writer, reader).read(avro.io.BinaryDecoder(wire))
        except AvroException:
            return False
    return True


def within_python(pair: Pair) -> bool:
    """Python's library does not read bytes as text, nor text as bytes."""
    return not _LACKS & set(pair.changes) and not (
        '"bytes"' in pair.writer + pair.reader and pair.reader != pair.writer
    )


@pytest.mark.parametrize("seed", [3])
def test_what_is_said_to_be_read_is_read_and_what_is_not_is_not(seed: int):
    seen = set()
    for pair in pairs("AVRO", 400, seed):
        ours, found = judged(pair)
        if ours == COMPATIBLE and within_python(pair):
            assert reads(pair, 6), pair
            seen.add(COMPATIBLE)
        elif ours == INCOMPATIBLE and {clash.rule for clash in found} == {"default"}:
            assert not reads(pair, 12), pair
            seen.add(INCOMPATIBLE)
    assert seen == {COMPATIBLE, INCOMPATIBLE}
