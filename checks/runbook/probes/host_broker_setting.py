"""What the properties files of brokers and controllers set, line by line."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.ssh.broker_settings import is_read
from runbook.answers.ssh.commands import BROKER, JAVA, PROCESS, SETTINGS
from runbook.answers.ssh.processes import JavaProcess
from runbook.formats.java_properties import read_properties
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, ProcessId
from runbook.model.row import Cell, Row
from runbook.probes._broker_files import of_broker_files

if TYPE_CHECKING:
    from runbook.connections.ssh import Host, Hosts


class HostBrokerSetting(Row):
    """A setting of a broker or controller."""

    host: Annotated[str, Cell("Name of the host in the inventory.", key=True, entity="host")]
    pid: Annotated[ProcessId, Cell("Process id.", key=True)]
    broker: Annotated[BrokerId | None, Cell("Node id; unknown if it can't be read.")]
    setting: Annotated[str, Cell("Name.", key=True, entity="setting")]
    value: Annotated[str | None, Cell("As written in the last place that has it; unknown where its line goes on.")]
    file: Annotated[str, Cell("The properties file of the process.")]
    line: Annotated[int | None, Cell("Line of that file, from 1; unknown for what the command line overrides.")]


PROBE = Probe(
    connections=("ssh",),
    help="One row per setting of a broker's or controller's properties file that Kafka may refuse; no credentials.",
    row=HostBrokerSetting,
    requests=tuple(command.shown() for command in (JAVA, PROCESS, SETTINGS, BROKER)),
    rights=("log in over SSH as a user that may read the properties files, such as the brokers' own",),
)


def observe(hosts: "Hosts") -> Observed:
    """Observe the files of every host that answers."""
    return hosts.observe(lambda host: of_broker_files(host, _rows))


def _read(text: str) -> dict[str, tuple[str | None, int]]:
    """Setting -> value and line, of lines with their numbers before them."""
    found: dict[str, tuple[str | None, int]] = {}
    for numbered in text.splitlines():
        number, _, line = numbered.partition(":")
        goes_on = (len(line) - len(line.rstrip("\\"))) % 2 == 1
        [one] = read_properties(line)
        found[one.name] = (None if goes_on else one.value, int(number))
    return found


def _rows(host: "Host", process: JavaProcess) -> list[HostBrokerSetting]:
    """With what the command line overrides: process.settings has it in force."""
    found = _read(host.run(BROKER, process.properties))
    held: dict[str, tuple[str | None, int | None]] = dict(found)
    for name, value in process.settings.items():
        if is_read(name) and (name not in found or found[name][0] not in (value, None)):
            held[name] = (value, None)
    return [
        HostBrokerSetting(
            host=host.name,
            pid=process.pid,
            broker=process.broker,
            setting=name,
            value=value,
            file=process.properties,
            line=line,
        )
        for name, (value, line) in sorted(held.items())
    ]
