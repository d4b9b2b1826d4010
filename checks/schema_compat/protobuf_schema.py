"""Protobuf: a file as a registry keeps it, the first message of which is the record's."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NoReturn

from antlr4.error.ErrorListener import ErrorListener
from proto_schema_parser.parser import Parser

from schema_compat.bounds import DEEPEST, MOST_FIELDS, bounded, refuse_deep
from schema_compat.parsed import PROTOBUF, Clash, Field, Parsed, References, SchemaError, UndecidedSchema, joined
from schema_compat.protobuf_file import Enum, Message, ProtobufMember, ProtoFile, Reserved, file_of, resolved
from schema_compat.protobuf_judgement import ProtobufJudgement

_LONGEST: Final = 1 << 18
"""Characters of a file: the parser reads some 200,000 a second."""
_BUILT_IN: Final = ("google/protobuf/", "google/type/", "confluent/")
"""Files that every registry knows by itself; their types are known by name only."""
_TOKENS: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
_STYLE: Final = ("UNSPECIFIED", "UNKNOWN")


class ProtobufParsed(Parsed):
    """A Protobuf file and those that it imports."""

    kind = PROTOBUF

    def __init__(self, file: ProtoFile, others: Sequence[ProtoFile]) -> None:
        self.file = file
        self.messages = {name: message for each in (*others, file) for name, message in each.messages.items()}
        self.enums = {name: enum for each in (*others, file) for name, enum in each.enums.items()}
        root = next(iter(file.messages.values()), None)
        self.name = root.name if root else ""
        self.documented = bool(root and root.documented)
        met = list(islice(self._walk(root, "", ()), MOST_FIELDS + 1)) if root else []
        if len(met) > MOST_FIELDS:
            raise SchemaError(f"The Protobuf schema has more than {MOST_FIELDS:,} fields, inner ones counted each time")
        self._met = met

    def _walk(self, message: Message, path: str, within: tuple[str, ...]) -> Iterator[tuple[str, ProtobufMember]]:
        if len(within) > DEEPEST:
            raise SchemaError(f"The Protobuf schema nests deeper than {DEEPEST} messages, at {path[:200]}")
        for member in message.members:
            inner = joined(path, member.name)
            yield inner, member
            kind = self.messages.get(member.type)
            if kind is not None and kind.name not in (*within, message.name):
                many = "{}" if member.key else "[]" if member.many else ""
                yield from self._walk(kind, inner + many, (*within, message.name))

    def fields(self) -> Sequence[Field]:
        """Fields of the first message, as records have it unless they say otherwise, and of those within."""
        return [
            Field(
                path=path,
                type=self._type(member),
                optional=member.label != "required",
                has_default=member.default,
                null_default=None,
                documented=member.documented,
                logical_type="",
                number=member.number,
            )
            for path, member in self._met
        ]

    def _type(self, member: ProtobufMember) -> str:
        short = member.type.rpartition(".")[2]
        word = f"enum {short}" if member.type in self.enums else short
        if member.key:
            word = f"map<{member.key},{short}>"
        elif member.label:
            word = f"{member.label} {word}"
        return f"{word} #{member.number}"

    def problems(self) -> list[str]:
        """Fields that can never be removed, enums of which 0 means something, names that may be taken."""
        found = []
        if not self.file.declared:
            found.append("the schema: has no syntax: it is read as proto2")
        if not self.file.package and self.name:
            found.append(f"{self.name}: has no package: another message of that name can't be told from it")
        for message in self.file.messages.values():
            found += [
                f"{message.name}.{member.name}: required: it can neither be added to nor removed from what is written"
                for member in message.members
                if member.label == "required"
            ]
        return found + [sentence for enum in self.file.enums.values() for sentence in _zero(enum)]

    def clashes(self, writer: Parsed) -> list[Clash]:
        """By what is on the wire: numbers and how each type is written; names count only where their number changed."""
        assert isinstance(writer, ProtobufParsed)
        if self.file.features or writer.file.features:
            raise UndecidedSchema("The features of an edition change what its fields are: they are not judged")
        if self.file.extensions != writer.file.extensions:
            raise UndecidedSchema("Extensions add fields to messages of other files: a change of them is not judged")
        return ProtobufJudgement(self.file, self.messages, self.enums, writer.messages, writer.enums).clashes(
            writer.file
        )

    def unreserved(self, old: Parsed) -> list[str]:
        """Numbers and names of fields and values that are gone and may be used again."""
        assert isinstance(old, ProtobufParsed)
        return given_up(self.file, old.file)


def _zero(enum: Enum) -> Iterator[str]:
    name = next((word for word, number in enum.values.items() if number == 0), "")
    if name and not name.upper().endswith(_STYLE):
        yield f"{enum.name}.{name}: is 0: whoever does not set the field says {name}"


def parse_protobuf(text: str, references: References) -> ProtobufParsed:
    """Read a Protobuf file and those that it imports.

    Raises:
        SchemaError: it is none, too much, or imports what is not there.
    """
    file = _read(text)
    others = {name: _read(inner) for name, (_, inner) in references.items()}
    for each in (file, *others.values()):
        missing = [name for name in each.imports if name not in others and not name.startswith(_BUILT_IN)]
        if missing:
            raise SchemaError(f"The Protobuf schema can't be read: it imports {missing[0]}, which is not there")
    types = {name: None for each in (file, *others.values()) for name in (*each.messages, *each.enums)}
    opaque = tuple(sorted({_package(name) for each in (file, *others.values()) for name in each.imports} - {""}))
    linked = [resolved(each, types, opaque) for each in (file, *others.values())]
    return ProtobufParsed(linked[0], linked[1:])


def _package(name: str) -> str:
    """The package of a file that registries bring along, by its folder."""
    if not name.startswith(_BUILT_IN):
        return ""
    return name.rpartition("/")[0].replace("/", ".") + "."


def _read(text: str) -> ProtoFile:
    bounded(text, "Protobuf", _LONGEST)
    kept, bare = _comments(text)
    refuse_deep(bare, "Protobuf")
    parser = Parser(setup_lexer=_strict, setup_parser=_strict)
    try:
        return file_of(parser.parse(kept))
    except SchemaError:
        raise
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise SchemaError(f"The Protobuf schema can't be read: {str(error)[:200]}") from None


def _comments(text: str) -> tuple[str, str]:
    """The text with comments only between statements, where the grammar has them; and without them and quoted parts."""
    kept, bare, done, last = [], [], 0, ";"
    for found in _TOKENS.finditer(text):
        between = text[done : found.start()]
        last = between.rstrip()[-1:] or last
        comment = found[0].startswith("/")
        blank = comment and last not in ";{}"
        kept += [between, re.sub(r"[^\n]", " ", found[0]) if blank else found[0]]
        bare.append(between)
        last = last if comment else '"'
        done = found.end()
    return "".join((*kept, text[done:])), "".join((*bare, text[done:]))


class _Refusing(ErrorListener):  # type: ignore[misc] # the library ships no types
    """Stops at the first thing that is not of the language, where the library would print and go on."""

    def syntaxError(  # noqa: N802 - the library calls it so
        self, recognizer: Any, symbol: Any, line: int, column: int, words: str, error: Any
    ) -> NoReturn:
        del recognizer, symbol, error
        raise SchemaError(f"The Protobuf schema can't be read: line {line}, column {column + 1}: {words[:160]}")


def _strict(recognizer: Any) -> None:
    recognizer.removeErrorListeners()
    recognizer.addErrorListener(_Refusing())


def given_up(new: ProtoFile, old: ProtoFile) -> list[str]:
    """What may be used again for something else, a sentence each; of messages and enums that both files have."""
    found = []
    for name, message in old.messages.items():
        now = new.messages.get(_moved(name, old, new))
        if now is not None:
            before = {member.name: member.number for member in message.members}
            after = {member.name: member.number for member in now.members}
            found += list(_free(name, before, after, message.reserved, now.reserved))
    for name, enum in old.enums.items():
        later = new.enums.get(_moved(name, old, new))
        if later is not None:
            found += list(_free(name, enum.values, later.values, enum.reserved, later.reserved))
    return found


def _moved(name: str, old: ProtoFile, new: ProtoFile) -> str:
    """The full name in the other file's package."""
    local = name.removeprefix(f"{old.package}.") if old.package else name
    return f"{new.package}.{local}" if new.package else local


def _free(
    place: str, before: Mapping[str, int], after: Mapping[str, int], was: Reserved, reserved: Reserved
) -> Iterator[str]:
    taken = {number: word for word, number in after.items()}
    for word, number in before.items():
        if word not in after and number in taken and taken[number] not in before:
            yield f"{place}.{word}: its number {number} now belongs to {taken[number]}"
        elif word not in after and number not in taken and not reserved.has(number):
            yield f"{place}.{word}: removed, and its number {number} is not reserved"
        if word not in after and word not in reserved.names:
            yield f"{place}.{word}: removed, and its name is not reserved"
    for first, last in was.spans:
        if not any(begin <= first and last <= end for begin, end in reserved.spans):
            yield (
                f"{place}: {first} to {last} was reserved and is no longer"
                if last > first
                else (f"{place}: {first} was reserved and is no longer")
            )
    for word in was.names:
        if word not in reserved.names:
            yield f"{place}: {word} was reserved and is no longer"
