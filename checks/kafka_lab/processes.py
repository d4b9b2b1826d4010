"""Processes that outlive us, known by id and start, so that a stranger under a reused id is never touched."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal

from msgspec import Struct

from runbook.safety import child_process

Condition = Literal["alive", "frozen", "stopped"]

_POLL = 0.05


class Process(Struct, frozen=True):
    """One process: its id, and when it started (as this system tells it, only to be compared)."""

    pid: int
    started: str


def start(command: list[str], *, output: Path, folder: Path) -> Process:
    """Start a process in a session of its own: it neither ends with us nor hears our terminal.

    Args:
        command: The argument vector.
        output: The file that takes what it prints; replaced.
        folder: Where it runs.

    Raises:
        OSError: It could not be started.
    """
    with output.open("wb") as file:
        child = child_process.start(command, stdout=file, stderr=child_process.STDOUT, folder=folder, own_session=True)
    child.returncode = 0  # it is meant to outlive this object: nothing to warn about, nobody waits for it here
    return Process(child.pid, _look(child.pid)[0])


def known_by(pid: int) -> Process:
    """Know a process that something else started by its id."""
    return Process(pid, _look(pid)[0])


def condition(process: Process | None) -> Condition:
    """Say how the process is: alive, frozen (stopped by a signal, can go on), or stopped (gone)."""
    if process is None:
        return "stopped"
    with suppress(ChildProcessError):
        os.waitpid(process.pid, os.WNOHANG)  # an ended child of our own would stay as a zombie
    started, state = _look(process.pid)
    if started != process.started or state in ("", "X") or (state == "Z" and not _has_threads(process.pid)):
        return "stopped"
    return "frozen" if state in ("T", "t") else "alive"


def freeze(process: Process | None) -> None:
    """Stop it in its tracks: its connections stay open and nothing answers."""
    _send(process, signal.SIGSTOP)
    _await(process, lambda now: now != "alive", 2.0)


def thaw(process: Process | None) -> None:
    """Let a frozen process go on."""
    _send(process, signal.SIGCONT)
    _await(process, lambda now: now != "frozen", 2.0)


def terminate(process: Process | None, *, patience: float) -> None:
    """Ask it to end; kill it after `patience` seconds. Returns when it is gone."""
    if condition(process) == "alive" and patience > 0:
        _send(process, signal.SIGTERM)
        if gone(process, patience):
            return
    _send(process, signal.SIGKILL)
    gone(process, 5.0)


def gone(process: Process | None, patience: float) -> bool:
    """Wait up to `patience` seconds for it to end; whether it did."""
    return _await(process, lambda now: now == "stopped", patience)


def _await(process: Process | None, reached: Callable[[Condition], bool], patience: float) -> bool:
    """Wait for a condition; signals take effect a moment after they are sent."""
    deadline = time.monotonic() + patience
    while not reached(condition(process)):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL)
    return True


def _send(process: Process | None, what: signal.Signals) -> None:
    if process is not None and condition(process) != "stopped":
        with suppress(ProcessLookupError):
            os.kill(process.pid, what)


def _has_threads(pid: int) -> bool:
    """Whether threads of a process whose first one has ended are still there: they hold its ports and files."""
    try:
        return len(list(Path(f"/proc/{pid}/task").iterdir())) > 1
    except OSError:
        return False


def _look(pid: int) -> tuple[str, str]:
    """The start and the one-letter state of whatever has this id; empty where nothing has."""
    table = Path("/proc/self/stat")
    return _look_in_proc(pid) if table.exists() else _look_with_ps(pid)


def _look_in_proc(pid: int) -> tuple[str, str]:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return "", ""
    # proc(5): the name, field 2, is in parentheses and may hold anything; state is field 3, the start field 22.
    fields = stat.rpartition(")")[2].split()
    return f"{boot} {fields[19]}", fields[0]


def _look_with_ps(pid: int) -> tuple[str, str]:
    done = child_process.finish_text(["/bin/ps", "-o", "stat=,lstart=", "-p", str(pid)])
    state, _, started = done.stdout.strip().partition(" ")
    return started.strip(), state[:1]
