"""Reading a schema by its kind, and judging two of a kind."""

from runbook.formats.schemas.parsed import AVRO, KINDS, PROTOBUF, Clash, Parsed, References, SchemaError


def parse(kind: str, text: str, references: References | None = None) -> Parsed:
    """Read a schema.

    Args:
        kind: one of KINDS.
        text: as the registry gives it.
        references: all that it refers to, and what those refer to, by name.

    Raises:
        SchemaError: the text is no schema of its kind, is more than is read, or refers to what is not there.
    """
    if kind == AVRO:
        from runbook.formats.schemas.avro_schema import parse_avro

        return parse_avro(text, references or {})
    if kind == PROTOBUF:
        from runbook.formats.schemas.protobuf_schema import parse_protobuf

        return parse_protobuf(text, references or {})
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
    return reader.clashes(writer)


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
