"""GC logs as hosts and files have them, read at a moment that a test chooses."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from runbook.answers.ssh import FileInfo
from runbook.answers.ssh.processes import JavaProcess
from runbook.connections import files
from runbook.model.errors import Unreachable
from runbook.model.fact import Fact, Gap, tabulate
from runbook.model.probe import Deadline
from runbook.model.quantity import BrokerId, Bytes, ProcessId
from runbook.probes import jvm_gc_log


class At(Deadline):
    """A clock that says one moment."""

    def __init__(self, moment: float | None = None) -> None:
        """It is this, in seconds since 1970; None: what it is."""
        super().__init__(5)
        self._moment = moment

    def now(self, purpose: str) -> float:
        """The moment."""
        return super().now(purpose) if self._moment is None else self._moment


class StubHost:
    """Stands where a host over SSH stands; its files are those of a folder here, under another name."""

    name, label, brokers = "kafka-1", "host kafka-1", (1,)

    def __init__(self, folder: Path, *options: str, broker: int | None = 1) -> None:
        """Its broker runs with these options."""
        self._folder = folder
        node = None if broker is None else BrokerId(broker)
        self._process = JavaProcess(ProcessId(10), ["java", *options, "kafka.Kafka"], "broker", node)
        self.rotated_meanwhile = False
        self.written_meanwhile = b""

    def running_brokers(self) -> list[JavaProcess]:
        """The broker."""
        return [self._process]

    def absent_brokers(self) -> list[Gap]:
        """A gap if it is another one."""
        return [] if self._process.broker == 1 else [Gap("runs no broker 1", {"host": self.name, "broker": 1})]

    def keys(self, process: JavaProcess) -> dict[str, str | int]:
        """What a gap is about."""
        return {"host": self.name} if process.broker is None else {"host": self.name, "broker": process.broker}

    def files(self, folder: str) -> list[FileInfo]:
        """Those of the folder."""
        if folder != "/var/log/kafka":
            raise Unreachable(f"{folder} is not there")
        found = sorted(self._folder.iterdir())
        return [FileInfo(f"{folder}/{file.name}", Bytes(file.stat().st_size), file.stat().st_mtime) for file in found]

    def tail(self, path: str, max_bytes: int) -> bytes:
        """The last bytes."""
        data = (self._folder / Path(path).name).read_bytes() + self.written_meanwhile
        return b"" if self.rotated_meanwhile else data[-max_bytes:]


def observe_host(host: StubHost, now: float | None = None) -> Fact:
    """The fact of jvm_gc_log that a host gives."""
    hosts: Any = SimpleNamespace(
        names=lambda: ["kafka-1"], each=lambda read: ({"kafka-1": read(host)}, []), clock=At(now)
    )
    return tabulate("jvm_gc_log", jvm_gc_log.PROBE.columns, jvm_gc_log.observe(hosts))


def observe_file(path: Path, now: float) -> Fact:
    """The fact of jvm_gc_log that a file gives, which nothing is known of but what is in it."""
    connection = files.connect({"gc_logs": [{"broker": 1, "path": str(path)}]}, At(now))
    return tabulate("jvm_gc_log", jvm_gc_log.PROBE.columns, jvm_gc_log.observe(connection))
