"""The timeouts of producers, and the settings of brokers that they are measured by."""

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import Milliseconds
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views import producer_config
from runbook.views._client_defaults import LIBRARIES


class ProducerLimit(Row):
    """A producer."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    acks: Annotated[str | None, Cell("acks: all, 1 or 0.")]
    request_timeout: Annotated[Milliseconds | None, Cell("request.timeout.ms of the producer.")]
    replica_lag: Annotated[Milliseconds | None, Cell("The largest replica.lag.time.max.ms of a broker.")]
    transactional: Annotated[bool | None, Cell("Whether it writes in transactions.")]
    transaction_timeout: Annotated[Milliseconds | None, Cell("transaction.timeout.ms of the producer.")]
    most: Annotated[Milliseconds | None, Cell("The smallest transaction.max.timeout.ms of a broker.")]


VIEW = View(
    help="One row per producer: any broker may coordinate its transactions, so the strictest counts.",
    row=ProducerLimit,
    inputs={
        "config": Input("client_config", columns=("client", "kind", "setting", "value")),
        "setting": Input("kafka_broker_setting", columns=("broker", "setting", "value")),
    },
    parameters={"libraries": LIBRARIES},
)


def compute(*, config: Fact, setting: Fact, libraries: Sequence[str] | None = None) -> Observed:
    """Work it out from client_config and kafka_broker_setting."""
    most = _one(setting, "transaction.max.timeout.ms", min)
    lag = _one(setting, "replica.lag.time.max.ms", max)
    found = producer_config.compute(config=config, libraries=libraries).rows
    rows = [
        ProducerLimit(
            client=one.client,
            acks=one.acks,
            request_timeout=one.request_timeout,
            replica_lag=lag,
            transactional=one.transactional,
            transaction_timeout=one.transaction_timeout,
            most=most,
        )
        for one in found
    ]
    return Observed(rows=rows)


def _one(setting: Fact, name: str, of: Callable[[Iterable[int]], int]) -> Milliseconds | None:
    values = [row["value"] for row in setting.rows("setting", "value") if row["setting"] == name]
    known = [int(value) for value in values if value is not None and value.isdecimal()]
    return Milliseconds(of(known)) if known and len(known) == len(values) else None
