"""Which release of Kafka each broker and controller of a host runs, by the jars of its class path."""

import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from runbook.answers.ssh.commands import FILES, JAVA, PROCESS, SETTINGS
from runbook.answers.ssh.processes import JavaProcess
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, ProcessId
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.ssh import Host, Hosts


class HostKafkaRelease(Row):
    """A broker or controller, and its release."""

    host: Annotated[str, Cell("Name of the host in the inventory.", key=True, entity="host")]
    pid: Annotated[ProcessId, Cell("Process id.", key=True)]
    broker: Annotated[BrokerId | None, Cell("Node id; unknown if it can't be read.")]
    kafka_version: Annotated[
        str | None,
        Cell("Release of Apache Kafka, such as 3.9.1; unknown if its jars name none, several, or another maker's."),
    ]


PROBE = Probe(
    connections=("ssh",),
    help="One row per broker or controller of a host.",
    row=HostKafkaRelease,
    requests=tuple(command.shown() for command in (JAVA, PROCESS, SETTINGS, FILES)),
    rights=("log in over SSH as a user that may list the folder of Kafka's jars",),
)

_SERVER = re.compile(r"kafka_2\.[0-9]+-([1-9][0-9]*(?:\.[0-9]+){2}|0(?:\.[0-9]+){3})\.jar")  # 7.6.0-ccs is no 7.6.0
_NEXT = ("-cp", "-classpath", "--class-path")
_WITH = "--class-path="


def observe(hosts: "Hosts") -> Observed:
    """Observe the releases of every host that answers."""
    return hosts.observe(_observe)


def _observe(host: "Host") -> Observed:
    rows: list[HostKafkaRelease] = []
    gaps = host.absent_brokers()
    for process in host.processes():
        if process.kind not in ("broker", "controller"):
            continue
        try:
            found = set(_releases(host, process))
        except CannotLook as error:
            gaps.append(Gap.of(error, host.keys(process), f"the jars of process {process.pid}: {error}"))
            continue
        version = found.pop() if len(found) == 1 else None
        rows.append(HostKafkaRelease(host=host.name, pid=process.pid, broker=process.broker, kafka_version=version))
    return Observed(rows=rows, gaps=gaps)


def _releases(host: "Host", process: JavaProcess) -> Iterator[str]:
    """The releases that names of jars on the class path tell; a star stands for all jars of a folder (java(1))."""
    for place in _class_path(process.argv).split(":"):
        folder, _, name = place.rpartition("/")
        names = [posixpath.basename(file.path) for file in host.files(folder)] if name == "*" else [name]
        yield from (found[1] for name in names if (found := _SERVER.fullmatch(name)))


def _class_path(argv: list[str]) -> str:
    path = ""
    for word, following in zip(argv, [*argv[1:], ""], strict=True):
        if word in _NEXT:
            path = following
        elif word.startswith(_WITH):
            path = word.removeprefix(_WITH)
    return path
