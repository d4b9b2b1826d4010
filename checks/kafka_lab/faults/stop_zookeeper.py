"""Kills ZooKeeper server 2: the ensemble still has a majority, and none to spare (with zookeeper)."""

from collections.abc import Mapping

from kafka_lab import zookeeper
from kafka_lab.processes import condition, terminate
from kafka_lab.signs import refuses
from kafka_lab.state import LabState
from kafka_lab.zookeeper_words import in_sync

_PLACE = 1


def inject(lab: LabState) -> None:
    """Kill the server and wait until the others go on without it."""
    servers = zookeeper.servers_of(lab)
    terminate(servers[_PLACE].process, patience=0)
    zookeeper.wait_for_ensemble(lab, servers, zookeeper.COUNT - 1)


def heal(lab: LabState) -> None:
    """Start it again."""
    zookeeper.revive(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether its process has ended, its port refuses, and the leader has one follower fewer."""
    servers = zookeeper.servers_of(lab)
    lost = servers[_PLACE]
    return {
        f"{lost.name} has no process": condition(lost.process) == "stopped",
        f"the port of {lost.name} refuses": refuses(lost.port),
        "the leader has one follower fewer": in_sync(servers) == zookeeper.COUNT - 1,
    }
