"""Freezes broker 3 (SIGSTOP), as a hung disk or a very long pause would: its port accepts, nothing ever answers."""

from collections.abc import Mapping

from kafka_lab.admin import live_brokers
from kafka_lab.processes import freeze
from kafka_lab.recovery import revive, wait_for_loss
from kafka_lab.state import LabState

_NUMBER = 3


def inject(lab: LabState) -> None:
    """Freeze the broker and wait until the controllers fence it."""
    freeze(lab.broker(_NUMBER).process)
    wait_for_loss(lab, {_NUMBER})


def heal(lab: LabState) -> None:
    """Let the broker go on."""
    revive(lab, {_NUMBER})


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether its process is stopped by a signal, and the cluster has fenced it."""
    return {
        f"the process of broker {_NUMBER} is frozen": lab.broker(_NUMBER).condition == "frozen",
        f"the cluster has fenced broker {_NUMBER}": _NUMBER not in live_brokers(lab),
    }
