"""Kills every broker of the primary at once, as a power cut at that site would (with dr)."""

from collections.abc import Mapping

from kafka_lab import mirrors
from kafka_lab.processes import terminate
from kafka_lab.recovery import revive
from kafka_lab.signs import refuses
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_for_brokers

SEEN_IN = "dr"


def inject(lab: LabState) -> None:
    """Kill them; the standby goes on."""
    mirrors.standby_of(lab)
    for broker in lab.brokers:
        terminate(broker.process, patience=0)


def heal(lab: LabState) -> None:
    """Start them again, and wait until MirrorMaker copies on."""
    revive(lab, {broker.number for broker in lab.brokers})
    wait_for_brokers(lab)
    mirrors.restore(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether no broker has a process, and every port refuses."""
    claims = {}
    for broker in lab.brokers:
        claims[f"broker {broker.number} has no process"] = broker.condition == "stopped"
        claims[f"the port of broker {broker.number} refuses"] = refuses(broker.port)
    return claims
