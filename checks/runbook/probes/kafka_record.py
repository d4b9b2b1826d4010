"""Records, from without: where and when, how large, which headers, which schema. Keys and values are not told."""

import struct
from typing import TYPE_CHECKING, Annotated, Final

from runbook.answers.kafka import ReadLimits, ReadRecord
from runbook.answers.kafka.stamps import written
from runbook.model.fact import Observed
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import Bytes, Moment, Offset, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.probes._newest_records import LIMITS, REQUESTS, RIGHTS, TOPICS, newest_records

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka

LONGEST: Final = 256
"""Characters of a header's value that are told. Our judgement: numbers, times and names are shorter."""

_MAGIC = 0  # of Confluent's wire format, before four bytes of the schema's id


class KafkaRecord(Row):
    """A record, from without."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number of the partition.", key=True)]
    offset: Annotated[Offset, Cell("Its offset.", key=True)]
    timestamp: Annotated[Moment | None, Cell("Its timestamp; unknown if it has none.")]
    key_is_null: Annotated[bool, Cell("Whether it has no key.")]
    value_is_null: Annotated[bool, Cell("Whether it has no value: a tombstone, where the topic is compacted.")]
    key_size: Annotated[Bytes, Cell("Length of its key; 0 for none.")]
    value_size: Annotated[Bytes, Cell("Length of its value; 0 for none.")]
    key_schema: Annotated[int, Cell("Schema id that its key begins with, in Confluent's wire format; -1 for none.")]
    value_schema: Annotated[int, Cell("Schema id that its value begins with, in that format; -1 for none.")]
    headers: Annotated[list[str], Cell("Names of its headers, each once, in order.")]
    header: Annotated[
        dict[str, str], Cell("Values of the headers that were asked for: text, or a number; the last of a name.")
    ]


PROBE = Probe(
    connections=("kafka",),
    help="One row per record: some of the newest of each partition, of topics under the environment's may_read.",
    row=KafkaRecord,
    requests=REQUESTS,
    rights=RIGHTS,
    parameters={
        "topics": TOPICS,
        "headers": Parameter(type="list[string]", default=[], help="headers whose values are shown"),
        **LIMITS,
    },
    waits_for="may_read",
)


def observe(
    kafka: "Kafka",
    *,
    topics: list[str] | None = None,
    headers: list[str] | None = None,
    records: int = 10,
    partitions: int = 50,
    bytes: int = 1 << 20,  # noqa: A002 - the parameter's name in runbooks
) -> Observed:
    """Observe some of the newest records of each partition; topics that may not be read are gaps."""
    found, gaps = newest_records(kafka, topics, ReadLimits(records, partitions, bytes))
    rows = [_row(record, headers or []) for record in found]
    return Observed(rows=rows, gaps=gaps)


def _row(record: ReadRecord, wanted: list[str]) -> KafkaRecord:
    return KafkaRecord(
        topic=record.topic,
        partition=record.partition,
        offset=record.offset,
        timestamp=written(record.timestamp),
        key_is_null=record.key is None,
        value_is_null=record.value is None,
        key_size=Bytes(len(record.key or b"")),
        value_size=Bytes(len(record.value or b"")),
        key_schema=_schema(record.key),
        value_schema=_schema(record.value),
        headers=list(dict.fromkeys(name for name, _ in record.headers)),
        header={name: text for name, value in record.headers if name in wanted and (text := _text(value)) is not None},
    )


def _schema(data: bytes | None) -> int:
    if data is None or len(data) < 5 or data[0] != _MAGIC:  # noqa: PLR2004 - the magic byte and the id
        return -1
    return int(struct.unpack_from(">I", data, 1)[0])


def _text(value: bytes | None) -> str | None:
    """A header's value: text, cut where it is long, or a number of up to eight bytes, as Spring Kafka writes them."""
    if value is None:
        return None
    try:
        text = value.decode()
    except UnicodeDecodeError:
        text = "\0"
    if text.isprintable():
        return text[:LONGEST]
    return str(int.from_bytes(value, "big", signed=True)) if len(value) <= 8 else None  # noqa: PLR2004 - of a long
