"""Whether brokers' logs give credentials or card numbers away: lines are counted on the host, and never leave it."""

from runbook.connections.ssh import FileInfo, Host, Hosts, JavaProcess
from runbook.connections.ssh.commands import FILES, JAVA, LEAKS, PROCESS, SETTINGS
from runbook.connections.ssh.logs import log_folder
from runbook.engine.column import Column
from runbook.engine.errors import CannotLook
from runbook.engine.fact import Gap, Observed
from runbook.engine.parameter import Parameter
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("ssh",),
    help="One row per file that a broker writes its log to now: rotated ones are not looked at.",
    columns=(
        Column("host", "string", "Name of the host in the inventory.", key=True, entity="host"),
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("path", "string", "File.", key=True),
        Column("size", "int", "Size of what was looked at.", unit="bytes"),
        Column("leaking", "int", "Lines that hold what looks like a secret.", unit="lines"),
    ),
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


def observe(hosts: Hosts, folder: str = "", max_bytes: int = 128 << 20) -> Observed:
    """Observe the logs of the brokers of every host that answers."""
    return hosts.observe(lambda host: _observe(host, folder, max_bytes))


def _observe(host: Host, otherwise: str, max_bytes: int) -> Observed:
    rows: list[tuple[object, ...]] = []
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
            gaps.append(Gap(str(error), host.keys(broker)))
            continue
        gaps += [
            Gap(f"{host.label}: {file.path} is larger than {max_bytes} bytes and was not read", host.keys(broker))
            for file in current
            if file.size > max_bytes
        ]
    return Observed(rows=rows, gaps=gaps)


def _rows(host: Host, broker: JavaProcess, files: list[FileInfo]) -> list[tuple[object, ...]]:
    if not files:
        return []
    told = host.run(LEAKS, *(file.path for file in files))
    counts = {path: int(number) for path, _, number in (line.rpartition(":") for line in told.splitlines())}
    return [(host.name, broker.broker, file.path, file.size, counts[file.path]) for file in files]
