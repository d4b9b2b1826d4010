"""Stops broker 2 in good order, as an upgrade would: its leaders move, its replicas leave the in-sync sets."""

from collections.abc import Mapping

from kafka_lab.processes import terminate
from kafka_lab.recovery import revive, wait_for_loss
from kafka_lab.signs import losses
from kafka_lab.state import LabState

_NUMBER = 2


def inject(lab: LabState) -> None:
    """Stop the broker and wait until the cluster goes on without it."""
    terminate(lab.broker(_NUMBER).process, patience=8)
    wait_for_loss(lab, {_NUMBER})


def heal(lab: LabState) -> None:
    """Start the broker again."""
    revive(lab, {_NUMBER})


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether its process has ended, its port refuses, and the cluster has fenced it."""
    return losses(lab, {_NUMBER})
