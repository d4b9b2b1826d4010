"""What is legal in an Avro schema and bites later."""

from collections.abc import Iterator, Sequence
from typing import Final

from avro.schema import ArraySchema, EnumSchema, Field, FixedSchema, MapSchema, NamedSchema, Schema, UnionSchema

Met = tuple[str, Field]
"""A field and its path."""

_CARRIERS: Final = {
    "decimal": ("bytes", "fixed"),
    "uuid": ("string", "fixed"),
    "date": ("int",),
    "time-millis": ("int",),
    "time-micros": ("long",),
    "timestamp-millis": ("long",),
    "timestamp-micros": ("long",),
    "timestamp-nanos": ("long",),
    "local-timestamp-millis": ("long",),
    "local-timestamp-micros": ("long",),
    "local-timestamp-nanos": ("long",),
    "duration": ("fixed",),
}
"""Which types each logical type of the specification may annotate; on any other it means nothing."""


def problems_of(schema: Schema, met: Sequence[Met]) -> list[str]:
    """What bites, a sentence each with its path; a type that is used twice is told of twice."""
    found = list(_of_type("the schema", schema))
    if isinstance(schema, NamedSchema) and "." not in schema.fullname:
        found.insert(0, f"{schema.fullname}: has no namespace: another type of that name can't be told from it")
    for path, field in met:
        found += _of_field(path, field)
        for inner in _types(field.type):
            found += _of_type(path, inner)
    return found


def _types(schema: Schema) -> Iterator[Schema]:
    """A type and those within it that are no fields."""
    if isinstance(schema, UnionSchema):
        for branch in schema.schemas:
            yield from _types(branch)
    elif isinstance(schema, ArraySchema):
        yield from _types(schema.items)
    elif isinstance(schema, MapSchema):
        yield from _types(schema.values)
    else:
        yield schema


def _of_field(path: str, field: Field) -> Iterator[str]:
    if not isinstance(field.type, UnionSchema):
        return
    branches = [branch.type for branch in field.type.schemas]
    if "null" not in branches:
        return
    if not field.has_default:
        yield f"{path}: may be null but has no default: what was written without it can't be read"
    elif field.default is None and branches[0] != "null":
        yield f"{path}: its default null is not of the union's first type: readers older than Avro 1.12 refuse that"


def _of_type(path: str, schema: Schema) -> Iterator[str]:
    if isinstance(schema, EnumSchema) and schema.get_prop("default") is None:
        yield f"{path}: the enum {schema.name} has no default: a reader stops at a symbol that is added later"
    logical = schema.get_prop("logicalType")
    if not isinstance(logical, str) or logical not in _CARRIERS:
        return
    if schema.type not in _CARRIERS[logical]:
        yield f"{path}: {logical} means nothing on {schema.type}: readers take the bare value"
    elif logical == "decimal":
        yield from _of_decimal(path, schema)


def _of_decimal(path: str, schema: Schema) -> Iterator[str]:
    precision, scale = schema.get_prop("precision"), schema.get_prop("scale") or 0
    if not isinstance(precision, int) or isinstance(precision, bool) or precision < 1:
        yield f"{path}: a decimal without precision is no decimal: readers take the bare bytes"
    elif not isinstance(scale, int) or not 0 <= scale <= precision:
        yield f"{path}: its scale {scale} is not within its precision {precision}: readers take the bare bytes"
    elif isinstance(schema, FixedSchema) and precision > _digits(schema.size):
        yield f"{path}: {schema.size} bytes hold no {precision} digits: readers take the bare bytes"


def _digits(size: int) -> int:
    """How many decimal digits a two's complement number of so many bytes holds for sure."""
    return len(str(1 << (8 * min(size, 1_000) - 1))) - 1
