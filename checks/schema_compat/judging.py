"""Reading a schema by its kind, and judging two of a kind."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from schema_compat.parsed import (
    AVRO,
    JSON,
    KINDS,
    PROTOBUF,
    Clash,
    Parsed,
    References,
    SchemaError,
    UndecidedSchema,
)

_KEPT: Final = 512
"""Schemas that are kept as they were read. Our judgement: a few megabytes."""


def parse(kind: str, text: str, references: References | None = None) -> Parsed:
    """Read a schema.

    Args:
        kind: one of KINDS.
        text: as the registry gives it.
        references: all that it refers to, and what those refer to, by name.

    Raises:
        SchemaError: the text is no schema of its kind, is more than is read, or refers to what is not there.
    """
    try:
        return _reader(kind)(text, references) if references else _alone(kind, text)
    except ModuleNotFoundError as error:
        raise SchemaError(
            f"{kind} schemas can't be read: the package {error.name} is missing: pip install 'kafka-runbook[schemas]'"
        ) from error
    except RecursionError:
        raise SchemaError(f"The {kind} schema refers from one part to the next deeper than is followed") from None


@lru_cache(_KEPT)
def _alone(kind: str, text: str) -> Parsed:
    """A schema that refers to no other: keys and events of many topics have the same text."""
    return _reader(kind)(text, {})


def _reader(kind: str) -> Callable[[str, References], Parsed]:
    """What reads a kind; its library is loaded by that."""
    if kind == AVRO:
        from schema_compat.avro_schema import parse_avro

        return parse_avro
    if kind == JSON:
        from schema_compat.json_schema import parse_json

        return parse_json
    if kind == PROTOBUF:
        from schema_compat.protobuf_schema import parse_protobuf

        return parse_protobuf
    raise SchemaError(f"{kind} is no kind of schema that is known; known are {', '.join(KINDS)}")


def clashes(reader: Parsed, writer: Parsed) -> list[Clash]:
    """What a reader with the schema `reader` can't read of what was written with `writer`; nothing: it reads all.

    Raises:
        SchemaError: the two are of different kinds.
        Undecided: no clash was found, but not everything could be told.
    """
    if reader.kind != writer.kind:
        raise SchemaError(
            f"The reader's schema is {reader.kind} and the writer's is {writer.kind}: neither reads the other"
        )
    try:
        return reader.clashes(writer)
    except RecursionError:
        raise UndecidedSchema("The schemas refer from one part to the next deeper than is followed") from None


def incompatibilities(reader: Parsed, writer: Parsed) -> list[str]:
    """The same as `clashes`, a sentence each that names path and rule.

    Raises:
        SchemaError: the two are of different kinds.
        Undecided: no clash was found, but not everything could be told.
    """
    return [clash.sentence for clash in clashes(reader, writer)]


def unreserved(new: Parsed, old: Parsed) -> list[str]:
    """Numbers and names of Protobuf fields and enum values that `old` had, and `new` neither has nor reserves.

    Used again for something else, what was written with `old` is read as that. Nothing for other kinds.
    """
    return new.unreserved(old) if new.kind == old.kind else []
