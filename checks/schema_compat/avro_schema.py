"""Avro: the official library reads the schema; what it does not look at, as defaults, is looked at here."""

import re
import warnings
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from avro.constants import PRIMITIVE_TYPES
from avro.errors import AvroException
from avro.name import Names
from avro.schema import (
    ArraySchema,
    EnumSchema,
    FixedSchema,
    MapSchema,
    NamedSchema,
    PrimitiveSchema,
    RecordSchema,
    Schema,
    UnionSchema,
    make_avsc_object,
)
from avro.schema import Field as AvroField

from schema_compat.avro_default import fits
from schema_compat.avro_judgement import AvroJudgement
from schema_compat.avro_problems import problems_of
from schema_compat.bounds import DEEPEST, MOST_FIELDS, json_value
from schema_compat.parsed import AVRO, Clash, Field, Parsed, References, SchemaError, joined

_UNKNOWN: Final = re.compile(r"Could not make an Avro Schema object from ([\w.]+)|Undefined type: ([\w.]+)")


class AvroParsed(Parsed):
    """An Avro schema, with the types that it defines or refers to."""

    kind = AVRO

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.name = str(schema.fullname) if isinstance(schema, NamedSchema) else ""
        self.documented = bool(schema.get_prop("doc"))
        self._met = list(islice(_walk(schema, "", ()), MOST_FIELDS + 1))
        if len(self._met) > MOST_FIELDS:
            raise SchemaError(f"The Avro schema has more than {MOST_FIELDS:,} fields, inner ones counted each time")
        for path, field in self._met:
            _look_at(path, field)

    def fields(self) -> Sequence[Field]:
        """Every field; those within a union by the record's name where there are several."""
        return [_field(path, field) for path, field in self._met]

    def problems(self) -> list[str]:
        """Unions and enums that can't grow, decimals that are none, names that may be taken."""
        return problems_of(self.schema, self._met)

    def clashes(self, writer: Parsed) -> list[Clash]:
        """By the rules of schema resolution in Avro's specification."""
        assert isinstance(writer, AvroParsed)
        return AvroJudgement().clashes(self.schema, writer.schema)


def parse_avro(text: str, references: References) -> AvroParsed:
    """Read an Avro schema and the named types that it refers to.

    Raises:
        SchemaError: it is none, too much, or a type that it names is not there.
    """
    names = Names()
    waiting = {name: json_value(inner, AVRO) for name, (_, inner) in references.items()}
    while waiting:  # in whatever order they refer to each other
        read = [name for name, value in waiting.items() if _reads(value, names)]
        if not read:
            name, value = next(iter(waiting.items()))
            raise SchemaError(f"The reference {name} can't be read: {_why(value, names)}")
        for name in read:
            del waiting[name]
    value = json_value(text, AVRO)
    if isinstance(value, str) and value not in PRIMITIVE_TYPES and names.has_name(value):
        return AvroParsed(names.names[value])
    keep: list[Schema] = []
    if (why := _why(value, names, keep)) is not None:
        raise SchemaError(f"The Avro schema can't be read: {why}")
    return AvroParsed(keep[0])


def _reads(value: Any, names: Names) -> bool:
    """Whether it could be read; its types are then among the names, and else the names are as before."""
    before = dict(names.names)
    if _why(value, names) is None:
        return True
    names.names = before
    return False


def _why(value: Any, names: Names, keep: list[Schema] | None = None) -> str | None:
    """Why a value is no schema; None where it is one, which is then kept."""
    try:
        with warnings.catch_warnings():  # logical types that it does not know: ignored, as the specification demands
            warnings.simplefilter("ignore")
            schema = make_avsc_object(value, names)
    except (AvroException, TypeError, ValueError, KeyError, AttributeError, RecursionError) as error:
        return _innermost(error)
    if keep is not None:
        keep.append(schema)
    return None


def _innermost(error: BaseException) -> str:
    """The library wraps an error once a level, each time with the whole schema: the first one says it all."""
    names = []
    while error.__context__ is not None:
        error = error.__context__
    if found := _UNKNOWN.fullmatch(str(error)):
        names = [name for name in found.groups() if name]
    return f"the type {names[0]} is not there" if names else str(error)[:300]


def _walk(schema: Schema, path: str, within: tuple[int, ...]) -> Iterator[tuple[str, AvroField]]:
    """Every field of every record with its path; a record within itself is not followed again."""
    if len(within) > DEEPEST:
        raise SchemaError(f"The Avro schema nests deeper than {DEEPEST} types, at {path[:200]}")
    if isinstance(schema, PrimitiveSchema):  # most are, and to be of none of the other classes takes long to tell
        return
    if isinstance(schema, ArraySchema):
        yield from _walk(schema.items, path + "[]", (*within, 0))
    elif isinstance(schema, MapSchema):
        yield from _walk(schema.values, path + "{}", (*within, 0))
    elif isinstance(schema, UnionSchema):
        several = sum(isinstance(branch, RecordSchema) for branch in schema.schemas) > 1
        for branch in schema.schemas:
            named = several and isinstance(branch, RecordSchema)
            yield from _walk(branch, f"{path}<{branch.name}>" if named else path, within)
    elif isinstance(schema, RecordSchema) and id(schema) not in within:
        for field in schema.fields:
            inner = joined(path, field.name)
            yield inner, field
            yield from _walk(field.type, inner, (*within, id(schema)))


def _look_at(path: str, field: AvroField) -> None:
    """What the library lets pass and other readers refuse."""
    if isinstance(field.type, UnionSchema):
        names = [_short(branch) for branch in field.type.schemas]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise SchemaError(f"The Avro schema can't be read: {path}: its union has {twice[0]} twice")
    if field.has_default and not fits(field.default, field.type):
        raise SchemaError(
            f"The Avro schema can't be read: {path}: its default is no {_short(field.type)}: {str(field.default)[:80]}"
        )


def _field(path: str, field: AvroField) -> Field:
    branches = field.type.schemas if isinstance(field.type, UnionSchema) else [field.type]
    nullable = len(branches) > 1 and any(branch.type == "null" for branch in branches)
    logical = [found for branch in branches if isinstance(found := branch.get_prop("logicalType"), str)]
    return Field(
        path=path,
        type=_short(field.type),
        optional=field.has_default,
        has_default=field.has_default,
        null_default=field.has_default and field.default is None if nullable else None,
        documented=bool(field.doc),
        logical_type=logical[0] if logical else "",
        number=0,
    )


def _short(schema: Schema) -> str:
    if isinstance(schema, PrimitiveSchema):
        return str(schema.type)
    if isinstance(schema, ArraySchema):
        return f"array<{_short(schema.items)}>"
    if isinstance(schema, MapSchema):
        return f"map<{_short(schema.values)}>"
    if isinstance(schema, UnionSchema):
        return f"union<{','.join(_short(branch) for branch in schema.schemas)}>"
    if isinstance(schema, EnumSchema | FixedSchema):
        return f"{schema.type} {schema.name}"
    return str(schema.name) if isinstance(schema, NamedSchema) else str(schema.type)
