"""A Protobuf file as data: messages and enums by their full names, with the types of fields found."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from proto_schema_parser import ast

from schema_compat.parsed import SchemaError

SCALARS: Final = frozenset(
    (
        *("double", "float", "int32", "int64", "uint32", "uint64", "sint32", "sint64"),
        *("fixed32", "fixed64", "sfixed32", "sfixed64", "bool", "string", "bytes"),
    )
)
HIGHEST: Final = (1 << 29) - 1
"""The highest number that a field can have."""
_KEPT: Final = range(19_000, 20_000)
"""Numbers that Protobuf keeps for itself."""

_OPTIONS: Final = re.compile(r"\.?google\.protobuf\.\w+Options$")
"""What a file may say of itself by extending these is on no wire."""

Span = tuple[int, int]
"""Numbers from the first to the last."""


class Reserved(Struct, frozen=True):
    """What may not be used again in a message or enum."""

    spans: tuple[Span, ...] = ()
    names: tuple[str, ...] = ()

    def has(self, number: int) -> bool:
        """Whether the number is reserved."""
        return any(first <= number <= last for first, last in self.spans)


class ProtobufMember(Struct, frozen=True):
    """A field of a message.

    Attributes:
        name: of the field.
        number: by which it is written.
        type: a scalar, or the full name of a message or enum; of a map, that of its values.
        key: of a map, the type of its keys; "" for no map.
        label: optional, required, repeated or "".
        oneof: of which it is one; "" for none.
        default: it has a default of its own, as proto2 allows.
        documented: a comment is before it or behind it.
        group: it is a group, which is written in another way than a message.
    """

    name: str
    number: int
    type: str
    key: str = ""
    label: str = ""
    oneof: str = ""
    default: bool = False
    documented: bool = False
    group: bool = False

    @property
    def many(self) -> bool:
        """It is written any number of times."""
        return self.label == "repeated" or bool(self.key)


class Message(Struct, frozen=True):
    """A message: its full name, its fields in the order of the text."""

    name: str
    members: tuple[ProtobufMember, ...]
    reserved: Reserved
    documented: bool


class Enum(Struct, frozen=True):
    """An enum: its full name, and the number of each name; `closed` ones, of proto2, drop what they don't know."""

    name: str
    values: dict[str, int]
    reserved: Reserved
    closed: bool


class ProtoFile(Struct, frozen=True):
    """A file.

    Attributes:
        syntax: proto2, proto3 or the edition.
        package: "" for none.
        declared: the syntax or edition is written down.
        imports: names of the files that it imports.
        messages: by full name, in the order of the text, inner ones after their outer ones.
        enums: by full name.
        features: it sets features of an edition, which change what its fields are.
        extensions: the fields that it adds to messages declared elsewhere, options of the language left out.
    """

    syntax: str
    package: str
    declared: bool
    imports: tuple[str, ...]
    messages: dict[str, Message]
    enums: dict[str, Enum]
    features: bool
    extensions: tuple[str, ...]


def file_of(tree: ast.File) -> ProtoFile:
    """Make data of a parsed file; types of fields are still as written.

    Raises:
        SchemaError: it breaks a rule of the language that the grammar does not know.
    """
    package = next((element.name for element in tree.file_elements if isinstance(element, ast.Package)), "")
    syntax = (tree.edition or tree.syntax or "proto2").strip("\"'")
    if syntax == "proto1" or not (syntax in ("proto2", "proto3") or syntax.isdecimal()):
        raise SchemaError(f"The Protobuf schema can't be read: its syntax {syntax[:40]} is not known")
    made = _Made(syntax, {}, {})
    made.declared(tree.file_elements, package)
    return ProtoFile(
        syntax=syntax,
        package=package,
        declared=bool(tree.syntax or tree.edition),
        imports=tuple(element.name for element in tree.file_elements if isinstance(element, ast.Import)),
        messages=made.messages,
        enums=made.enums,
        features=syntax.isdecimal() and made.features,
        extensions=tuple(sorted(made.extensions)),
    )


class _Made:
    """What was declared so far."""

    def __init__(self, syntax: str, messages: dict[str, Message], enums: dict[str, Enum]) -> None:
        self.syntax, self.messages, self.enums = syntax, messages, enums
        self.features = False
        self.extensions: list[str] = []

    def declared(self, elements: Iterable[object], scope: str) -> None:
        """Take up the messages and enums among these elements."""
        before: object = None
        for element in elements:
            self.features |= isinstance(element, ast.Option) and element.name.startswith("features")
            if isinstance(element, ast.Message | ast.Group):
                self._message(element, _inside(scope, element.name), documented=_comment(before))
            elif isinstance(element, ast.Enum):
                self._enum(element, _inside(scope, element.name))
            elif isinstance(element, ast.OneOf):
                self.declared((inner for inner in element.elements if isinstance(inner, ast.Group)), scope)
            elif isinstance(element, ast.Extension) and not _OPTIONS.match(element.typeName):
                self.extensions += [
                    f"{element.typeName} {member}" for member in self._members(element.elements, scope, "")
                ]
            before = element

    def _message(self, tree: ast.Message | ast.Group, name: str, *, documented: bool) -> None:
        members = tuple(self._members(tree.elements, name, ""))
        reserved = _reserved(tree.elements, name, HIGHEST)
        _refuse_taken(name, [(member.name, member.number) for member in members], reserved)
        for member in members:
            if not 1 <= member.number <= HIGHEST or member.number in _KEPT:
                raise _wrong(name, f"{member.name} has the number {member.number}, which no field can have")
            if member.label == "required" and self.syntax != "proto2":
                raise _wrong(name, f"{member.name} is required, which {self.syntax} does not know")
        self._add(name)
        self.messages[name] = Message(name, members, reserved, documented)
        self.declared(tree.elements, name)

    def _members(self, elements: Iterable[object], scope: str, oneof: str) -> Iterator[ProtobufMember]:
        for before, element, after in _neighbours(elements):
            documented = _comment(before) or (isinstance(after, ast.Comment) and after.inline)
            if isinstance(element, ast.OneOf):
                yield from self._members(element.elements, scope, element.name)
            elif isinstance(element, ast.MapField):
                yield ProtobufMember(
                    element.name, element.number, element.value_type, key=element.key_type, documented=documented
                )
            elif isinstance(element, ast.Group):
                kind = _inside(scope, element.name)
                label = element.cardinality.value.lower() if element.cardinality else ""
                yield ProtobufMember(
                    element.name.lower(),
                    element.number,
                    f".{kind}",
                    "",
                    label,
                    oneof,
                    documented=documented,
                    group=True,
                )
            elif isinstance(element, ast.Field):
                self.features |= any(option.name.startswith("features") for option in element.options)
                label = element.cardinality.value.lower() if element.cardinality else ""
                default = any(option.name == "default" for option in element.options)
                yield ProtobufMember(element.name, element.number, element.type, "", label, oneof, default, documented)

    def _enum(self, tree: ast.Enum, name: str) -> None:
        values = [(element.name, element.number) for element in tree.elements if isinstance(element, ast.EnumValue)]
        reserved = _reserved(tree.elements, name, (1 << 31) - 1)
        alias = any(isinstance(element, ast.Option) and element.name == "allow_alias" for element in tree.elements)
        _refuse_taken(name, values, reserved, alias=alias)
        if not values:
            raise _wrong(name, "an enum needs a value")
        if self.syntax == "proto3" and values[0][1] != 0:
            raise _wrong(name, f"its first value is {values[0][1]}, and must be 0 in proto3")
        self._add(name)
        self.enums[name] = Enum(name, dict(values), reserved, closed=self.syntax == "proto2")

    def _add(self, name: str) -> None:
        if name in self.messages or name in self.enums:
            raise _wrong(name, "is declared twice")


def _inside(scope: str, name: str) -> str:
    return f"{scope}.{name}" if scope else name


def _comment(before: object) -> bool:
    return isinstance(before, ast.Comment) and not before.inline


def _neighbours(elements: Iterable[object]) -> Iterator[tuple[object, object, object]]:
    """Each element with the one before and the one after."""
    padded = [None, *elements, None]
    for (before, element), (_, after) in pairwise(pairwise(padded)):
        yield before, element, after


def _wrong(name: str, why: str) -> SchemaError:
    return SchemaError(f"The Protobuf schema can't be read: {name}: {why}")


def _refuse_taken(name: str, given: list[tuple[str, int]], reserved: Reserved, *, alias: bool = False) -> None:
    """See that no name and no number is there twice or reserved."""
    names, numbers = set[str](), dict[int, str]()
    for word, number in given:
        if word in names:
            raise _wrong(name, f"{word} is there twice")
        if number in numbers and not alias:
            raise _wrong(name, f"{numbers[number]} and {word} both have the number {number}")
        if reserved.has(number) or word in reserved.names:
            raise _wrong(name, f"{word} = {number} is reserved")
        names.add(word)
        numbers[number] = word


def _reserved(elements: Iterable[object], name: str, highest: int) -> Reserved:
    found = [element for element in elements if isinstance(element, ast.Reserved | ast.EnumReserved)]
    try:
        spans = tuple(_span(text, highest) for reserved in found for text in reserved.ranges)
    except ValueError:
        raise _wrong(name, "what it reserves is no range of numbers") from None
    return Reserved(spans, tuple(word for reserved in found for word in reserved.names))


def _span(text: str, highest: int) -> Span:
    first, _, last = text.partition(" to ")
    end = highest if last.strip() == "max" else int(last or first, 0)
    return int(first, 0), end


def resolved(file: ProtoFile, types: Mapping[str, object], opaque: tuple[str, ...]) -> ProtoFile:
    """The same file with the full name of the type of every field.

    Args:
        file: as it was read.
        types: the full names of all that it may refer to, its own included.
        opaque: packages of which the types are known by name only.

    Raises:
        SchemaError: a type is not there.
    """
    messages = {
        name: Message(
            name,
            tuple(replace(member, type=_found(member.type, name, types, opaque)) for member in message.members),
            message.reserved,
            message.documented,
        )
        for name, message in file.messages.items()
    }
    return replace(file, messages=messages)


def _found(written: str, scope: str, types: Mapping[str, object], opaque: tuple[str, ...]) -> str:
    """The full name of a type as the language looks for it: in the message, then outwards."""
    if written in SCALARS:
        return written
    if written.startswith("."):
        candidates = [written[1:]]
    else:
        parts = scope.split(".")
        candidates = [".".join((*parts[:length], written)) for length in range(len(parts), -1, -1)]
    for name in candidates:
        if name in types or name.startswith(opaque):
            return name
    raise _wrong(scope, f"the type {written} is not there")
