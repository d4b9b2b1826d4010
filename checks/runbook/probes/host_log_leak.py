"""Whether brokers' logs give credentials or card numbers away: lines are counted on the host, and never leave it."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.ssh import FileInfo
from runbook.answers.ssh.commands import FILES, JAVA, LEAKS, PROCESS, SETTINGS
from runbook.answers.ssh.processes import JavaProcess
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Bytes
from runbook.model.row import Cell, Row
from runbook.probes._log_folders import log_folder

if TYPE_CHECKING:
    from runbook.connections.ssh import Host, Hosts


class HostLogLeak(Row):
    """A log of a broker, searched for secrets."""

    host: Annotated[str, Cell("Name of the host in the inventory.", key=True, entity="host")]
    broker: Annotated[BrokerId | None, Cell("Node id; unknown if it can't be read.", key=True)]
    path: Annotated[str, Cell("File.", key=True, moves=True)]
    size: Annotated[Bytes, Cell("Size of what was looked at.", moves=True)]
    leaking: Annotated[int, Cell("Lines that hold what looks like a secret.", unit="lines", moves=True)]


PROBE = Probe(
    connections=("ssh",),
    help="One row per file that a broker writes its log to now: rotated ones are not looked at.",
    row=HostLogLeak,
    requests=tuple(command.shown() for command in (JAVA, PROCESS, SETTINGS, FILES, LEAKS)),
    rights=("log in over SSH as a user that may read the logs",),
    parameters={
        "folder": Parameter(
            "string", "", help="folder to look in where a broker's command line names none (-Dkafka.logs.dir)"
        ),
        "max_bytes": Parameter(
            "int", 128 << 20, help="size beyond which a file is not read; our judgement, a second of one core"
        ),
    },
)

_CURRENT = (".log", ".out")


def observe(hosts: "Hosts", folder: str = "", max_bytes: int = 128 << 20) -> Observed:
    """Observe the logs of the brokers of every host that answers."""
    return hosts.observe(lambda host: _observe(host, folder, max_bytes))


def _observe(host: "Host", otherwise: str, max_bytes: int) -> Observed:
    rows: list[HostLogLeak] = []
    gaps = host.absent_brokers()
    for broker in host.running_brokers():
        folder = log_folder(broker) or otherwise
        if not folder:
            said = f"{host.label}: process {broker.pid} does not say where it logs to: give `folder`"
            gaps.append(Gap(said, host.keys(broker)))
            continue
        try:
            current = [file for file in host.files(folder) if file.path.endswith(_CURRENT) and file.size]
            rows += _rows(host, broker, [file for file in current if file.size <= max_bytes])
        except CannotLook as error:
            gaps.append(Gap.of(error, host.keys(broker)))
            continue
        gaps += [
            Gap(f"{host.label}: {file.path} is larger than {max_bytes} bytes and was not read", host.keys(broker))
            for file in current
            if file.size > max_bytes
        ]
    return Observed(rows=rows, gaps=gaps)


def _rows(host: "Host", broker: JavaProcess, files: list[FileInfo]) -> list[HostLogLeak]:
    if not files:
        return []
    output = host.run(LEAKS, *(file.path for file in files))
    counts = {path: int(number) for path, _, number in (line.rpartition(":") for line in output.splitlines())}
    return [
        HostLogLeak(host=host.name, broker=broker.broker, path=file.path, size=file.size, leaking=counts[file.path])
        for file in files
    ]
