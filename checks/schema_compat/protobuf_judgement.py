"""Whether a Protobuf reader copes with what a writer wrote: by what is on the wire.

Where the wire could be read but the value would be another one (cut off, or of another sign) or be lost without a
word (the same name under another number), it can't: every consumer that is stranded by it would say so.
"""

from collections.abc import Mapping
from typing import Final

from schema_compat.parsed import Clash
from schema_compat.protobuf_file import SCALARS, Enum, Message, ProtobufMember, ProtoFile

_TAKES: Final[dict[str, frozenset[str]]] = {
    "int32": frozenset({"bool", "enum"}),
    "int64": frozenset({"int32", "uint32", "bool", "enum"}),
    "uint32": frozenset({"bool"}),
    "uint64": frozenset({"uint32", "bool"}),
    "sint64": frozenset({"sint32"}),
    "bytes": frozenset({"string"}),
}
"""What a reader's type takes beside itself so that every value stays what it was."""

_WIRE: Final = {
    **dict.fromkeys(("int32", "int64", "uint32", "uint64", "bool", "enum"), "varint"),
    **dict.fromkeys(("sint32", "sint64"), "zigzag"),
    **dict.fromkeys(("string", "bytes"), "text"),
    **dict.fromkeys(("fixed32", "sfixed32"), "4 bytes"),
    **dict.fromkeys(("fixed64", "sfixed64"), "8 bytes"),
}
"""Types that are written alike; all else is alike only to itself."""


class ProtobufJudgement:
    """One judgement of two files: every message and enum that the writer's file has, by its name in its package."""

    def __init__(
        self,
        reader: ProtoFile,
        messages: Mapping[str, Message],
        enums: Mapping[str, Enum],
        their_messages: Mapping[str, Message],
        their_enums: Mapping[str, Enum],
    ) -> None:
        self._reader = reader
        self._messages, self._enums = messages, enums
        self._their_messages, self._their_enums = their_messages, their_enums
        self._package = ""
        self._theirs: frozenset[str] = frozenset()
        self._led_to: set[tuple[str, str]] = set()
        self._pairs: list[tuple[str, str]] = []  # messages of one name in other packages, still to be judged

    def clashes(self, writer: ProtoFile) -> list[Clash]:
        """What the reader can't read of any message of the writer's file, or of those that it imports and uses."""
        self._package, self._theirs = writer.package, frozenset((*writer.messages, *writer.enums))
        found = []
        for name, message in writer.messages.items():
            ours = self._messages.get(self._here(name))
            if ours is None:
                found.append(Clash(self._local(name), "message", "the reader's schema has no such message"))
            else:
                found += self._message(ours, message)
        for name in sorted(self._their_messages.keys() - writer.messages.keys()):  # imported, under names of their own
            if name in self._messages:
                found += self._message(self._messages[name], self._their_messages[name])
        judged = set()
        for name in writer.enums:  # also those that no field led to: other files may import them
            pair = self._here(name), name
            if pair[0] in self._enums and pair not in self._led_to:
                found += [clash.under(self._local(name)) for clash in self._symbols(*pair)]
        while self._pairs:
            if (pair := self._pairs.pop()) not in judged and pair[0] in self._messages:
                judged.add(pair)
                found += self._message(self._messages[pair[0]], self._their_messages[pair[1]])
        return found

    def _here(self, name: str) -> str:
        """A full name of the writer's as the reader's file has it: packages may differ."""
        if name not in self._theirs:  # imported
            return name
        return ".".join(filter(None, (self._reader.package, self._local(name))))

    def _local(self, name: str) -> str:
        return name.removeprefix(f"{self._package}.") if self._package else name

    def _message(self, reader: Message, writer: Message) -> list[Clash]:
        place = reader.name.removeprefix(f"{self._reader.package}.") if self._reader.package else reader.name
        by_number = {member.number: member for member in reader.members}
        by_name = {member.name: member for member in reader.members}
        written = {member.number for member in writer.members}
        found: list[Clash] = []
        for theirs in writer.members:
            ours = by_number.get(theirs.number)
            renamed = by_name.get(theirs.name)
            if renamed is not None and renamed.number != theirs.number:
                words = f"its number {renamed.number} was {theirs.number}: the value is lost without a word"
                found.append(Clash(theirs.name, "number", words))
            elif ours is not None:
                found += [clash.under(ours.name) for clash in self._field(ours, theirs)]
            elif theirs.oneof and _is_gathered(theirs, writer, reader):
                words = f"is of the oneof {theirs.oneof} and not known to the reader: it reads that none is set"
                found.append(Clash(theirs.name, "oneof", words))
        for ours in reader.members:
            if ours.label == "required" and ours.number not in written:
                found.append(Clash(ours.name, "required", "required, and the writer does not have it"))
        found += _gathered(reader, writer)
        return [clash.under(place) for clash in found]

    def _field(self, reader: ProtobufMember, writer: ProtobufMember) -> list[Clash]:
        if reader.label == "required" and writer.label != "required":
            return [Clash("", "required", "required, and the writer may leave it out")]
        if writer.key and reader.many and (entry := self._entry(reader)) is not None:
            return self._value(entry[0].type, writer.key) or self._value(entry[1].type, writer.type)
        if bool(reader.key) != bool(writer.key):
            return [Clash("", "type", "a map and what is no map do not read each other")]
        if reader.group != writer.group:
            return [Clash("", "type", "a group and what is no group do not read each other")]
        if reader.key and (why := self._value(reader.key, writer.key)):
            return [clash.under("{}") for clash in why]
        return self._labels(reader, writer) or self._value(reader.type, writer.type)

    def _entry(self, reader: ProtobufMember) -> tuple[ProtobufMember, ProtobufMember] | None:
        """Key and value of a repeated message that is written as a map's entries are; None for any other.

        As Protobuf's documentation of maps has it: an entry is a message of a key as field 1 and a value as field 2.
        """
        message = self._messages.get(reader.type)
        if message is None or reader.key or reader.group:
            return None
        by_number = {member.number: member for member in message.members}
        plain = all(not member.many and member.label != "required" for member in message.members)
        return (by_number[1], by_number[2]) if plain and by_number.keys() >= {1, 2} else None

    def _labels(self, reader: ProtobufMember, writer: ProtobufMember) -> list[Clash]:
        """Of many values one that is read alone is the last; a single one is read as a list of one, packed or not."""
        if writer.many and not reader.many:
            return [Clash("", "label", "the writer writes many values, of which the reader keeps the last")]
        return []

    def _value(self, reader: str, writer: str) -> list[Clash]:
        if reader not in SCALARS and writer not in SCALARS and reader == self._here(writer):
            return self._symbols(reader, writer)
        if self._is_elsewhere(reader, writer):
            self._pairs.append((reader, writer))
            return self._symbols(reader, writer)
        ours, theirs = self._kind(reader), self._their_kind(writer)
        if self._takes(reader, ours, theirs):
            return []
        if _WIRE.get(ours, ours) == _WIRE.get(theirs, theirs) and ours != theirs:
            return [Clash("", "range", f"{ours} does not hold every value of {theirs}")]
        return [Clash("", "type", f"{reader} does not read {writer}")]

    def _takes(self, reader: str, ours: str, theirs: str) -> bool:
        if ours == "enum" and theirs == "int32":
            return not self._enums[reader].closed  # an open one keeps what it has no name for
        return (ours == theirs and ours in SCALARS) or theirs in _TAKES.get(ours, ())

    def _is_elsewhere(self, reader: str, writer: str) -> bool:
        """Whether these are a message, or an enum, of the same name in two packages, one of them imported."""
        both = (reader in self._messages and writer in self._their_messages) or (
            reader in self._enums and writer in self._their_enums
        )
        return both and reader.rpartition(".")[2] == writer.rpartition(".")[2]

    def _kind(self, name: str) -> str:
        return "enum" if name in self._enums else name

    def _their_kind(self, name: str) -> str:
        return "enum" if name in self._their_enums else name

    def _symbols(self, reader: str, writer: str) -> list[Clash]:
        """Two types of one name: messages are judged by themselves.

        Of enums a name has one number in both, and a closed one drops a number that it does not know.
        """
        self._led_to.add((reader, writer))
        if (reader in self._enums) != (writer in self._their_enums):
            return [Clash("", "type", f"{reader} is an enum in one schema and a message in the other")]
        ours, theirs = self._enums.get(reader), self._their_enums.get(writer)
        if ours is None or theirs is None:
            return []
        moved = [word for word, number in theirs.values.items() if ours.values.get(word, number) != number]
        if moved:
            was, now = theirs.values[moved[0]], ours.values[moved[0]]
            words = f"{moved[0]} was {was} and is {now} in the enum {reader}: what is read is another value"
            return [Clash("", "symbols", words)]
        if not ours.closed:
            return []
        missing = [word for word, number in theirs.values.items() if number not in ours.values.values()]
        return [Clash("", "symbols", f"the closed enum {reader} has no {', '.join(missing[:5])}")] if missing else []


def _is_gathered(theirs: ProtobufMember, writer: Message, reader: Message) -> bool:
    """Whether the reader knows of this member's oneof, by its name or by the numbers of the others in it."""
    others = {member.number for member in writer.members if member.oneof == theirs.oneof}
    return any(member.oneof and (member.oneof == theirs.oneof or member.number in others) for member in reader.members)


def _gathered(reader: Message, writer: Message) -> list[Clash]:
    """Fields that the writer may set together, and of which the reader keeps one."""
    groups: dict[str, list[ProtobufMember]] = {}
    for member in reader.members:
        if member.oneof:
            groups.setdefault(member.oneof, []).append(member)
    theirs = {member.number: member for member in writer.members}
    found = []
    for oneof, members in groups.items():
        written = [theirs[member.number] for member in members if member.number in theirs]
        together = len({member.oneof or f"#{member.number}" for member in written}) > 1
        if together:
            names = " and ".join(member.name for member in written[:4])
            words = f"the writer may set {names} together, the reader keeps one"
            found.append(Clash(oneof, "oneof", words))
    return found
