"""Kills ZooKeeper servers 2 and 3: no majority is left, so nothing in the cluster can change (with zookeeper)."""

from runbook.lab import zookeeper
from runbook.lab.processes import terminate
from runbook.lab.state import LabState


def inject(lab: LabState) -> None:
    """Kill them and wait until the one that is left serves nobody any more."""
    servers = zookeeper.servers_of(lab)
    for server in servers[1:]:
        terminate(server.process, patience=0)
    zookeeper.wait_for_loss(lab, servers)


def heal(lab: LabState) -> None:
    """Start them again."""
    zookeeper.revive(lab)
