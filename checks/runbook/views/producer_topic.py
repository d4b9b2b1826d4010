"""What producers are set to, beside the settings of the topics that they were said to write."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Annotated

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views import producer_config
from runbook.views._client_defaults import LIBRARIES
from runbook.views._client_topics import client_and_topics


class ProducerTopic(Row):
    """A producer and a topic that it was said to write."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    acks: Annotated[str | None, Cell("acks of the producer: all, 1 or 0.")]
    max_request_size: Annotated[Bytes | None, Cell("Largest record that the producer sends, before compression.")]
    batch_size: Annotated[Bytes | None, Cell("batch.size of the producer.")]
    max_message_bytes: Annotated[Bytes | None, Cell("max.message.bytes of the topic: the largest batch that it takes.")]
    some_topic_takes: Annotated[
        bool | None, Cell("Whether some topic of the cluster takes the largest record of the producer.")
    ]
    compression: Annotated[str | None, Cell("compression.type of the producer.")]
    codec: Annotated[str | None, Cell("compression.type of the topic; producer: it stores what producers send.")]
    hash: Annotated[str | None, Cell("How the producer turns keys into partitions.")]
    hashes: Annotated[
        list[str] | None, Cell("How all producers of the topic do, each way once; unknown if one is not known.")
    ]


VIEW = View(
    help="One row per producer and topic that it was said to write.",
    row=ProducerTopic,
    version=2,
    leaves_out="topics of which no producer was said",
    inputs={
        "topic": Input("kafka_topic", columns=("name", "max_message_bytes", "compression_type")),
        "config": Input("client_config", columns=("client", "kind", "setting", "value")),
    },
    parameters={
        "writes": Parameter(
            type="list[string]", help="who writes what, by patterns of topics, as in [billing=orders*]"
        ),
        "libraries": LIBRARIES,
    },
)


def compute(
    *, topic: Fact, config: Fact, writes: Sequence[str] | None = None, libraries: Sequence[str] | None = None
) -> Observed:
    """Work it out from both; a client without a file and a pattern without a topic are gaps."""
    found = producer_config.compute(config=config, libraries=libraries).rows
    there = {one.client: one for one in found if isinstance(one, producer_config.ProducerConfig)}
    pairs = [client_and_topics(entry, "writes") for entry in writes or ()]
    topics = {row["name"]: row for row in topic.rows("name", "max_message_bytes", "compression_type")}
    sizes = [row["max_message_bytes"] for row in topics.values()]
    writers = {
        name: [client for client in there if any(who == client and fnmatchcase(name, what) for who, what in pairs)]
        for name in topics
    }
    rows = []
    for name, row in topics.items():
        ways = [there[client].hash for client in writers[name]]
        known = sorted({way for way in ways if way is not None})
        for client in writers[name]:
            one = there[client]
            size = one.max_request_size
            rows.append(
                ProducerTopic(
                    client=client,
                    topic=name,
                    acks=one.acks,
                    max_request_size=size,
                    batch_size=one.batch_size,
                    max_message_bytes=row["max_message_bytes"],
                    some_topic_takes=_some_takes(size, sizes, whole=topic.complete),
                    compression=one.compression,
                    codec=row["compression_type"],
                    hash=one.hash,
                    hashes=None if None in ways else known,
                )
            )
    lacking = sorted({client for client, _ in pairs if client not in there})
    gaps = [Gap(f"no file of producer {client} is known", {"client": client}) for client in lacking]
    gaps += [
        Gap(f"no topic fits {pattern}, which producer {client} is said to write", {"client": client})
        for client, pattern in dict.fromkeys(pairs)
        if client in there and not any(fnmatchcase(name, pattern) for name in topics)
    ]
    return Observed(rows=sorted(rows, key=lambda row: (row.client, row.topic)), gaps=gaps)


def _some_takes(size: int | None, sizes: Sequence[int | None], *, whole: bool) -> bool | None:
    if size is None:
        return None
    if any(most is not None and size <= most for most in sizes):
        return True
    return False if whole and None not in sizes else None
