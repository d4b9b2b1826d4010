"""How many fetched bytes a consumer may hold: from all brokers at once, or of all its partitions, whichever is less."""

from collections.abc import Sequence
from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._client_defaults import LIBRARIES, Library
from runbook.views.consumer_config import InForce, consumers, library_shown


class FetchMemory(Row):
    """A consumer whose files are known."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    library: Annotated[str, Cell("java, librdkafka or spring, with its release if reported; empty if not known.")]
    brokers: Annotated[int | None, Cell("Brokers in service.", unit="brokers")]
    partitions: Annotated[
        int | None,
        Cell(
            "Partitions of that member of its group that has most.",
            unit="partitions",
            untold="no member of its group is known: its file needs group.id, and the group must run",
        ),
    ]
    from_brokers: Annotated[Bytes | None, Cell("fetch.max.bytes from each broker.")]
    waits: Annotated[
        bool | None,
        Cell(
            "Whether it asks a broker again only when it has used up what that sent (KAFKA-17182): Java from 4.0.",
            untold="the release of its library is not known: declare it in libraries, as in [billing=java-4.3]",
        ),
    ]
    of_partitions: Annotated[Bytes | None, Cell("max.partition.fetch.bytes of each partition.")]


VIEW = View(
    help="One row per consumer: the bytes that its fetches may bring at most.",
    row=FetchMemory,
    leaves_out="consumers inside of Streams",
    inputs={
        "config": Input("client_config", columns=("client", "kind", "setting", "value")),
        "member": Input("kafka_group_member", columns=("group", "partitions")),
        "broker": Input("kafka_broker", columns=("broker", "in_service")),
    },
    parameters={"libraries": LIBRARIES},
)


def compute(*, config: Fact, member: Fact, broker: Fact, libraries: Sequence[str] | None = None) -> Observed:
    """Join client_config with kafka_group_member by group.id; a group of which a member is hidden is not known."""
    service = [row["in_service"] for row in broker.rows()]
    brokers = sum(service) if broker.complete and service and None not in service else None
    assigned: dict[str, list[int | None]] = {}
    for row in member.rows() if member.complete else ():
        assigned.setdefault(row["group"], []).append(row["partitions"])
    return Observed(
        rows=[
            _row(client, one, brokers, assigned.get(one.said.get("group.id") or "", []))
            for client, one in consumers(config, libraries).items()
            if not one.streams
        ]
    )


def _row(client: str, one: InForce, brokers: int | None, assigned: Sequence[int | None]) -> FetchMemory:
    known = [count for count in assigned if count is not None]
    partitions = max(known) if known and len(known) == len(assigned) else None
    return FetchMemory(
        client=client,
        library=library_shown(one.library),
        brokers=brokers,
        partitions=partitions,
        from_brokers=_times(one.number("fetch.max.bytes"), brokers),
        waits=_waits(one.library),
        of_partitions=_times(one.number("max.partition.fetch.bytes"), partitions),
    )


def _waits(library: Library | None) -> bool | None:
    return library.release >= (4,) if library and library.name == "java" and library.release else None


def _times(each: int | None, many: int | None) -> Bytes | None:
    return None if each is None or many is None else Bytes(each * many)
