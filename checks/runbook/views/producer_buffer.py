"""Whether a producer's memory holds a batch for each partition that it writes to."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Annotated, cast

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views import producer_config
from runbook.views._client_defaults import LIBRARIES
from runbook.views._client_topics import client_and_topics
from runbook.views.producer_config import ProducerConfig


class ProducerBuffer(Row):
    """A producer that was said to write to some topics."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    library: Annotated[str, Cell("java, librdkafka or spring, with its release if reported; empty if not known.")]
    partitions: Annotated[int | None, Cell("Partitions of the topics that it writes to.", unit="partitions")]
    batch: Annotated[Bytes | None, Cell("batch.size.")]
    buffer: Annotated[Bytes | None, Cell("buffer.memory.")]
    wanted: Annotated[Bytes | None, Cell("A batch for each partition.")]


VIEW = View(
    help="One row per producer that was said to write to some topics: its memory, and a batch for each partition.",
    row=ProducerBuffer,
    leaves_out="producers of which nobody said what they write",
    inputs={
        "config": Input("client_config", columns=("client", "kind", "setting", "value")),
        "topic": Input("kafka_topic", columns=("name", "partitions")),
    },
    parameters={
        "writes": Parameter(type="list[string]", help="who writes what, by patterns of topics, as in [clicks=click*]"),
        "libraries": LIBRARIES,
    },
)


def compute(
    *, config: Fact, topic: Fact, writes: Sequence[str] | None = None, libraries: Sequence[str] | None = None
) -> Observed:
    """Work it out from client_config and kafka_topic; a client that was named and has no file is a gap."""
    made = producer_config.compute(config=config, libraries=libraries).rows
    there = {row.client: row for row in cast("Sequence[ProducerConfig]", made)}
    patterns: dict[str, list[str]] = {}
    for client, pattern in (client_and_topics(entry, "writes") for entry in writes or ()):
        patterns.setdefault(client, []).append(pattern)
    return Observed(
        rows=[_row(there[name], _partitions(topic, patterns[name])) for name in patterns if name in there],
        gaps=[Gap(f"no file of producer {name} is known") for name in patterns if name not in there],
    )


def _partitions(topic: Fact, patterns: Sequence[str]) -> int | None:
    """How many there are; None where a topic may be hidden, as the sum would be too small."""
    counts = [
        row["partitions"]
        for row in topic.rows("name", "partitions")
        if any(fnmatchcase(row["name"], pattern) for pattern in patterns)
    ]
    return sum(counts) if counts and None not in counts and topic.complete else None


def _row(producer: ProducerConfig, partitions: int | None) -> ProducerBuffer:
    batch = producer.batch_size
    return ProducerBuffer(
        client=producer.client,
        library=producer.library,
        partitions=partitions,
        batch=batch,
        buffer=producer.buffer_memory,
        wanted=None if partitions is None or batch is None else Bytes(partitions * batch),
    )
