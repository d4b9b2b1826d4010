"""The files that brokers log to: how large they are and how old."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.ssh.commands import FILES, JAVA, PROCESS, SETTINGS
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Bytes, Days
from runbook.model.row import Cell, Row
from runbook.probes._log_folders import log_folder

if TYPE_CHECKING:
    from runbook.connections.ssh import Host, Hosts


class HostLogFile(Row):
    """A file that a broker logs to."""

    host: Annotated[str, Cell("Name of the host in the inventory.", key=True, entity="host")]
    broker: Annotated[BrokerId | None, Cell("Node id; unknown if it can't be read.", key=True)]
    path: Annotated[str, Cell("File.", key=True, moves=True)]
    size: Annotated[Bytes, Cell("Size.", moves=True)]
    age_days: Annotated[Days, Cell("Since it was last written, by our clock.")]


PROBE = Probe(
    connections=("ssh",),
    help="One row per file in the folder that a broker logs to.",
    row=HostLogFile,
    requests=tuple(command.shown() for command in (JAVA, PROCESS, SETTINGS, FILES)),
    rights=("log in over SSH as a user that may list the folder",),
    parameters={
        "folder": Parameter(
            "string", "", help="folder to look in where a broker's command line names none (-Dkafka.logs.dir)"
        )
    },
)

_DAY = 86400


def observe(hosts: "Hosts", folder: str = "") -> Observed:
    """Observe the log files of the brokers of every host that answers."""
    return hosts.observe(lambda host: _observe(host, folder))


def _observe(host: "Host", otherwise: str) -> Observed:
    rows: list[HostLogFile] = []
    gaps = host.absent_brokers()
    for broker in host.running_brokers():
        folder = log_folder(broker) or otherwise
        keys = host.keys(broker)
        if not folder:
            gaps.append(Gap(f"{host.label}: process {broker.pid} does not say where it logs to: give `folder`", keys))
            continue
        try:
            files = host.files(folder)
        except CannotLook as error:
            gaps.append(Gap.of(error, keys))
            continue
        now = host.clock.now(f"log files of {host.name}")
        rows += [
            HostLogFile(
                host=host.name,
                broker=broker.broker,
                path=file.path,
                size=file.size,
                age_days=Days(round((now - file.modified) / _DAY, 2)),
            )
            for file in files
        ]
    return Observed(rows=rows, gaps=gaps)
