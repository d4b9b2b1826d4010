"""Whom Kafka's nodes in ZooKeeper let do what."""

from collections.abc import Sequence

from runbook.connections.zookeeper import ZooKeeper
from runbook.connections.zookeeper.tree import CREDENTIALS, GET_ACL, SESSION, Node
from runbook.engine.column import Column
from runbook.engine.errors import CannotLook
from runbook.engine.fact import Gap, Observed
from runbook.engine.guard import attempt
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("zookeeper",),
    help="One row per node that Kafka keeps in ZooKeeper, asked without a login.",
    columns=(
        Column("path", "string", "The node, below the chroot that the inventory names.", key=True),
        Column("exists", "bool", "Whether it is there."),
        Column("holds_credentials", "bool", "Whether Kafka keeps credentials there, such as SCRAM's hashes."),
        Column("hidden", "bool", "Whether its ACL is told only to those who log in: then nobody else may read it."),
        Column("everybody", "list[string]", "What anybody may: read, write, create, delete, admin; unknown if hidden."),
        Column("others", "list[string]", "Who else may something, as scheme:name; unknown if hidden."),
    ),
    requests=(*SESSION, GET_ACL),
    rights=("ZooKeeper: none; a session without a login",),
)


def observe(zookeeper: ZooKeeper) -> Observed:
    """Observe the nodes; a gap where no server takes us, or where none of Kafka's nodes is below the chroot."""
    nodes = attempt(zookeeper.nodes)
    if isinstance(nodes, CannotLook):
        return Observed(rows=[], gaps=[Gap(str(nodes))])
    if not any(node.exists for node in nodes):
        said = "ZooKeeper has none of Kafka's nodes there: give the path that ends zookeeper.connect as `chroot`"
        return Observed(rows=[], gaps=[Gap(said)])
    return Observed(rows=[_row(node) for node in nodes if node.exists])


def _row(node: Node) -> Sequence[object]:
    head = (node.path, node.exists, node.path in CREDENTIALS, node.entries is None)
    if node.entries is None:
        return (*head, None, None)
    everybody = {right for entry in node.entries if entry.scheme == "world" for right in entry.rights}
    others = {f"{entry.scheme}:{entry.who}" for entry in node.entries if entry.scheme != "world"}
    return (*head, sorted(everybody), sorted(others))
