"""Kills ZooKeeper server 2: the ensemble still has a majority, and none to spare (with zookeeper)."""

from runbook.lab import zookeeper
from runbook.lab.processes import terminate
from runbook.lab.state import LabState

_PLACE = 1


def inject(lab: LabState) -> None:
    """Kill the server and wait until the others go on without it."""
    servers = zookeeper.servers_of(lab)
    terminate(servers[_PLACE].process, patience=0)
    zookeeper.wait_for_ensemble(lab, servers, zookeeper.COUNT - 1)


def heal(lab: LabState) -> None:
    """Start it again."""
    zookeeper.revive(lab)
