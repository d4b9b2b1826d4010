"""Stops broker 3 and unregisters it, as one that is taken out for good, while partitions still name it."""

from collections.abc import Mapping
from typing import Final

from kafka_lab import tools
from kafka_lab.admin import kafka_python, live_brokers, partitions
from kafka_lab.processes import terminate
from kafka_lab.recovery import revive, wait_for_loss
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_for_brokers

_NUMBER: Final = 3


def inject(lab: LabState) -> None:
    """Stop it, and have the cluster forget it."""
    terminate(lab.broker(_NUMBER).process, patience=8)
    wait_for_loss(lab, {_NUMBER})
    where = ("--bootstrap-server", lab.bootstrap, "--id", str(_NUMBER))
    tools.run(lab, "kafka-cluster.sh", "unregister", *where)


def heal(lab: LabState) -> None:
    """Start it: it registers again."""
    revive(lab, {_NUMBER})
    wait_for_brokers(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether it has no process, the cluster lists no such broker, fenced or not, and partitions name it."""
    held = {number for topic in partitions(lab).values() for one in topic.values() for number in one.replicas}
    return {
        f"broker {_NUMBER} has no process": lab.broker(_NUMBER).condition == "stopped",
        f"broker {_NUMBER} is not registered": _NUMBER not in _registered(lab),
        f"partitions name broker {_NUMBER} while it serves nobody": _NUMBER in held - live_brokers(lab),
    }


def _registered(lab: LabState) -> set[int]:
    """The brokers that the controllers know, fenced or not."""
    with kafka_python(lab) as admin:
        return {broker["broker_id"] for broker in admin.describe_cluster()["brokers"]}
