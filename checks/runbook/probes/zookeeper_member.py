"""Who belongs to the ensemble, as each of its servers has it configured."""

from typing import Annotated

from runbook.answers.zookeeper import CONFIGURATION, reads, right
from runbook.formats.zookeeper import Ensemble
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row


class ZookeeperMember(Row):
    """A member that a server's configuration names."""

    server: Annotated[str, Cell("Who says so: name in the inventory.", key=True, entity="server")]
    member: Annotated[int, Cell("The member's id.", key=True)]
    host: Annotated[str, Cell("Where its peers reach it.", entity="host")]
    peer_port: Annotated[int, Cell("Port for followers.")]
    election_port: Annotated[int, Cell("Port for elections.")]
    role: Annotated[str, Cell("participant, which has a vote, or observer; the admin server leaves observers out.")]
    client_address: Annotated[str, Cell("Where its clients reach it, if that is configured.")]
    group: Annotated[int, Cell("Its group in a hierarchical quorum, 0 for none; the admin server does not tell.")]
    weight: Annotated[int, Cell("What its vote counts within the group; the admin server does not tell.")]


PROBE = Probe(
    connections=("zookeeper",),
    help="One row per server that reports, and member that it knows; none of a standalone server.",
    row=ZookeeperMember,
    requests=reads(CONFIGURATION),
    rights=(right(CONFIGURATION),),
)


def observe(zookeeper: Ensemble) -> Observed:
    """Observe the members."""
    by_server, gaps = zookeeper.configurations()
    rows = [
        ZookeeperMember(
            server=server,
            member=member.number,
            host=member.host,
            peer_port=member.peer_port,
            election_port=member.election_port,
            role=member.role,
            client_address=member.client_address,
            group=member.group,
            weight=member.weight,
        )
        for server, configuration in by_server.items()
        for member in configuration.members
    ]
    return Observed(rows=rows, gaps=list(gaps))
