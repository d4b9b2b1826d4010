"""Moves the data of broker 3 to a file system of its own that is nearly full. Needs hosts.

The broker goes on: there is room enough for it. What a check must find is the disk before it is full.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from kafka_lab import brokers
from kafka_lab.errors import LabError
from kafka_lab.parts.hosts import host_of
from kafka_lab.processes import terminate
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_for_brokers
from runbook.safety.child_process import finish_text

SEEN_IN = "ha"

_NUMBER: Final = 3
_MB: Final = 1 << 20
_SIZE: Final = 400 * _MB  # beside the data; it is memory, as every file system that a namespace may mount
_ROOM: Final = 3 * _MB  # what stays free, less than a hundredth; a broker of the lab writes some kilobytes a minute
_BALLAST: Final = "ballast"  # in a log directory Kafka looks at folders only


def inject(lab: LabState) -> None:
    """Stop the broker, mount a small file system where its data is, bring the data there, fill it, and start again."""
    folder, there = _folders(lab)
    terminate(lab.broker(_NUMBER).process, patience=8)
    used = sum(file.stat().st_blocks * 512 for file in folder.rglob("*"))
    _inside(lab, "mount", "-t", "tmpfs", "-o", f"size={used + _SIZE}", "tmpfs", str(folder))
    _copy(folder, there)
    with there.joinpath(_BALLAST).open("wb") as ballast:
        for _ in range((shutil.disk_usage(there).free - _ROOM) // _MB):
            ballast.write(bytes(_MB))
    brokers.start(lab, lab.broker(_NUMBER))
    wait_for_brokers(lab)


def heal(lab: LabState) -> None:
    """Stop the broker, bring its data back, and start again."""
    folder, there = _folders(lab)
    terminate(lab.broker(_NUMBER).process, patience=8)
    if there.joinpath(_BALLAST).exists():
        there.joinpath(_BALLAST).unlink()
        for old in folder.iterdir():  # the folder itself stays: without it the host loses what is mounted there
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        _copy(there, folder)
        _inside(lab, "umount", str(folder))
    brokers.start(lab, lab.broker(_NUMBER))


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether its data is on a file system of its own with less than a hundredth free, and the broker runs there."""
    folder, there = _folders(lab)
    mounted = Path(f"/proc/{host_of(lab, _NUMBER).first.pid}/mountinfo").read_text("utf-8")
    usage = shutil.disk_usage(there)
    return {
        f"the data of broker {_NUMBER} is on a tmpfs of its own": any(
            line.split()[4] == str(folder) and " - tmpfs " in line for line in mounted.splitlines()
        ),
        f"less than a hundredth of the file system of broker {_NUMBER} is free": usage.free < usage.total / 100,
    }


def _folders(lab: LabState) -> tuple[Path, Path]:
    """The broker's data as this machine sees it, and as its host does."""
    folder = lab.data_of(lab.broker(_NUMBER))
    return folder, Path(f"/proc/{host_of(lab, _NUMBER).first.pid}/root{folder}")


def _copy(source: Path, target: Path) -> None:
    """Copy with owners and holes: Kafka's index files are mostly holes."""
    _run("cp", "-R", "--preserve=mode,ownership,timestamps", "--sparse=always", f"{source}/.", str(target))


def _inside(lab: LabState, *command: str) -> None:
    """Run a command in the host's own view of file systems, as root."""
    _run("nsenter", "--target", str(host_of(lab, _NUMBER).first.pid), "--mount", "--root", *command)


def _run(*command: str) -> None:
    done = finish_text(command)
    if done.returncode:
        raise LabError(f"The data of broker {_NUMBER} could not be moved: {done.stderr.strip() or command[0]}")
