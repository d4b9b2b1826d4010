"""Kills all brokers but the first: no majority of controllers is left, so nothing in the cluster can change."""

from collections.abc import Mapping

from kafka_lab.processes import terminate
from kafka_lab.recovery import revive
from kafka_lab.signs import refuses
from kafka_lab.state import LabState


def inject(lab: LabState) -> None:
    """Kill the brokers. There is nothing to wait for: the survivor can't learn of it from a controller."""
    for number in _lost(lab):
        terminate(lab.broker(number).process, patience=0)


def heal(lab: LabState) -> None:
    """Start them again."""
    revive(lab, _lost(lab))


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether their processes have ended and their ports, the controllers' too, refuse."""
    lost = [lab.broker(number) for number in sorted(_lost(lab))]
    ended = {f"broker {broker.number} has no process": broker.condition == "stopped" for broker in lost}
    return ended | {f"controller {broker.number} refuses": refuses(broker.controller_port) for broker in lost}


def _lost(lab: LabState) -> set[int]:
    return {broker.number for broker in lab.brokers[1:]}
