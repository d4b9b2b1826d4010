"""Kills every broker in rack az-c at once, as a power cut there would."""

from collections.abc import Mapping

from kafka_lab.processes import terminate
from kafka_lab.recovery import revive, wait_for_loss
from kafka_lab.signs import losses
from kafka_lab.state import LabState

_RACK = "az-c"


def inject(lab: LabState) -> None:
    """Kill the rack's brokers and wait until the cluster goes on without them."""
    lost = _brokers(lab)
    for number in lost:
        terminate(lab.broker(number).process, patience=0)
    wait_for_loss(lab, lost)


def heal(lab: LabState) -> None:
    """Start the rack's brokers again."""
    revive(lab, _brokers(lab))


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether their processes have ended, their ports refuse, and the cluster has fenced them."""
    return losses(lab, _brokers(lab))


def _brokers(lab: LabState) -> set[int]:
    return {broker.number for broker in lab.brokers if broker.rack == _RACK}
