"""Who belongs to the ensemble, as each of its servers has it configured."""

from runbook.connections.zookeeper.questions import CONFIGURATION, reads, right
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.zookeeper import Ensemble

PROBE = Probe(
    connections=("zookeeper",),
    help="One row per server that tells, and member that it knows; none of a server that stands alone.",
    columns=(
        Column("server", "string", "Who says so: name in the inventory.", key=True, entity="server"),
        Column("member", "int", "The member's id.", key=True),
        Column("host", "string", "Where its peers reach it.", entity="host"),
        Column("peer_port", "int", "Port for followers."),
        Column("election_port", "int", "Port for elections."),
        Column("role", "string", "participant, which has a vote, or observer; the admin server leaves observers out."),
        Column("client_address", "string", "Where its clients reach it, if that is configured."),
        Column("group", "int", "Its group in a hierarchical quorum, 0 for none; the admin server does not tell."),
        Column("weight", "int", "What its vote counts within the group; the admin server does not tell."),
    ),
    requests=reads(CONFIGURATION),
    rights=(right(CONFIGURATION),),
)


def observe(zookeeper: Ensemble) -> Observed:
    """Observe the members."""
    told, gaps = zookeeper.configurations()
    rows = [
        (
            server,
            one.number,
            one.host,
            one.peer_port,
            one.election_port,
            one.role,
            one.client_address,
            one.group,
            one.weight,
        )
        for server, configuration in told.items()
        for one in configuration.members
    ]
    return Observed(rows=rows, gaps=list(gaps))
