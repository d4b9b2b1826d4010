"""In which data centres the ZooKeeper servers are that each broker knows."""

from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View
from runbook.views._data_centres import SITES, moved, reader

VIEW = View(
    help="One row per broker: the ZooKeeper servers of its zookeeper.connect, by data centre.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("data_centre", "string", "Where it stands.", entity="data_centre"),
        Column("near", "list[string]", "Servers it knows in its own data centre.", entity="server"),
        Column("far", "list[string]", "Servers it knows in other data centres.", entity="server"),
        Column(
            "strange",
            "list[string]",
            "Addresses it knows that the inventory gives to no server, or to one whose rack it does not say.",
        ),
    ),
    of=(("broker", "zookeeper_servers"), ("broker", "rack"), ("server", "host", "port", "rack")),
    needs=((), (), ("host", "port")),
    version=2,
    parameters={"sites": SITES},
)


def compute(config: Fact, broker: Fact, server: Fact, /, *, sites: list[str] | None = None) -> Observed:
    """Work it out from kafka_broker_config, kafka_broker and zookeeper_server, by host and port."""
    centre = reader(sites or [])
    there = moved(broker, sites or [])
    centre_of = dict(zip(there.columns["broker"], there.columns["rack"], strict=True))
    columns = (server.columns[name] for name in ("server", "host", "port", "rack"))
    known = {f"{host}:{port}": (name, centre(rack or None)) for name, host, port, rack in zip(*columns, strict=True)}
    rows: list[tuple[Any, ...]] = []
    for node, servers in zip(config.columns["broker"], config.columns["zookeeper_servers"], strict=True):
        own = centre_of.get(node)
        if servers is None or own is None:
            rows.append((node, own, None, None, None))
            continue
        strange = [address for address in servers if known.get(address, ("", None))[1] is None]
        places = [known[address] for address in servers if address not in strange]
        near = [name for name, place in places if place == own]
        rows.append((node, own, near, [name for name, place in places if place != own], strange))
    return Observed(rows=rows)
