"""Freezes ZooKeeper server 2 (SIGSTOP): its port accepts, nothing ever answers (with zookeeper)."""

from runbook.lab import zookeeper
from runbook.lab.processes import freeze
from runbook.lab.state import LabState

_PLACE = 1


def inject(lab: LabState) -> None:
    """Freeze the server and wait until the others go on without it."""
    servers = zookeeper.servers_of(lab)
    freeze(servers[_PLACE].process)
    zookeeper.wait_for_ensemble(lab, servers, zookeeper.COUNT - 1)


def heal(lab: LabState) -> None:
    """Let it go on."""
    zookeeper.revive(lab)
