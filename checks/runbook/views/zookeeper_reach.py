"""In which data centres the ZooKeeper servers are that each broker knows."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._data_centres import SITES, moved, reader


class ZookeeperReach(Row):
    """A broker."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    data_centre: Annotated[str | None, Cell("Where it stands.", entity="data_centre")]
    near: Annotated[
        list[str] | None,
        Cell(
            "Servers it knows in its own data centre; unknown where none is, and some are strange.",
            entity="server",
        ),
    ]
    far: Annotated[list[str] | None, Cell("The same of other data centres.", entity="server")]
    strange: Annotated[
        list[str] | None,
        Cell("Addresses it knows that the inventory gives to no server, or to one whose rack it does not say."),
    ]


VIEW = View(
    help="One row per broker: the ZooKeeper servers of its zookeeper.connect, by data centre.",
    row=ZookeeperReach,
    inputs={
        "config": Input("kafka_broker_config", columns=("broker", "zookeeper_servers")),
        "broker": Input("kafka_broker", columns=("broker", "rack")),
        "server": Input("zookeeper_server", columns=("server", "host", "port", "rack"), needs=("host", "port")),
    },
    version=3,
    parameters={"sites": SITES},
)


def compute(*, config: Fact, broker: Fact, server: Fact, sites: list[str] | None = None) -> Observed:
    """Work it out from kafka_broker_config, kafka_broker and zookeeper_server, by host and port."""
    centre = reader(sites or [])
    there = moved(broker, sites or [])
    centre_of = dict(zip(there.columns["broker"], there.columns["rack"], strict=True))
    known = {f"{row['host']}:{row['port']}": (row["server"], centre(row["rack"] or None)) for row in server.rows()}
    rows: list[ZookeeperReach] = []
    for node, servers in zip(config.columns["broker"], config.columns["zookeeper_servers"], strict=True):
        own = centre_of.get(node)
        if servers is None or own is None:
            rows.append(ZookeeperReach(broker=node, data_centre=own, near=None, far=None, strange=None))
            continue
        strange = [address for address in servers if known.get(address, ("", None))[1] is None]
        places = [known[address] for address in servers if address not in strange]
        near = [name for name, place in places if place == own]
        far = [name for name, place in places if place != own]
        rows.append(
            ZookeeperReach(
                broker=node,
                data_centre=own,
                near=_known(near, strange),
                far=_known(far, strange),
                strange=strange,
            )
        )
    return Observed(rows=rows)


def _known(servers: list[str], strange: list[str]) -> list[str] | None:
    return servers or (None if strange else [])
