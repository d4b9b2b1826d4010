"""Linux hosts of the lab of which somebody is root: what is typed there, and what a test may change."""

import resource
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from kafka_lab import LabState
from kafka_lab.hosts import Machine
from kafka_lab.parts.hosts import host_of
from support.careful_walker import Hand
from support.operators import Operator

KERNEL_SETTINGS: Final = "/etc/sysctl.d/60-kafka.conf"
"""The file with those that hold for good."""
WANTED: Final = 100_000
_HARD: Final = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
ALLOWED: Final = WANTED if _HARD == resource.RLIM_INFINITY else min(WANTED, _HARD)
"""Open files that this machine allows its processes, up to what the runbook asks for."""


def on_hosts(lab: LabState, operator: Operator, numbers: Sequence[int]) -> Hand:
    """A hand that types what is shown on the hosts of these brokers, as root."""

    def acts(commands: Sequence[str]) -> None:
        for number in numbers:
            machine = host_of(lab, number)
            inside = ["nsenter", f"--target={machine.first.pid}", "--mount", "--uts", "--ipc", "--pid", "--root"]
            for command in commands:
                operator.types()([shlex.join([*inside, "bash", "-euc", command])])

    return acts


def file_of(machine: Machine, file: str) -> Path:
    """A file of a host."""
    return Path(f"/proc/{machine.first.pid}/root{file}")
