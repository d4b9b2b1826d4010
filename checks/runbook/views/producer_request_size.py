"""How large a request each producer may send, where its files say so, beside the topic that takes the largest batch."""

from typing import Annotated, Final

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_SETTING: Final = "max.request.size"
_NOT_PRODUCERS: Final = ("consumer", "admin")


class ProducerRequestSize(Row):
    """A producer whose files say how much it sends."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    kind: Annotated[str, Cell("producer, streams, connect, mirrormaker; empty: unclear.", key=True)]
    max_request_bytes: Annotated[Bytes | None, Cell("max.request.size; unknown where it is left to a variable.")]
    largest_topic: Annotated[
        str | None, Cell("Topic that takes the largest batch; unknown if one is not reported.", entity="topic")
    ]
    largest_bytes: Annotated[Bytes | None, Cell("max.message.bytes of that topic.")]


VIEW = View(
    help="One row per producer whose files set max.request.size, beside the topic that takes the largest batch.",
    row=ProducerRequestSize,
    inputs={
        "config": Input("client_config", columns=("client", "kind", "setting", "value")),
        "topic": Input("kafka_topic", columns=("name", "max_message_bytes")),
    },
)


def compute(*, config: Fact, topic: Fact) -> Observed:
    """Work it out from client_config and kafka_topic."""
    sizes = {row["name"]: row["max_message_bytes"] for row in topic.rows()}
    known = {name: size for name, size in sizes.items() if size is not None}
    whole = bool(known) and len(known) == len(sizes) and topic.complete
    largest = max(known, key=lambda name: known[name]) if whole else None
    rows = []
    for row in config.rows():
        if row["setting"] == _SETTING and row["kind"] not in _NOT_PRODUCERS:
            value = row["value"]
            rows.append(
                ProducerRequestSize(
                    client=row["client"],
                    kind=row["kind"],
                    max_request_bytes=Bytes(int(value)) if value and value.isdecimal() else None,
                    largest_topic=largest,
                    largest_bytes=None if largest is None else known[largest],
                )
            )
    return Observed(rows=rows)
