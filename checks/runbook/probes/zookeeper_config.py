"""How each ZooKeeper server is configured."""

from runbook.connections.zookeeper.questions import CONFIGURATION, reads, right
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.zookeeper import Ensemble

PROBE = Probe(
    connections=("zookeeper",),
    help="One row per server that serves.",
    columns=(
        Column("server", "string", "Name in the inventory.", key=True, entity="server"),
        Column("number", "int", "Its own id, as in the file myid."),
        Column("tick_time", "int", "tickTime.", unit="ms"),
        Column("init_limit", "int", "initLimit; the admin server does not tell it.", unit="ticks"),
        Column("sync_limit", "int", "syncLimit; the admin server does not tell it.", unit="ticks"),
        Column("min_session_timeout", "int", "Shortest session that a client gets.", unit="ms"),
        Column("max_session_timeout", "int", "Longest session that a client gets.", unit="ms"),
        Column("max_client_connections", "int", "maxClientCnxns: connections of one address.", unit="connections"),
        Column("plain_port", "int", "Clients' port without TLS; 0 for none."),
        Column("secure_port", "int", "Clients' port with TLS; 0 for none; the admin server does not tell it."),
    ),
    requests=reads(CONFIGURATION),
    rights=(right(CONFIGURATION),),
)


def observe(zookeeper: Ensemble) -> Observed:
    """Observe the settings of every server that tells them."""
    told, gaps = zookeeper.configurations()
    rows = [
        (
            server,
            one.number,
            one.tick_time,
            one.init_limit,
            one.sync_limit,
            one.min_session_timeout,
            one.max_session_timeout,
            one.max_client_connections,
            one.client_port,
            one.secure_client_port,
        )
        for server, one in told.items()
    ]
    return Observed(rows=rows, gaps=list(gaps))
