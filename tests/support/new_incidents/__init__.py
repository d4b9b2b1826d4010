"""Incidents that no fault of the lab is: what happens on platforms, made on real systems and looked at by the CLI.

An incident is declared in a module of this package: how it is made, how it is healed, and the words that somebody on
call is to read in the first three lines. It is looked at as a user would look: `runbook check RUNBOOK` in a process of
its own, once before, once during.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

from kafka_lab import LabState, parts, processes
from kafka_lab.brokers import start
from kafka_lab.configuration import properties_file, write_configuration
from kafka_lab.waiting import wait_for_brokers, wait_for_full_isr

_FIRST = 3
_LOOKS_WITHIN = 120.0
_BACK_WITHIN = 120.0


class Incident(NamedTuple):
    """One incident: its name, the runbook that is opened, how it is made and healed, and what is to be read first."""

    name: str
    runbook: str
    make: Callable[[LabState], Any]
    heal: Callable[[LabState], Any]
    words: str
    """A regular expression over the first three lines of the answer."""


class Shape(NamedTuple):
    """Incidents that share a lab."""

    lab: Callable[[Path], AbstractContextManager[LabState]]
    incidents: tuple[Incident, ...]


class Shown(NamedTuple):
    """What one look gave: seconds, exit code, and the answer."""

    seconds: float
    code: int
    answer: str

    @property
    def first(self) -> str:
        """The first lines of the answer, below the head that tells which environment it is about."""
        _, _, body = self.answer.partition("\n\n")
        return "\n".join(body.splitlines()[:_FIRST])


def look(lab: LabState, runbook: str, *, save: Path | None = None) -> Shown:
    """Check a runbook on a lab, as a user does."""
    command = [sys.executable, "-m", "runbook", "check", runbook, "--env", lab.name, "--color", "never"]
    command += ["--save", str(save)] if save else []
    asked = os.environ | {"RUNBOOK_LAB_HOME": str(Path(lab.folder).parent), "COLUMNS": "160"}
    began = time.monotonic()
    done = subprocess.run(
        command, env=asked, capture_output=True, text=True, timeout=_LOOKS_WITHIN, check=False, stdin=subprocess.DEVNULL
    )
    return Shown(time.monotonic() - began, done.returncode, done.stdout + done.stderr)


def named(incident: Incident, shown: Shown) -> str:
    """Where the words stand: `first`, `later`, or `no`."""
    if re.search(incident.words, shown.first, re.IGNORECASE):
        return "first"
    return "later" if re.search(incident.words, shown.answer, re.IGNORECASE) else "no"


def restart(
    lab: LabState,
    number: int,
    settings: dict[str, Any] | None = None,
    words: Callable[[list[str]], list[str]] | None = None,
    *,
    wait: bool = True,
) -> None:
    """Restart a broker with more settings, and with another command line, than the lab gives it.

    Args:
        lab: the lab.
        number: of the broker.
        settings: what is added to its file of properties, where the last value of a name holds.
        words: makes its new command line of the one it runs by.
        wait: whether it is to take part again.
    """
    broker = lab.broker(number)
    arguments = command_of(lab, number)
    processes.terminate(broker.process, patience=8)
    write_configuration(lab, broker)
    with properties_file(lab, broker).open("a", encoding="utf-8") as file:
        file.writelines(f"{name}={value}\n" for name, value in (settings or {}).items())
    if words is None:
        start(lab, broker)
    else:
        output = lab.log_of(broker).with_suffix(".out")
        elsewhere = parts.launch(lab, broker, words(arguments), output)
        broker.process = elsewhere or processes.start(words(arguments), output=output, folder=Path(lab.folder))
        lab.save()
    if wait:
        back(lab)


def command_of(lab: LabState, number: int) -> list[str]:
    """The command line of a broker that runs; nothing where it does not."""
    process = lab.broker(number).process
    try:
        words = Path(f"/proc/{process.pid}/cmdline").read_bytes() if process else b""
    except OSError:
        return []
    return [word.decode() for word in words.split(b"\0") if word]


def back(lab: LabState, *_: Any) -> None:
    """Wait until all brokers take part and all replicas are in sync."""
    wait_for_brokers(lab, within=_BACK_WITHIN)
    wait_for_full_isr(lab, within=_BACK_WITHIN)


def plainly(*numbers: int) -> Callable[[LabState], None]:
    """What heals brokers that were restarted otherwise: they are restarted as the lab would have them."""

    def heal(lab: LabState) -> None:
        gone = [number for number in numbers if lab.broker(number).condition == "stopped"]
        for number in gone:  # all of them, before any is waited for
            restart(lab, number, wait=False)
        if gone:
            back(lab)
        for number in sorted({*numbers} - {*gone}):
            restart(lab, number)

    return heal


def chosen(incidents: Iterable[Incident], names: Iterable[str]) -> list[Incident]:
    """Those of these names; all, where none is named."""
    wanted = set(names)
    return [incident for incident in incidents if not wanted or incident.name in wanted]
