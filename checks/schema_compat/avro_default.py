"""Defaults of Avro fields: JSON that must be of the field's type, as the specification writes each type in JSON."""

from collections.abc import Callable
from typing import Any, Final

from avro.schema import (
    ArraySchema,
    EnumSchema,
    FixedSchema,
    MapSchema,
    PrimitiveSchema,
    RecordSchema,
    Schema,
    UnionSchema,
)

_WORDS: Final = ("NaN", "Infinity", "-Infinity")


def _whole(value: Any, bits: int) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1
    return number and -(1 << bits - 1) <= value < 1 << bits - 1


def _number(value: Any) -> bool:
    """JSON has no NaN and no infinity: the three are written as text, as Avro's own readers take them."""
    return value in _WORDS if isinstance(value, str) else isinstance(value, int | float) and not isinstance(value, bool)


def _octets(value: Any) -> bool:
    return isinstance(value, str) and all(character <= "\xff" for character in value)


_PRIMITIVE: Final[dict[str, Callable[[Any], bool]]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "int": lambda value: _whole(value, 32),
    "long": lambda value: _whole(value, 64),
    "float": _number,
    "double": _number,
    "string": lambda value: isinstance(value, str),
    "bytes": _octets,
}


def fits(value: Any, schema: Schema) -> bool:
    """Whether a default is of a type; that of a union is of any branch, as the specification has it since 1.12."""
    if isinstance(schema, PrimitiveSchema):
        return _PRIMITIVE[schema.type](value)
    if isinstance(schema, UnionSchema):
        return any(fits(value, branch) for branch in schema.schemas)
    if isinstance(schema, EnumSchema):
        return value in schema.symbols
    if isinstance(schema, FixedSchema):
        return _octets(value) and len(value) == schema.size
    assert isinstance(schema, ArraySchema | MapSchema | RecordSchema)
    return _contains(value, schema)


def _contains(value: Any, schema: ArraySchema | MapSchema | RecordSchema) -> bool:
    if isinstance(schema, ArraySchema):
        return isinstance(value, list) and all(fits(item, schema.items) for item in value)
    if not isinstance(value, dict):
        return False
    if isinstance(schema, MapSchema):
        return all(fits(item, schema.values) for item in value.values())
    return all(
        fits(value[field.name], field.type) if field.name in value else field.has_default for field in schema.fields
    )
