"""Whether an Avro reader copes with what an Avro writer wrote: the rules of schema resolution in the specification.

The library has a judgement of its own, which neither says at which field nor by which rule, and which takes a pair of
recursive types for compatible that it has found not to be. Its verdicts are compared with these in the tests.
"""

from typing import Final

from avro.constants import PRIMITIVE_TYPES
from avro.schema import (
    ArraySchema,
    EnumSchema,
    Field,
    FixedSchema,
    MapSchema,
    NamedSchema,
    RecordSchema,
    Schema,
    UnionSchema,
)

from schema_compat.avro_logical import logical_type
from schema_compat.parsed import Clash, UndecidedSchema, joined

_PROMOTED: Final = {
    "long": ("int",),
    "float": ("int", "long"),
    "double": ("int", "long", "float"),
    "string": ("bytes",),
    "bytes": ("string",),
}
"""What a reader's primitive type takes beside itself."""

_DEEPEST: Final = 80
"""Pairs within pairs. Two recursive types of which the circles differ in length make many pairs."""

Pair = tuple[int, int]


class AvroJudgement:
    """One judgement of two schemas.

    Recursive types meet themselves: a pair that is being looked at counts as compatible for so long. Where that turns
    out wrong, all is looked at again with what was learnt, until nothing more is learnt.
    """

    def __init__(self) -> None:
        self._bad: dict[Pair, Clash] = {}
        self._met: dict[Pair, list[Clash]] = {}

    def clashes(self, reader: Schema, writer: Schema) -> list[Clash]:
        """What the reader can't read, each pair of named types told of in full once.

        Raises:
            Undecided: recursive types are entangled deeper than is followed.
        """
        while True:
            known = len(self._bad)
            self._met = {}
            found = self._read(reader, writer, 0)
            if len(self._bad) == known:
                return found

    def _read(self, reader: Schema, writer: Schema, depth: int) -> list[Clash]:
        if depth > _DEEPEST:
            raise UndecidedSchema(f"The types refer to each other in more than {_DEEPEST} steps: too deep to be judged")
        if reader.type == writer.type and reader.type in PRIMITIVE_TYPES:  # most are; the rest takes longer to tell
            return _meaning(reader, writer)
        if isinstance(writer, UnionSchema):
            return [clash for branch in writer.schemas for clash in self._read(reader, branch, depth + 1)]
        if isinstance(reader, UnionSchema):
            return self._any(reader, writer, depth)
        if reader.type != writer.type:
            return _promoted(reader, writer)
        return self._same(reader, writer, depth)

    def _same(self, reader: Schema, writer: Schema, depth: int) -> list[Clash]:
        """Two of one type."""
        if isinstance(reader, ArraySchema) and isinstance(writer, ArraySchema):
            return [clash.under("[]") for clash in self._read(reader.items, writer.items, depth + 1)]
        if isinstance(reader, MapSchema) and isinstance(writer, MapSchema):
            return [clash.under("{}") for clash in self._read(reader.values, writer.values, depth + 1)]
        if isinstance(reader, NamedSchema) and isinstance(writer, NamedSchema):
            return self._named(reader, writer, depth)
        return _meaning(reader, writer)

    def _any(self, reader: UnionSchema, writer: Schema, depth: int) -> list[Clash]:
        """A union reads what one of its types reads; if none does, the type of the same name or kind says why."""
        why: list[Clash] = []
        for branch in reader.schemas:
            found = self._read(branch, writer, depth + 1)
            if not found:
                return []
            if branch.type == writer.type and not any(clash.rule == "name" and not clash.path for clash in found):
                why = found
        return why or [Clash("", "union", f"no type of the union reads {_called(writer)}")]

    def _named(self, reader: NamedSchema, writer: NamedSchema, depth: int) -> list[Clash]:
        pair = (id(reader), id(writer))
        if pair in self._met:
            return self._met[pair][:1] or ([self._bad[pair]] if pair in self._bad else [])
        self._met[pair] = []
        found = list(_names(reader, writer))
        if not found:
            if isinstance(reader, RecordSchema) and isinstance(writer, RecordSchema):
                found = self._fields(reader, writer, depth)
            elif isinstance(reader, EnumSchema) and isinstance(writer, EnumSchema):
                found = _symbols(reader, writer)
            elif isinstance(reader, FixedSchema) and isinstance(writer, FixedSchema):
                found = _size(reader, writer) or _meaning(reader, writer)
        self._met[pair] = found
        if found:
            self._bad.setdefault(pair, found[0])
        return found

    def _fields(self, reader: RecordSchema, writer: RecordSchema, depth: int) -> list[Clash]:
        written = writer.fields_dict
        found = []
        for field in reader.fields:
            theirs = _written(field, written)
            if theirs is not None:
                found += [clash.under(field.name) for clash in self._read(field.type, theirs.type, depth + 1)]
            elif not field.has_default:
                found.append(Clash(field.name, "default", "has no default, and the writer has no such field"))
        return found


def _written(field: Field, written: dict[str, Field]) -> Field | None:
    """The writer's field that a reader's field is read from: of its name, or of one of its aliases."""
    aliases = field.get_prop("aliases")
    names = [field.name, *(aliases if isinstance(aliases, list) else [])]
    return next((written[name] for name in names if isinstance(name, str) and name in written), None)


def _names(reader: NamedSchema, writer: NamedSchema) -> list[Clash]:
    """Names count without their namespaces, as the specification and Avro's Java have it; or an alias counts."""
    if reader.name == writer.name:
        return []
    aliases = reader.get_prop("aliases")
    known = [str(alias) for alias in aliases] if isinstance(aliases, list) else []
    full = [alias if "." in alias else joined(reader.namespace or "", alias) for alias in known]
    if writer.fullname in full:
        return []
    return [
        Clash("", "name", f"the {reader.type} {reader.fullname} does not read {writer.fullname}, and has no such alias")
    ]


def _symbols(reader: EnumSchema, writer: EnumSchema) -> list[Clash]:
    missing = [symbol for symbol in writer.symbols if symbol not in reader.symbols]
    if not missing or reader.get_prop("default") is not None:
        return []
    return [Clash("", "symbols", f"the enum {reader.name} has no {', '.join(missing[:5])}, and no default")]


def _size(reader: FixedSchema, writer: FixedSchema) -> list[Clash]:
    if reader.size == writer.size:
        return []
    return [Clash("", "size", f"the fixed {reader.name} of {reader.size} bytes does not read {writer.size} bytes")]


def _promoted(reader: Schema, writer: Schema) -> list[Clash]:
    if writer.type in _PROMOTED.get(reader.type, ()):
        return _meaning(reader, writer)
    return [Clash("", "type", f"{_called(reader)} does not read {_called(writer)}")]


def _meaning(reader: Schema, writer: Schema) -> list[Clash]:
    """The same bytes that mean something else: no reader stops there, and every value is wrong."""
    ours, theirs = logical_type(reader), logical_type(writer)
    if not ours or not theirs:
        return []
    if ours != theirs:
        return [Clash("", "logical type", f"{ours} does not read {theirs}: the same number means something else")]
    if ours == "decimal":
        # not made up: Avro's own default
        scales = [schema.get_prop("scale") or 0 for schema in (reader, writer)]
        if scales[0] != scales[1]:
            return [Clash("", "scale", f"a decimal of scale {scales[0]} does not read one of scale {scales[1]}")]
    return []


def _called(schema: Schema) -> str:
    return f"{schema.type} {schema.name}" if isinstance(schema, NamedSchema) else str(schema.type)
