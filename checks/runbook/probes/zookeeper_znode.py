"""Whom Kafka's nodes in ZooKeeper let do what."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

from runbook.answers.zookeeper import CREDENTIALS, GET_ACL, SESSION, AclEntry, Znode
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row
from runbook.plugins.guard import attempt

if TYPE_CHECKING:
    from runbook.connections.zookeeper import ZooKeeper


class ZookeeperZnode(Row):
    """A znode."""

    path: Annotated[str, Cell("The node, below the chroot that the inventory names.", key=True)]
    exists: Annotated[bool, Cell("Whether it is there.")]
    holds_credentials: Annotated[bool, Cell("Whether Kafka keeps credentials there, such as SCRAM's hashes.")]
    hidden: Annotated[
        bool, Cell("Whether its ACL is shown only to clients that log in: then no other client may read it.")
    ]
    everybody: Annotated[
        list[str] | None,
        Cell("What anybody may: read, write, create, delete, admin; unknown if hidden."),
    ]
    others: Annotated[list[str] | None, Cell("Who else may something, as scheme:name; unknown if hidden.")]


PROBE = Probe(
    connections=("zookeeper",),
    help="One row per node that Kafka keeps in ZooKeeper, asked without a login.",
    row=ZookeeperZnode,
    requests=(*SESSION, GET_ACL),
    rights=("ZooKeeper: none; a session without a login",),
)


def observe(zookeeper: "ZooKeeper") -> Observed:
    """Observe the nodes; a gap where no server takes us, or where none of Kafka's nodes is below the chroot."""
    nodes = attempt(zookeeper.nodes)
    if isinstance(nodes, CannotLook):
        return Observed(rows=[], gaps=[Gap.of(nodes)])
    if not any(node.exists for node in nodes):
        said = "ZooKeeper has none of Kafka's nodes there: give the path that ends zookeeper.connect as `chroot`"
        return Observed(rows=[], gaps=[Gap(said)])
    return Observed(rows=[_row(node) for node in nodes if node.exists])


def _row(node: Znode) -> ZookeeperZnode:
    entries = None if node.entries is None else [*node.entries]
    return ZookeeperZnode(
        path=node.path,
        exists=node.exists,
        holds_credentials=node.path in CREDENTIALS,
        hidden=entries is None,
        everybody=None if entries is None else sorted(_rights_of_everybody(entries)),
        others=None if entries is None else sorted({f"{e.scheme}:{e.who}" for e in entries if e.scheme != "world"}),
    )


def _rights_of_everybody(entries: Iterable[AclEntry]) -> set[str]:
    return {right for entry in entries if entry.scheme == "world" for right in entry.rights}
