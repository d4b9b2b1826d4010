"""Leaves the host of broker 3 as Linux installs it: swappiness 60, few memory maps, huge pages. Needs hosts."""

from runbook.lab.errors import LabError
from runbook.lab.hosts import NEGLECTED, RIGHT, Machine
from runbook.lab.parts.hosts import machines_of
from runbook.lab.state import LabState

_PLACE = 2


def inject(lab: LabState) -> None:
    """Let its kernel settings show Linux's own defaults."""
    host = _host(lab)
    for setting, value in NEGLECTED.items():
        host.set_kernel(setting, value)


def heal(lab: LabState) -> None:
    """Set it up for Kafka again."""
    host = _host(lab)
    for setting, value in RIGHT.items():
        host.set_kernel(setting, value)


def _host(lab: LabState) -> Machine:
    state = lab.parts.get("hosts")
    if not state:
        raise LabError(f"Lab {lab.name} has no hosts: start it with runbook lab up --with hosts")
    return machines_of(state)[_PLACE]
