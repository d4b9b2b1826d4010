"""Which clients say where they stand, and whether brokers stand there too."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class ClientRack(Row):
    """A client whose files are known."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    kind: Annotated[str, Cell("producer, consumer, admin, streams, connect, mirrormaker; empty: unclear.", key=True)]
    rack: Annotated[
        str | None, Cell("Its client.rack; empty where its files do not have one, unknown where a variable does.")
    ]
    brokers: Annotated[list[BrokerId] | None, Cell("Brokers with that rack.")]
    racks: Annotated[list[str] | None, Cell("Racks that brokers have.", entity="rack")]
    file: Annotated[str, Cell("Where client.rack stands; empty where it does not.")]


VIEW = View(
    help="One row per client whose files are known: the rack it says it is in, and the brokers of that rack.",
    row=ClientRack,
    inputs={
        "config": Input("client_config", columns=("client", "kind", "setting", "value", "file")),
        "broker": Input("kafka_broker", columns=("broker", "rack")),
    },
    version=2,
)


def compute(*, config: Fact, broker: Fact) -> Observed:
    """Work it out from client_config and kafka_broker."""
    racks: dict[str | None, list[BrokerId]] = {}
    for node, rack in zip(broker.columns["broker"], broker.columns["rack"], strict=True):
        racks.setdefault(rack, []).append(node)
    clients: dict[tuple[str, str], tuple[str | None, str]] = {}
    for row in config.rows():
        key = (row["client"], row["kind"])
        clients.setdefault(key, ("", ""))
        if row["setting"] == "client.rack":
            clients[key] = (row["value"], row["file"])
    every = None if None in racks else sorted(rack for rack in racks if rack)
    rows = []
    for (client, kind), (rack, file) in clients.items():
        there = racks.get(rack, []) if rack else []
        sure = bool(there) or None not in racks
        rows.append(
            ClientRack(
                client=client,
                kind=kind,
                rack=rack,
                brokers=sorted(there) if rack is not None and sure else None,
                racks=every,
                file=file,
            )
        )
    return Observed(rows=rows)
