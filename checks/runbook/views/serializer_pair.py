"""Whether who reads a topic takes apart what who writes it has put together, by the classes that both name."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from runbook.model.errors import Misconfigured
from runbook.model.fact import Fact, Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_PARTS: Final[tuple[Literal["key", "value"], ...]] = ("key", "value")
_KIND_OF_CLASS: Final = re.compile(r"(Des|S)erializer$")
# Classes that hand bytes on: what is in them the application's own code decides.
_BYTES: Final = ("ByteArray", "ByteBuffer", "Bytes")
# Spring's class that catches what another one throws (reference of Spring for Apache Kafka, ErrorHandlingDeserializer).
_WRAPPER: Final = "ErrorHandlingDeserializer"
# What writers and readers may add to the name, for the same bytes (Confluent, serializers of the registry).
_VARIANTS: Final = re.compile(r"^(Reflection|Specific)(?=Avro)")
# Classes of Spring, Confluent, Connect and Quarkus that write JSON and nothing before it.
_JSON: Final = ("Json", "JacksonJson", "KafkaJson", "ObjectMapper", "Jsonb")
# What is text: StringDeserializer reads all of it, while what text StringSerializer writes its application decides.
_TEXT: Final = ("Json", "UUID")


class SerializerPair(Row):
    """Keys or values of what one client writes and another reads."""

    writer: Annotated[str, Cell("Name of the client that writes.", key=True)]
    reader: Annotated[str, Cell("Name of the client that reads.", key=True)]
    part: Annotated[str, Cell("key or value.", key=True)]
    serializer: Annotated[str | None, Cell("Its class at the writer; unknown if its files have none.")]
    deserializer: Annotated[str | None, Cell("Its class at the reader; unknown if its files have none.")]
    written: Annotated[
        str | None,
        Cell("Format that the writer's class is named for, as Avro; String of what is text and read as such."),
    ]
    read: Annotated[str | None, Cell("Format that the reader's class is named for.")]


VIEW = View(
    help="One row per pair of clients that was named, and part of a record.",
    row=SerializerPair,
    version=2,
    inputs={
        "config": Input("client_config", columns=("client", "kind", "setting", "value")),
    },
    parameters={
        "pairs": Parameter(type="list[string]", help="who writes what whom reads, as in [order-entry=billing]"),
    },
)


def compute(*, config: Fact, pairs: Sequence[str] | None = None) -> Observed:
    """Work it out from client_config; a client that is named and has no file is a gap."""
    said: dict[str, dict[str, Any]] = {}
    for row in config.rows():
        said.setdefault(row["client"], {})[row["setting"]] = row["value"]
    rows, gaps = [], []
    for entry in pairs or ():
        writer, reader = _pair(entry)
        gaps += [Gap(f"no file of client {name} is known") for name in (writer, reader) if name not in said]
        if writer in said and reader in said:
            rows += [_row(writer, reader, part, said) for part in _PARTS]
    return Observed(rows=rows, gaps=gaps)


def _pair(entry: str) -> tuple[str, str]:
    writer, _, reader = entry.partition("=")
    if not (writer.strip() and reader.strip()):
        raise Misconfigured(f"pairs: {entry!r} names no two clients; write order-entry=billing")
    return writer.strip(), reader.strip()


def _row(writer: str, reader: str, part: str, said: Mapping[str, Mapping[str, Any]]) -> SerializerPair:
    put = said[writer].get(f"{part}.serializer")
    taken = said[reader].get(f"{part}.deserializer")
    if taken is not None and taken.endswith(_WRAPPER):
        taken = said[reader].get(f"spring.deserializer.{part}.delegate.class")
    written, read = _as_text(_format(put), _format(taken))
    return SerializerPair(
        writer=writer,
        reader=reader,
        part=part,
        serializer=put,
        deserializer=taken,
        written=None if written in _BYTES and read != written else written,
        read=None if read in _BYTES and read != written else read,
    )


def _format(name: str | None) -> str | None:
    """What a class is named for: KafkaAvro of io.confluent.kafka.serializers.KafkaAvroSerializer; None if nothing."""
    bare = None if name is None else name.strip().rpartition(".")[2]
    if bare is None or not _KIND_OF_CLASS.search(bare):
        return None
    kind = _VARIANTS.sub("Kafka", _KIND_OF_CLASS.sub("", bare))
    return "Json" if kind in _JSON else kind


def _as_text(written: str | None, read: str | None) -> tuple[str | None, str | None]:
    """Both formats, where one side deals in text and the other in a kind of it."""
    if written in _TEXT and read == "String":
        return read, read
    return (None, read) if written == "String" and read in _TEXT else (written, read)
