"""What a schema tells, the same for every kind, and what is said of two of them."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

AVRO, JSON, PROTOBUF = "AVRO", "JSON", "PROTOBUF"
KINDS: Final = (AVRO, JSON, PROTOBUF)
"""Kinds of schema, as registries name them in `schemaType`."""

UNDECIDED: Final = "undecided"
"""The rule of a clash that may be none: while judging, what could not be told."""

References = Mapping[str, tuple[str, str]]
"""By the name under which a schema refers to another one: the kind and the text of that one."""


class SchemaError(ValueError):
    """A text is no schema of its kind, is more than is read, or refers to what is not there."""


class UndecidedSchema(ValueError):  # noqa: N818 - not an error: an answer, which must not pass for one of the other two
    """Whether one schema reads what another wrote could not be told: neither may be concluded."""


class Clash(Struct, frozen=True):
    """What a reader can't read.

    Attributes:
        path: where in the reader's schema, with dots; "" for the schema itself.
        rule: the rule that says so, a word of docs/explanation/schema-compatibility.md.
        words: what is the matter, without the path.
    """

    path: str
    rule: str
    words: str

    @property
    def sentence(self) -> str:
        """One sentence with path and rule."""
        return f"{self.path or 'the schema'}: {self.words} [{self.rule}]"

    def under(self, path: str) -> "Clash":
        """The same, seen from further out."""
        return Clash(joined(path, self.path), self.rule, self.words)


class Field(Struct, frozen=True):
    """One field of a record, an object or a message; those of inner ones too.

    Attributes:
        path: names with dots; `[]` after that of an array, `{}` after that of a map.
        type: in short: `string`, `union<null,string>`, `array<Item>`, `enum Color`, `int32 #3`.
        optional: a reader copes without it: Avro: has a default; JSON: not required; Protobuf: not `required`.
        has_default: the schema gives a value for when it is not there.
        null_default: of an Avro union with null: whether null is the default; None for all else.
        documented: it has a comment.
        logical_type: Avro's logicalType, JSON Schema's format; "" for none.
        number: of a Protobuf field; 0 for none.
    """

    path: str
    type: str
    optional: bool
    has_default: bool
    null_default: bool | None
    documented: bool
    logical_type: str
    number: int


class Parsed(ABC):
    """A schema that was read.

    Attributes:
        kind: one of KINDS.
        name: of its record or message with package or namespace, or the title; "" if it has none.
        documented: the record, message or schema itself has a comment.
    """

    kind: str
    name: str
    documented: bool

    @abstractmethod
    def fields(self) -> Sequence[Field]:
        """Every field in the order of the text. A type within itself is not followed again."""

    @abstractmethod
    def problems(self) -> list[str]:
        """What is legal but bites later, a sentence each with its path."""

    @abstractmethod
    def clashes(self, writer: "Parsed") -> list[Clash]:
        """What a reader with this schema can't read of what `writer`, of the same kind, wrote.

        Raises:
            Undecided: no clash was found, but not everything could be told.
        """

    def unreserved(self, old: "Parsed") -> list[str]:
        """What `old` had and this one neither has nor keeps from being used again, a sentence each."""
        del old
        return []


def joined(*parts: str) -> str:
    """A path of paths; what starts with a bracket is written to the name before it."""
    path = ""
    for part in parts:
        path += part if not path or part.startswith(("[", "{", "<")) or not part else f".{part}"
    return path
