"""Who is connected to the ZooKeeper servers."""

from typing import Annotated

from runbook.answers.zookeeper import CLIENTS, reads, right
from runbook.formats.zookeeper import Ensemble
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Milliseconds
from runbook.model.row import Cell, Row


class ZookeeperClient(Row):
    """A client's connection to a ZooKeeper server."""

    server: Annotated[str, Cell("Name in the inventory.", key=True, entity="server")]
    host: Annotated[str, Cell("The client's address.", key=True)]
    port: Annotated[int, Cell("The client's port.", key=True, moves=True)]
    session_timeout: Annotated[Milliseconds, Cell("Silence after which the session ends.")]


PROBE = Probe(
    connections=("zookeeper",),
    help="One row per session that a client has with a server; questions such as ours have none.",
    row=ZookeeperClient,
    requests=reads(CLIENTS),
    rights=(right(CLIENTS),),
)


def observe(zookeeper: Ensemble) -> Observed:
    """Observe the sessions."""
    by_server, gaps = zookeeper.clients()
    rows = [
        ZookeeperClient(server=server, host=client.host, port=client.port, session_timeout=client.timeout)
        for server, clients in by_server.items()
        for client in clients
        if client.session
    ]
    return Observed(rows=rows, gaps=list(gaps))
