"""Freezes broker 3 (SIGSTOP), as a hung disk or a very long pause would: its port accepts, nothing ever answers."""

from runbook.lab.processes import freeze
from runbook.lab.recovery import revive, wait_for_loss
from runbook.lab.state import LabState

_NUMBER = 3


def inject(lab: LabState) -> None:
    """Freeze the broker and wait until the controllers fence it."""
    freeze(lab.broker(_NUMBER).process)
    wait_for_loss(lab, {_NUMBER})


def heal(lab: LabState) -> None:
    """Let the broker go on."""
    revive(lab, {_NUMBER})
