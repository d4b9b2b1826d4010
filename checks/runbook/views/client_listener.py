"""The listeners over which clients come to each broker, be they the brokers' own."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class ClientListener(Row):
    """A listener of a broker over which clients come."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    listener: Annotated[str, Cell("Its name.", key=True, entity="listener")]
    protocol: Annotated[str | None, Cell("PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL; empty where the map lacks it.")]
    host: Annotated[str | None, Cell("The address that clients get.", entity="host")]
    port: Annotated[int | None, Cell("Likewise.")]
    between_brokers: Annotated[bool, Cell("Whether brokers replicate over it, as clients have no other.")]


VIEW = View(
    help="One row per broker and listener that clients use: the brokers' own where a broker has no other for them.",
    row=ClientListener,
    leaves_out="listeners for controllers and those named as internal, and the brokers' own where a broker has "
    "another for clients",
    inputs={
        "listener": Input(
            "kafka_listener",
            columns=("broker", "listener", "protocol", "host", "port", "between_brokers", "for_controllers"),
            needs=("listener", "between_brokers", "for_controllers"),
        ),
    },
    parameters={
        "internal": Parameter(type="list[string]", help="listeners that only the platform's own machines can reach"),
    },
)


def compute(*, listener: Fact, internal: list[str] | None = None) -> Observed:
    """Work it out from kafka_listener: clients of a broker without a listener for them come over the brokers' own."""
    by_broker: dict[BrokerId, list[Mapping[str, Any]]] = defaultdict(list)
    for row in listener.rows():
        if not row["for_controllers"] and row["listener"] not in (internal or ()):
            by_broker[row["broker"]].append(row)
    return Observed(rows=[row for rows in by_broker.values() for row in _rows(rows)])


def _rows(reached: Sequence[Mapping[str, Any]]) -> Iterator[ClientListener]:
    apart = [row for row in reached if not row["between_brokers"]]
    for row in apart or reached:
        yield ClientListener(
            broker=row["broker"],
            listener=row["listener"],
            protocol=row["protocol"],
            host=row["host"],
            port=row["port"],
            between_brokers=row["between_brokers"],
        )
