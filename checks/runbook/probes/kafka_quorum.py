"""The KRaft metadata quorum: its voters, its leader, and how far the others are behind."""

from runbook.connections.kafka import Kafka
from runbook.connections.kafka.cluster_requests import ago
from runbook.engine.column import Column
from runbook.engine.fact import Gap, Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kafka",),
    help="One row per node that follows the metadata log: voters, and brokers that only observe.",
    columns=(
        Column("node", "int", "Node id.", key=True, entity="controller"),
        Column("voter", "bool", "Whether it has a vote; brokers that only follow have none."),
        Column("leader", "bool", "Whether it is the active controller."),
        Column("log_end_offset", "int", "End of its metadata log; -1 when the leader does not know.", unit="records"),
        Column("lag", "int", "Records behind the leader; unknown when its log end is.", unit="records"),
        Column("last_caught_up_ms", "int", "How long ago it had all that the leader had; unknown if never.", unit="ms"),
        Column("last_fetch_ms", "int", "How long ago it fetched from the leader; unknown if never.", unit="ms"),
        Column("voters", "int", "Size of the voter set, the same in every row.", unit="controllers"),
    ),
    requests=("ApiVersions", "DescribeQuorum", "Metadata"),
    rights=("Describe on the cluster",),
)


def observe(kafka: Kafka) -> Observed:
    """Observe the quorum as its leader sees it."""
    if not kafka.is_kraft():
        return Observed(inapplicable="the cluster runs in ZooKeeper mode, which has no KRaft quorum")
    quorum = kafka.quorum()
    voters = sum(node.voter for node in quorum.nodes)
    end = next((node.end_offset for node in quorum.nodes if node.node == quorum.leader), None)
    rows = []
    for node in sorted(quorum.nodes, key=lambda node: (not node.voter, node.node)):
        leads = node.node == quorum.leader
        lag = None if end is None or node.end_offset < 0 else max(0, end - node.end_offset)
        fetched = 0 if leads else ago(node.fetched_at)
        rows.append((node.node, node.voter, leads, node.end_offset, lag, ago(node.caught_up_at), fetched, voters))
    gaps = [] if end is not None else [Gap("the quorum has no leader that could tell how far its voters are")]
    return Observed(rows=rows, gaps=gaps)
