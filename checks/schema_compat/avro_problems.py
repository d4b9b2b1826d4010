"""What is legal in an Avro schema and bites later."""

from collections.abc import Iterator, Sequence

from avro.schema import ArraySchema, EnumSchema, Field, MapSchema, NamedSchema, Schema, UnionSchema

from schema_compat.avro_default import fits
from schema_compat.avro_logical import why_ignored

Met = tuple[str, Field]
"""A field and its path."""


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
    branches = field.type.schemas
    if not field.has_default:
        if any(branch.type == "null" for branch in branches):
            yield f"{path}: may be null but has no default: what was written without it can't be read"
    elif not fits(field.default, branches[0]):
        shown = "null" if field.default is None else repr(field.default)[:40]
        yield f"{path}: its default {shown} is not of the union's first type: readers older than Avro 1.12 refuse that"


def _of_type(path: str, schema: Schema) -> Iterator[str]:
    if isinstance(schema, EnumSchema) and schema.get_prop("default") is None:
        yield f"{path}: the enum {schema.name} has no default: a reader stops at a symbol that is added later"
    if why := why_ignored(schema):
        yield f"{path}: {why}"
