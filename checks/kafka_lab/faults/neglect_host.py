"""Leaves the host of broker 3 as Linux installs it: swappiness 60, few memory maps, huge pages. Needs hosts."""

from collections.abc import Mapping
from pathlib import Path

from kafka_lab.hosts import NEGLECTED, RIGHT
from kafka_lab.parts.hosts import host_of
from kafka_lab.state import LabState

SEEN_IN = "os-hardware"

_NUMBER = 3


def inject(lab: LabState) -> None:
    """Let its kernel settings show Linux's own defaults."""
    host = host_of(lab, _NUMBER)
    for setting, value in NEGLECTED.items():
        host.set_kernel(setting, value)


def heal(lab: LabState) -> None:
    """Set it up for Kafka again."""
    host = host_of(lab, _NUMBER)
    for setting, value in RIGHT.items():
        host.set_kernel(setting, value)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether its kernel settings, as its own processes read them, are Linux's defaults."""
    root = Path(f"/proc/{host_of(lab, _NUMBER).first.pid}/root")
    return {
        f"{setting} is {value} on the host of broker {_NUMBER}": _read(root, setting) == value
        for setting, value in NEGLECTED.items()
    }


def _read(root: Path, setting: str) -> str:
    return root.joinpath(setting.strip("/")).read_text("ascii").strip()
