"""How large a batch each topic takes, beside what brokers copy and read at once."""

from collections import defaultdict
from typing import Annotated, Final

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_FETCH: Final = "replica.fetch.max.bytes"
_REQUEST: Final = "socket.request.max.bytes"


class TopicMessageSize(Row):
    """A topic."""

    topic: Annotated[str, Cell("Its name.", key=True, entity="topic")]
    max_message_bytes: Annotated[Bytes | None, Cell("max.message.bytes in force: largest record batch.")]
    fetch_bytes: Annotated[Bytes | None, Cell(f"Smallest {_FETCH} of the brokers.")]
    request_bytes: Annotated[Bytes | None, Cell(f"Smallest {_REQUEST} of the brokers.")]


VIEW = View(
    help="One row per topic: the largest batch that it takes, and what brokers fetch and receive at once.",
    row=TopicMessageSize,
    inputs={
        "topic": Input("kafka_topic", columns=("name", "max_message_bytes")),
        "setting": Input("kafka_broker_setting", columns=("setting", "value")),
    },
)


def compute(*, topic: Fact, setting: Fact) -> Observed:
    """Work it out from kafka_topic and kafka_broker_setting."""
    values: dict[str, list[str | None]] = defaultdict(list)
    for row in setting.rows():
        values[row["setting"]].append(row["value"])
    fetch, request = _least(values[_FETCH]), _least(values[_REQUEST])
    rows = [
        TopicMessageSize(
            topic=row["name"],
            max_message_bytes=row["max_message_bytes"],
            fetch_bytes=fetch,
            request_bytes=request,
        )
        for row in topic.rows("name", "max_message_bytes")
    ]
    return Observed(rows=rows)


def _least(values: list[str | None]) -> Bytes | None:
    known = [int(value) for value in values if value]
    return Bytes(min(known)) if known and len(known) == len(values) else None
