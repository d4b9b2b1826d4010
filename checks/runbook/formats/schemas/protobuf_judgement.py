"""Whether a Protobuf reader copes with what a writer wrote: by what is on the wire.

Where the wire could be read but the value would be another one (cut off, or of another sign) or be lost without a
word (the same name under another number), it can't: every consumer that is stranded by it would say so.
"""

from collections.abc import Mapping
from typing import Final

from runbook.formats.schemas.parsed import Clash
from runbook.formats.schemas.protobuf_file import SCALARS, Enum, Member, Message, ProtoFile

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

_TEXT: Final = ("string", "bytes")


class Judgement:
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
        by_number = {one.number: one for one in reader.members}
        by_name = {one.name: one for one in reader.members}
        written = {one.number for one in writer.members}
        found: list[Clash] = []
        for theirs in writer.members:
            ours = by_number.get(theirs.number)
            renamed = by_name.get(theirs.name)
            if renamed is not None and renamed.number != theirs.number:
                words = f"its number {renamed.number} was {theirs.number}: the value is lost without a word"
                found.append(Clash(theirs.name, "number", words))
            elif ours is not None:
                found += [clash.under(ours.name) for clash in self._field(ours, theirs)]
            elif theirs.oneof and any(one.oneof == theirs.oneof for one in reader.members):
                words = f"is of the oneof {theirs.oneof} and not known to the reader: it reads that none is set"
                found.append(Clash(theirs.name, "oneof", words))
        for ours in reader.members:
            if ours.label == "required" and ours.number not in written:
                found.append(Clash(ours.name, "required", "required, and the writer does not have it"))
        found += _gathered(reader, writer)
        return [clash.under(place) for clash in found]

    def _field(self, reader: Member, writer: Member) -> list[Clash]:
        if reader.label == "required" and writer.label != "required":
            return [Clash("", "required", "required, and the writer may leave it out")]
        if bool(reader.key) != bool(writer.key):
            return [Clash("", "type", "a map and what is no map do not read each other")]
        if reader.group != writer.group:
            return [Clash("", "type", "a group and what is no group do not read each other")]
        if reader.key and (why := self._value(reader.key, writer.key)):
            return [clash.under("{}") for clash in why]
        return self._labels(reader, writer) or self._value(reader.type, writer.type)

    def _labels(self, reader: Member, writer: Member) -> list[Clash]:
        """Of many values one that is read alone is the last; one number is not written as many are."""
        if reader.many == writer.many:
            return []
        if writer.many:
            return [Clash("", "label", "the writer writes many values, of which the reader keeps the last")]
        if reader.type in _TEXT or reader.type in self._messages:
            return []
        return [Clash("", "label", "repeated numbers are packed, and the writer writes a single one")]

    def _value(self, reader: str, writer: str) -> list[Clash]:
        if reader not in SCALARS and writer not in SCALARS and reader == self._here(writer):
            return self._symbols(reader, writer)
        ours, theirs = self._kind(reader), self._their_kind(writer)
        if ours == theirs and ours in SCALARS:
            return []
        if theirs in _TAKES.get(ours, ()):
            return []
        if _WIRE.get(ours, ours) == _WIRE.get(theirs, theirs) and ours != theirs:
            return [Clash("", "range", f"{ours} does not hold every value of {theirs}")]
        return [Clash("", "type", f"{reader} does not read {writer}")]

    def _kind(self, name: str) -> str:
        return "enum" if name in self._enums else name

    def _their_kind(self, name: str) -> str:
        return "enum" if name in self._their_enums else name

    def _symbols(self, reader: str, writer: str) -> list[Clash]:
        """Two types of one name: messages are judged by themselves; a closed enum drops a number it does not know."""
        if (reader in self._enums) != (writer in self._their_enums):
            return [Clash("", "type", f"{reader} is an enum in one schema and a message in the other")]
        ours, theirs = self._enums.get(reader), self._their_enums.get(writer)
        if ours is None or theirs is None or not ours.closed:
            return []
        missing = [word for word, number in theirs.values.items() if number not in ours.values.values()]
        return [Clash("", "symbols", f"the closed enum {reader} has no {', '.join(missing[:5])}")] if missing else []


def _gathered(reader: Message, writer: Message) -> list[Clash]:
    """Fields that the writer may set together, and of which the reader keeps one."""
    groups: dict[str, list[Member]] = {}
    for one in reader.members:
        if one.oneof:
            groups.setdefault(one.oneof, []).append(one)
    theirs = {one.number: one for one in writer.members}
    found = []
    for oneof, members in groups.items():
        written = [theirs[one.number] for one in members if one.number in theirs]
        together = len({one.oneof or f"#{one.number}" for one in written}) > 1
        if together:
            words = f"the writer may set {' and '.join(one.name for one in written[:4])} together, the reader keeps one"
            found.append(Clash(oneof, "oneof", words))
    return found
