"""How full the fetches of consumers are: their mean size beside the most that one fetch may bring."""

from collections import defaultdict
from collections.abc import Mapping
from math import ceil
from typing import Annotated, Any, Final

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_PARTITION: Final = 1_048_576  # max.partition.fetch.bytes, and fetch.max.bytes: ConsumerConfig
_FETCH: Final = 52_428_800


class ConsumerFetch(Row):
    """A consumer whose own metrics are known."""

    application: Annotated[str, Cell("The application's name in the inventory.", key=True)]
    client: Annotated[str, Cell("client.id.", key=True)]
    partitions: Annotated[
        int | None, Cell("Partitions it is assigned; unknown unless one member has its client.id.", unit="partitions")
    ]
    per_fetch: Annotated[
        int | None, Cell("Partitions in one fetch, if leaders are spread evenly over the brokers.", unit="partitions")
    ]
    limit: Annotated[
        Bytes | None,
        Cell(
            "The most that such a fetch may bring, by the consumer's file or else by the parameters.",
            untold="fetches bring more than the limits that are assumed: add its file to the inventory's clients",
        ),
    ]
    room: Annotated[Bytes | None, Cell("max.partition.fetch.bytes with which it could bring fetch.max.bytes.")]
    size: Annotated[float | None, Cell("Mean bytes a fetch brings.", unit="bytes", moves=True)]
    fill: Annotated[float | None, Cell("Mean size over the limit.", unit="ratio", moves=True)]
    rate: Annotated[float | None, Cell("Fetches for each broker.", unit="fetches per second", moves=True)]


VIEW = View(
    help="One row per consumer: how full its fetches are, and how often it fetches from each broker.",
    row=ConsumerFetch,
    inputs={
        "consumer": Input("client_consumer", columns=("application", "client", "fetch_rate", "fetch_size")),
        "member": Input("kafka_group_member", columns=("client", "partitions")),
        "broker": Input("kafka_broker", columns=("broker", "in_service")),
        "config": Input("client_config", columns=("client", "kind", "setting", "value"), tells=True),
    },
    parameters={
        "partition_bytes": Parameter(
            type="int", default=_PARTITION, min=1, help="max.partition.fetch.bytes, if no file sets it"
        ),
        "fetch_bytes": Parameter(type="int", default=_FETCH, min=1, help="fetch.max.bytes, if no file sets it"),
    },
)


def compute(
    *,
    consumer: Fact,
    member: Fact,
    broker: Fact,
    config: Fact,
    partition_bytes: int = _PARTITION,
    fetch_bytes: int = _FETCH,
) -> Observed:
    """Join client_consumer with kafka_group_member by client.id; brokers are those in service.

    A file of client_config is a consumer's if the inventory gives both one name, or if it has this client.id.
    """
    assigned: dict[str, list[int | None]] = defaultdict(list)
    for row in member.rows():
        assigned[row["client"]].append(row["partitions"])
    files: dict[str, dict[str, str | None]] = defaultdict(dict)
    for row in config.rows():
        if row["kind"] == "consumer":
            files[row["client"]][row["setting"]] = row["value"]
    service = [row["in_service"] for row in broker.rows()]
    brokers = sum(service) if broker.complete and None not in service else None
    whole = member.complete and None not in assigned
    assumed = {"max.partition.fetch.bytes": str(partition_bytes), "fetch.max.bytes": str(fetch_bytes)}
    return Observed(
        rows=[
            _row(row, assigned[row["client"]] if whole else [], brokers, _file(row, files), assumed)
            for row in consumer.rows()
        ]
    )


def _file(row: Mapping[str, Any], files: Mapping[str, Mapping[str, str | None]]) -> Mapping[str, str | None] | None:
    """What the file of a consumer says; None if no file is known."""
    by_id = [said for said in files.values() if said.get("client.id") == row["client"]]
    return by_id[0] if len(by_id) == 1 else files.get(row["application"])


def _row(
    row: Mapping[str, Any],
    assigned: list[int | None],
    brokers: int | None,
    file: Mapping[str, str | None] | None,
    assumed: Mapping[str, str],
) -> ConsumerFetch:
    partitions = assigned[0] if len(assigned) == 1 else None
    spread = min(brokers, partitions) if brokers and partitions else None
    per_fetch = ceil(partitions / spread) if partitions and spread else None
    said = {**assumed, **(file or {})}
    each, whole = (_number(said[setting]) for setting in assumed)
    limit = min(per_fetch * each, whole) if per_fetch and each and whole else None
    size, rate = row["fetch_size"], row["fetch_rate"]
    if file is None and limit and size and size > limit:
        limit = None  # what is assumed is not in force
    return ConsumerFetch(
        application=row["application"],
        client=row["client"],
        partitions=partitions,
        per_fetch=per_fetch,
        limit=None if limit is None else Bytes(limit),
        room=None if per_fetch is None or whole is None else Bytes(whole // per_fetch),
        size=size,
        fill=None if limit is None or size is None else size / limit,
        rate=None if spread is None or rate is None else rate / spread,
    )


def _number(value: str | None) -> int | None:
    return int(value) if value is not None and value.strip().isdecimal() else None
