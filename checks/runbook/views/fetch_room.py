"""Whether one fetch of a consumer has room for the largest batch of what it reads."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Annotated

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._client_defaults import LIBRARIES
from runbook.views._client_topics import client_and_topics
from runbook.views.consumer_config import InForce, consumers


class FetchRoom(Row):
    """A consumer and a topic that it was said to read."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    room: Annotated[Bytes | None, Cell("max.partition.fetch.bytes, or fetch.max.bytes where that is less.")]
    largest: Annotated[Bytes | None, Cell("max.message.bytes of the topic: the largest batch that it takes.")]


VIEW = View(
    help="One row per consumer and topic that it was said to read.",
    row=FetchRoom,
    inputs={
        "config": Input("client_config", columns=("client", "kind", "setting", "value")),
        "topic": Input("kafka_topic", columns=("name", "max_message_bytes")),
    },
    parameters={
        "reads": Parameter(type="list[string]", help="who reads what, by patterns of topics, as in [billing=orders*]"),
        "libraries": LIBRARIES,
    },
)


def compute(
    *, config: Fact, topic: Fact, reads: Sequence[str] | None = None, libraries: Sequence[str] | None = None
) -> Observed:
    """Work it out from client_config and kafka_topic; a client that is named and has no file is a gap."""
    there = consumers(config, libraries)
    rows: dict[tuple[str, str], FetchRoom] = {}
    gaps = []
    for client, pattern in (client_and_topics(entry, "reads") for entry in reads or ()):
        if client not in there:
            gaps.append(Gap(f"no file of consumer {client} is known"))
            continue
        room = _room(there[client])
        for row in topic.rows("name", "max_message_bytes"):
            if fnmatchcase(row["name"], pattern):
                rows[client, row["name"]] = FetchRoom(
                    client=client, topic=row["name"], room=room, largest=row["max_message_bytes"]
                )
    return Observed(rows=[rows[key] for key in sorted(rows)], gaps=gaps)


def _room(one: InForce) -> Bytes | None:
    values = [one.value(name) for name in ("max.partition.fetch.bytes", "fetch.max.bytes")]
    sizes = [int(size) for size in values if size is not None and size.strip().isdecimal()]
    return Bytes(min(sizes)) if len(sizes) == len(values) else None
