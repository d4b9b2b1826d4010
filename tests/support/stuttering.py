"""A broker that stutters, a cluster under load, and what `runbook check ha` says of either, time after time."""

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from kafka_lab import LabState
from kafka_lab.processes import Process, thaw
from kafka_lab.tools import java_of
from support.evidence.making import RUNBOOK

TOPIC: Final = "orders"
_RATE: Final = 3000  # records of 1 kB each second: what a busy machine of two cores takes beside three brokers
_ENDLESS: Final = str(10**9)
_WITHIN: Final = 240.0


class Verdicts(Struct):
    """What came of some runs, one after the other.

    Attributes:
        outcomes: of each run, check → outcome; `why` has the words of those that fail.
        exits: of each run, how the command ended.
        seconds: that each took.
    """

    outcomes: list[dict[str, str]] = []
    why: list[dict[str, str]] = []
    exits: list[int] = []
    seconds: list[float] = []

    def turning(self) -> list[str]:
        """The checks whose outcome was not the same in all runs."""
        return sorted({check for run in self.outcomes for check in run if run[check] != self.outcomes[0].get(check)})


@contextmanager
def stuttering(process: Process | None, *, frozen: float, every: float) -> Iterator[None]:
    """Freeze a process for so many seconds of every so many, until the block ends; it works then."""
    assert process is not None
    ended = threading.Event()

    def freeze_and_thaw() -> None:
        while not ended.is_set():
            os.kill(process.pid, signal.SIGSTOP)
            ended.wait(frozen)
            os.kill(process.pid, signal.SIGCONT)
            ended.wait(every - frozen)

    work = threading.Thread(target=freeze_and_thaw)
    work.start()
    try:
        yield
    finally:
        ended.set()
        work.join()
        thaw(process)


@contextmanager
def loaded(lab: LabState) -> Iterator[None]:
    """Have Kafka's own tools write with acks=all, and read, until the block ends."""
    to = f"bootstrap.servers={lab.bootstrap}"
    rate = ["--record-size", "1000", "--throughput", str(_RATE), "--producer-props", "acks=all", to]
    reads = ["--bootstrap-server", lab.bootstrap, "--timeout", "60000"]
    commands = [
        [*java_of(lab, "kafka-producer-perf-test.sh"), "--topic", TOPIC, "--num-records", _ENDLESS, *rate],
        [*java_of(lab, "kafka-consumer-perf-test.sh"), "--topic", TOPIC, "--num-records", _ENDLESS, *reads],
    ]
    silent = subprocess.DEVNULL
    clients = [subprocess.Popen(command, stdout=silent, stderr=silent) for command in commands]
    try:
        time.sleep(3)  # until both have begun
        assert [client.poll() for client in clients] == [None, None]
        yield
        assert [client.poll() for client in clients] == [None, None]
    finally:
        for client in clients:
            client.kill()
            client.wait()


def checked_often(inventory: Path | None, runs: int, *more: str) -> Verdicts:
    """Check `ha` so many times, one run after the other, as a user does."""
    found = Verdicts()
    for _ in range(runs):
        began = time.monotonic()
        command = [RUNBOOK, "check", "ha", "-i", str(inventory), "-f", "json", *more]
        done = subprocess.run(command, capture_output=True, text=True, timeout=_WITHIN, check=False)
        found.seconds.append(time.monotonic() - began)
        results = json.loads(done.stdout)["results"]
        found.exits.append(done.returncode)
        found.outcomes.append({result["check"]: result["outcome"] for result in results})
        found.why.append({result["check"]: _why(result) for result in results if result["outcome"] != "pass"})
    return found


def _why(result: dict[str, Any]) -> str:
    return "; ".join(row["message"] for row in result["rows"]) or str(result["reason"])
