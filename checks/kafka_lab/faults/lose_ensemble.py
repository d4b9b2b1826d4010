"""Kills ZooKeeper servers 2 and 3: no majority is left, so nothing in the cluster can change (with zookeeper)."""

from collections.abc import Mapping

from kafka_lab import zookeeper
from kafka_lab.processes import condition, terminate
from kafka_lab.state import LabState
from kafka_lab.zookeeper_words import NOT_SERVING, mode


def inject(lab: LabState) -> None:
    """Kill them and wait until the one that is left serves nobody any more."""
    servers = zookeeper.servers_of(lab)
    for server in servers[1:]:
        terminate(server.process, patience=0)
    zookeeper.wait_for_loss(lab, servers)


def heal(lab: LabState) -> None:
    """Start them again."""
    zookeeper.revive(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether their processes have ended, and the one that is left says that it serves nobody."""
    left, *lost = zookeeper.servers_of(lab)
    ended = {f"{server.name} has no process": condition(server.process) == "stopped" for server in lost}
    return ended | {f"{left.name} serves nobody": mode(left) == NOT_SERVING}
