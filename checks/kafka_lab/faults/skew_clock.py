"""Lets the clock of broker 3's host run 90 s ahead, as `date` tells it. It takes libfaketime. Needs hosts."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from kafka_lab.errors import LabError
from kafka_lab.parts.hosts import host_of
from kafka_lab.state import LabState
from runbook.safety.child_process import finish_text

SEEN_IN = "os-hardware"

AHEAD: Final = 90  # seconds

_NUMBER: Final = 3
_TOLERANCE: Final = 20.0  # seconds that a busy machine may take to answer
_DATE, _ASIDE = "usr/bin/date", "usr/bin/date.true"


def library() -> Path | None:
    """Find libfaketime, which tells a program another time: namespaces have no time of day of their own.

    It is put before `date` alone. The sandbox of OpenSSH's server ends a process that it was put before.
    """
    return min(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), default=None)


def inject(lab: LabState) -> None:
    """Let `date` there tell another time."""
    root = _root(lab)
    found = library()
    if found is None:
        raise LabError("libfaketime is missing, which tells programs another time: apt install faketime")
    script = f'#!/bin/sh\nLD_PRELOAD={found} FAKETIME=+{AHEAD}s exec /{_ASIDE} "$@"\n'
    if not root.joinpath(_ASIDE).exists():
        root.joinpath(_DATE).rename(root / _ASIDE)
    root.joinpath(_DATE).write_text(script, encoding="ascii")
    root.joinpath(_DATE).chmod(0o755)


def heal(lab: LabState) -> None:
    """Let it tell the machine's time again."""
    root = _root(lab)
    if root.joinpath(_ASIDE).exists():
        root.joinpath(_ASIDE).rename(root / _DATE)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether `date`, run in that host, is ahead of this machine's clock, and in no other host."""
    ahead = {broker.number: _ahead(lab, broker.number) for broker in lab.brokers}
    return {
        f"date is {AHEAD} s ahead on the host of broker {_NUMBER} alone": (
            abs(ahead.pop(_NUMBER) - AHEAD) < _TOLERANCE
            and all(abs(seconds) < _TOLERANCE for seconds in ahead.values())
        )
    }


def _ahead(lab: LabState, number: int) -> float:
    """Seconds by which a host's `date` is ahead of this machine's clock."""
    target = str(host_of(lab, number).first.pid)
    command = ["nsenter", "--target", target, "--mount", "--root", f"/{_DATE}", "+%s.%N"]
    before = time.time()
    done = finish_text(command)
    if done.returncode:
        raise LabError(f"The host of broker {number} did not tell its time: {done.stderr.strip()}")
    return float(done.stdout) - before


def _root(lab: LabState) -> Path:
    """The files of the host as its own programs see them."""
    return Path(f"/proc/{host_of(lab, _NUMBER).first.pid}/root")
