"""How each ZooKeeper server is configured."""

from typing import Annotated

from runbook.answers.zookeeper import CONFIGURATION, reads, right
from runbook.formats.zookeeper import Ensemble
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Milliseconds
from runbook.model.row import Cell, Row


class ZookeeperConfig(Row):
    """How a ZooKeeper server is set up."""

    server: Annotated[str, Cell("Name in the inventory.", key=True, entity="server")]
    number: Annotated[int, Cell("Its own id, as in the file myid.")]
    tick_time: Annotated[Milliseconds, Cell("tickTime.")]
    init_limit: Annotated[int, Cell("initLimit; the admin server does not tell it.", unit="ticks")]
    sync_limit: Annotated[int, Cell("syncLimit; the admin server does not tell it.", unit="ticks")]
    min_session_timeout: Annotated[Milliseconds, Cell("Shortest session that a client gets.")]
    max_session_timeout: Annotated[Milliseconds, Cell("Longest session that a client gets.")]
    max_client_connections: Annotated[int, Cell("maxClientCnxns: connections of one address.", unit="connections")]
    plain_port: Annotated[int, Cell("Clients' port without TLS; 0 for none.")]
    secure_port: Annotated[int, Cell("Clients' port with TLS; 0 for none; the admin server does not tell it.")]


PROBE = Probe(
    connections=("zookeeper",),
    help="One row per server that serves.",
    row=ZookeeperConfig,
    requests=reads(CONFIGURATION),
    rights=(right(CONFIGURATION),),
)


def observe(zookeeper: Ensemble) -> Observed:
    """Observe the settings of every server that tells them."""
    by_server, gaps = zookeeper.configurations()
    rows = [
        ZookeeperConfig(
            server=server,
            number=configuration.number,
            tick_time=configuration.tick_time,
            init_limit=configuration.init_limit,
            sync_limit=configuration.sync_limit,
            min_session_timeout=configuration.min_session_timeout,
            max_session_timeout=configuration.max_session_timeout,
            max_client_connections=configuration.max_client_connections,
            plain_port=configuration.client_port,
            secure_port=configuration.secure_client_port,
        )
        for server, configuration in by_server.items()
    ]
    return Observed(rows=rows, gaps=list(gaps))
