"""Incidents of the JVMs of brokers and of the hosts they run on."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

from kafka_lab import LabState, hosts, processes
from kafka_lab.admin import settings
from kafka_lab.parts.hosts import host_of
from runbook.java import find_java
from support.evidence.labs import kafka_lab
from support.new_incidents import Incident, Shape, back, command_of, plainly, restart

_GC: Final = "gc"
_HOST: Final = "os-hardware"
_G1: Final = "-XX:+UseG1GC"
_SERIAL: Final = "-XX:+UseSerialGC"


def _lab(folder: Path) -> AbstractContextManager[LabState]:
    folder.chmod(0o755)  # the brokers' user comes through
    return kafka_lab("jvm", folder, ["files", "hosts"])


def _changed(
    number: int,
    *,
    without: tuple[str, ...] = (),
    more: Callable[[], list[str]] = list,
    then: Callable[[LabState], Any] = lambda _: None,
    **settings_: Any,
) -> Callable[[LabState], None]:
    """Restart a broker without the words that begin so, and with more."""

    def make(lab: LabState) -> None:
        def words(arguments: list[str]) -> list[str]:
            kept = [word for word in arguments if not word.startswith(without)] if without else arguments
            return [kept[0], *more(), *kept[1:]]

        restart(lab, number, settings_, words)
        then(lab)

    return make


def _too_small(lab: LabState) -> None:
    """Records have grown: they do not fit beside what broker 2 holds, and it may end by that."""
    restart(lab, 2, words=lambda words: [words[0], "-Xmx26m", *_without(words[1:], "-Xmx")], wait=False)
    time.sleep(20)
    _write(lab, 300_000, 60)
    time.sleep(5)


def _without(words: list[str], beginning: str) -> list[str]:
    return [word for word in words if not word.startswith(beginning)]


def _write(lab: LabState, size: int, count: int) -> None:
    from confluent_kafka import Producer

    producer = Producer(settings(lab) | {"acks": 1, "message.max.bytes": 6_000_000})
    for _ in range(count):
        producer.produce("clicks", os.urandom(size))
        producer.flush(10)
    producer.purge()


def _huge(lab: LabState) -> None:
    _write(lab, 900_000, 60)


def _asked_for(lab: LabState) -> None:
    """Somebody's tool collects all of the heap of broker 1, again and again."""
    process = lab.broker(1).process
    assert process is not None
    tool = find_java().with_name("jcmd")
    for _ in range(5):
        subprocess.run([str(tool), str(process.pid), "GC.run"], check=True, capture_output=True, timeout=30)


def _stood_still(lab: LabState) -> None:
    """The machine under broker 2 stands still again and again, for some seconds."""
    for _ in range(4):
        processes.freeze(lab.broker(2).process)
        time.sleep(3)
        _go_on(lab.broker(2).process)
        time.sleep(3)
    back(lab)


def _go_on(process: processes.Process | None) -> None:
    """Let it go on, and nsenter, too, which stops when its child is stopped and would outlive the lab so."""
    processes.thaw(process)
    if process is not None:
        status = Path(f"/proc/{process.pid}/status").read_text("utf-8").splitlines()
        [parent] = [int(line.split()[1]) for line in status if line.startswith("PPid:")]
        if Path(f"/proc/{parent}/comm").read_text("utf-8").strip() == "nsenter":
            os.kill(parent, signal.SIGCONT)


def _few_files(lab: LabState) -> None:
    broker = lab.broker(2)
    command = command_of(lab, 2)
    opened = len(list(Path(f"/proc/{broker.process.pid}/fd").iterdir())) if broker.process else 0
    processes.terminate(broker.process, patience=8)
    output = lab.log_of(broker).with_suffix(".out")
    broker.process = hosts.start_inside(
        host_of(lab, 2), command, files=opened + 60, output=output, folder=Path(lab.folder)
    )
    lab.save()
    back(lab)


def _kernel(values: Mapping[str, str], *settings_: str) -> Callable[[LabState], None]:
    """Have kernel settings of the host of broker 3 say what they say in one of the lab's two states."""

    def make(lab: LabState) -> None:
        for setting in settings_:
            host_of(lab, 3).set_kernel(setting, values[setting])

    return make


SHAPE = Shape(
    _lab,
    (
        Incident("full-collections-by-request", _GC, _asked_for, back, r"System\.gc|[1-9]\d* (were )?asked for"),
        Incident(
            "humongous-objects",
            _GC,
            _changed(
                3, without=(_SERIAL, "-Xmx"), more=lambda: [_G1, "-XX:G1HeapRegionSize=1m", "-Xmx200m"], then=_huge
            ),
            plainly(3),
            "humongous",
        ),
        Incident(
            "stood-still-without-collecting",
            _GC,
            _stood_still,
            back,
            "(stood still|stopped|safepoint|pause|gap).*|broker 2",
        ),
        Incident(
            "heap-leaves-no-page-cache",
            _HOST,
            _changed(2, without=("-Xmx",), more=lambda: ["-Xmx20g"]),
            plainly(2),
            "page cache|heap",
        ),
        Incident("collector-logs-nothing", _GC, _changed(1, without=("-Xlog",)), plainly(1), "(GC )?log"),
        Incident("few-file-descriptors", _HOST, _few_files, plainly(2), "file descriptor|open files|nofile"),
        Incident(
            "host-may-swap",
            _HOST,
            _kernel(hosts.NEGLECTED, "/proc/sys/vm/swappiness"),
            _kernel(hosts.RIGHT, "/proc/sys/vm/swappiness"),
            "swap",
        ),
        Incident(
            "few-memory-maps",
            _HOST,
            _kernel(hosts.NEGLECTED, "/proc/sys/vm/max_map_count"),
            _kernel(hosts.RIGHT, "/proc/sys/vm/max_map_count"),
            "max_map_count|memory maps",
        ),
        Incident(
            "survives-out-of-memory",
            _GC,
            _changed(2, without=("-XX:+ExitOnOutOfMemoryError",)),
            plainly(2),
            "OutOfMemory",
        ),
        # The last: the log of broker 2 tells of it for a day.
        Incident("heap-too-small-after-growth", _GC, _too_small, plainly(2), "broker 2.*heap|heap.*broker 2"),
    ),
)
