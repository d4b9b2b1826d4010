"""Which clients say where they stand, and whether brokers stand there too."""

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View

VIEW = View(
    help="One row per client whose files are known: the rack it says it is in, and the brokers of that rack.",
    columns=(
        Column("client", "string", "Name of the client in the inventory.", key=True),
        Column("kind", "string", "producer, consumer, admin, streams, connect, mirrormaker; empty: unclear.", key=True),
        Column(
            "rack", "string", "Its client.rack; empty where its files do not have one, unknown where a variable does."
        ),
        Column("brokers", "list[int]", "Brokers with that rack.", entity="broker"),
        Column("racks", "list[string]", "Racks that brokers have.", entity="rack"),
        Column("file", "string", "Where client.rack stands; empty where it does not."),
    ),
    of=(("client", "kind", "setting", "value", "file"), ("broker", "rack")),
    version=2,
)


def compute(config: Fact, broker: Fact, /) -> Observed:
    """Work it out from client_config and kafka_broker."""
    racks: dict[str | None, list[int]] = {}
    for node, rack in zip(broker.columns["broker"], broker.columns["rack"], strict=True):
        racks.setdefault(rack, []).append(node)
    names = ("client", "kind", "setting", "value", "file")
    clients: dict[tuple[str, str], tuple[str | None, str]] = {}
    for client, kind, setting, value, file in zip(*(config.columns[name] for name in names), strict=True):
        clients.setdefault((client, kind), ("", ""))
        if setting == "client.rack":
            clients[client, kind] = (value, file)
    every = None if None in racks else sorted(rack for rack in racks if rack)
    rows = []
    for (client, kind), (rack, file) in clients.items():
        there = racks.get(rack, []) if rack else []
        sure = bool(there) or None not in racks
        rows.append((client, kind, rack, sorted(there) if rack is not None and sure else None, every, file))
    return Observed(rows=rows)
