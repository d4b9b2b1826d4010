"""How many of the connections that ZooKeeper servers allow an address are in use."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class ZookeeperAddress(Row):
    """An address that has sessions with ZooKeeper."""

    host: Annotated[str, Cell("The clients' address.", key=True)]
    server: Annotated[
        str | None, Cell("The server of which it uses the largest share; unknown with a limit.", entity="server")
    ]
    sessions: Annotated[
        int | None, Cell("Its sessions there, each on a connection of its own.", unit="sessions", moves=True)
    ]
    limit: Annotated[
        int | None, Cell("maxClientCnxns there: connections of one address; 0 for no limit.", unit="connections")
    ]
    full: Annotated[list[str] | None, Cell("Servers of which it has all connections.", entity="server")]
    further_ports: Annotated[list[int], Cell("The clients' ports of its sessions, the lowest left out.", moves=True)]


VIEW = View(
    help="One row per address that has sessions with ZooKeeper.",
    row=ZookeeperAddress,
    inputs={
        "client": Input("zookeeper_client", columns=("server", "host", "port")),
        "config": Input("zookeeper_config", columns=("server", "max_client_connections")),
    },
    version=1,
)


def compute(*, client: Fact, config: Fact) -> Observed:
    """Work it out from zookeeper_client and zookeeper_config."""
    limits = dict(zip(config.columns["server"], config.columns["max_client_connections"], strict=True))
    ports: dict[str, dict[str, list[int]]] = {}
    for session in client.rows("server", "host", "port"):
        ports.setdefault(session["host"], {}).setdefault(session["server"], []).append(session["port"])
    return Observed(rows=[_row(host, of, limits) for host, of in ports.items()])


def _row(host: str, ports: dict[str, list[int]], limits: dict[str, int | None]) -> ZookeeperAddress:
    shares: dict[str, float | None] = {}
    for server, of in ports.items():
        limit = limits.get(server)
        shares[server] = limit and len(of) / limit
    known = {name: share for name, share in shares.items() if share is not None}
    decided = len(known) == len(shares)
    most = max(known, key=known.__getitem__) if decided else None
    return ZookeeperAddress(
        host=host,
        server=most,
        sessions=len(ports[most]) if most else None,
        limit=limits.get(most) if most else None,
        full=[name for name, share in known.items() if share >= 1] if decided else None,
        further_ports=sorted(port for of in ports.values() for port in of)[1:],
    )
