"""Lets anybody do anything to Kafka's nodes in ZooKeeper, as without zookeeper.set.acl. Needs zookeeper."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from kafka_lab import zookeeper
from kafka_lab.state import LabState
from kafka_lab.zookeeper_logins import SUPER, super_password
from runbook.answers.zookeeper import NODES

SEEN_IN: Final = "security"

_PATIENCE = 30.0  # seconds for a session with a local server


def inject(lab: LabState) -> None:
    """Replace the ACLs of Kafka's nodes, and write down what they were."""
    from kazoo.security import OPEN_ACL_UNSAFE

    with _session(lab) as client:
        kept: dict[str, list[Any]] = {}
        for path in (zookeeper.chroot(lab) + node for node in NODES):
            if client.exists(path):
                kept[path] = [(acl.perms, acl.id.scheme, acl.id.id) for acl in client.get_acls(path)[0]]
        _kept(lab).write_bytes(msgspec.json.encode(kept))
        for path in kept:
            client.set_acls(path, OPEN_ACL_UNSAFE)


def heal(lab: LabState) -> None:
    """Give the nodes back the ACLs that they had."""
    from kazoo.security import ACL, Id

    if not _kept(lab).exists():
        return
    kept = msgspec.json.decode(_kept(lab).read_bytes())
    with _session(lab) as client:
        for path, acls in kept.items():
            if client.exists(path):
                client.set_acls(path, [ACL(perms, Id(scheme, who)) for perms, scheme, who in acls])
    _kept(lab).unlink()


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether anybody may do anything to each node that Kafka keeps."""
    from kazoo.security import OPEN_ACL_UNSAFE

    with _session(lab) as client:
        there = [path for path in (zookeeper.chroot(lab) + node for node in NODES) if client.exists(path)]
        return {f"anybody may change {path}": client.get_acls(path)[0] == OPEN_ACL_UNSAFE for path in there}


@contextmanager
def _session(lab: LabState) -> Iterator[Any]:
    from kazoo.client import KazooClient

    client = KazooClient(",".join(server.address for server in zookeeper.servers_of(lab)), timeout=_PATIENCE)
    client.start(timeout=_PATIENCE)
    try:
        client.add_auth("digest", f"{SUPER}:{super_password(lab)}")
        yield client
    finally:
        client.stop()
        client.close()


def _kept(lab: LabState) -> Path:
    return Path(lab.folder, "config", "acls-of-znodes.json")
