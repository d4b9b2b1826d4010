"""Freezes ZooKeeper server 2 (SIGSTOP): its port accepts, nothing ever answers (with zookeeper)."""

from collections.abc import Mapping

from kafka_lab import zookeeper
from kafka_lab.processes import condition, freeze
from kafka_lab.state import LabState
from kafka_lab.zookeeper_words import in_sync

_PLACE = 1


def inject(lab: LabState) -> None:
    """Freeze the server and wait until the others go on without it."""
    servers = zookeeper.servers_of(lab)
    freeze(servers[_PLACE].process)
    zookeeper.wait_for_ensemble(lab, servers, zookeeper.COUNT - 1)


def heal(lab: LabState) -> None:
    """Let it go on."""
    zookeeper.revive(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether its process is stopped by a signal, and the leader has one follower fewer."""
    servers = zookeeper.servers_of(lab)
    hangs = servers[_PLACE]
    return {
        f"the process of {hangs.name} is frozen": condition(hangs.process) == "frozen",
        "the leader has one follower fewer": in_sync(servers) == zookeeper.COUNT - 1,
    }
