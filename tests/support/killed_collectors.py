"""Collectors of results that are killed while they write, for tests of stores that are no folder."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO

_COLLECTOR = """
import sys
from support.kept_runs import kept_run
from runbook.evidence.store import keep_run
from runbook.stores import open_store

store = open_store(sys.argv[1])
number = int(sys.argv[2])
while True:
    number += 1
    run = kept_run(number=number)
    keep_run(store, run)
    print(run.id, flush=True)
"""


def reported_before_kills(store: str, kills: int, wait: Callable[[int, IO[str]], list[str]]) -> list[str]:
    """Start a collector so many times, and kill it each time; the ids of all runs that it reported as kept.

    Args:
        store: its address.
        kills: how often.
        wait: is given the number of the kill and what the collector prints; reads what it likes and returns it.
    """
    folders = [str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    search = os.environ | {"PYTHONPATH": os.pathsep.join(folders)}
    reported: list[str] = []
    for kill in range(kills):
        command = [sys.executable, "-c", _COLLECTOR, store, str(1_000_000 * kill)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=search) as collector:
            assert collector.stdout is not None
            reported += wait(kill, collector.stdout)
            assert collector.poll() is None, "the collector ended by itself"
            collector.send_signal(signal.SIGKILL)
            reported += collector.stdout.read().split("\n")[:-1]
    return reported
