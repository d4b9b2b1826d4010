"""Who is connected to the ZooKeeper servers."""

from runbook.connections.zookeeper.questions import CLIENTS, reads, right
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.zookeeper import Ensemble

PROBE = Probe(
    connections=("zookeeper",),
    help="One row per session that a client has with a server; questions such as ours have none.",
    columns=(
        Column("server", "string", "Name in the inventory.", key=True, entity="server"),
        Column("host", "string", "The client's address.", key=True),
        Column("port", "int", "The client's port.", key=True),
        Column("session_timeout", "int", "Silence after which the session ends.", unit="ms"),
    ),
    requests=reads(CLIENTS),
    rights=(right(CLIENTS),),
)


def observe(zookeeper: Ensemble) -> Observed:
    """Observe the sessions."""
    told, gaps = zookeeper.clients()
    rows = [
        (server, client.host, client.port, client.timeout)
        for server, clients in told.items()
        for client in clients
        if client.session
    ]
    return Observed(rows=rows, gaps=list(gaps))
