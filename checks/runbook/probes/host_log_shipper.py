"""The programs on each host that ship logs to another place."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.ssh.commands import JAVA, PROCESS, SETTINGS, SHIPPERS
from runbook.model.errors import Garbled
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.ssh import Host, Hosts


class HostLogShipper(Row):
    """The shippers of logs on a host."""

    host: Annotated[str, Cell("Name of the host in the inventory.", key=True, entity="host")]
    has_broker: Annotated[bool, Cell("Whether a broker runs there, or should, as the inventory says.")]
    shippers: Annotated[list[str], Cell("Programs that ship logs and run; what they ship is not known.")]


PROBE = Probe(
    connections=("ssh",),
    help="One row per host: which programs that ship logs run there, of those that are well known.",
    row=HostLogShipper,
    requests=tuple(command.shown() for command in (JAVA, PROCESS, SETTINGS, SHIPPERS)),
    rights=("log in over SSH as any user to whom the host shows the processes of others",),
)


def observe(hosts: "Hosts") -> Observed:
    """Observe the shippers of every host that answers."""
    return hosts.observe(lambda host: Observed(rows=[_row(host)]))


def _row(host: "Host") -> HostLogShipper:
    # A host that hides the processes of others says so here: none seen is not none there.
    # not made up: a host that hides processes has said so before: it is a gap
    has_broker = bool(host.brokers or host.running_brokers())
    lines = [line.split(maxsplit=1) for line in host.run(SHIPPERS).splitlines()]
    if any(len(words) != len(("pid", "name")) for words in lines):
        raise Garbled(f"{host.label} listed its processes in a way that can't be understood")
    return HostLogShipper(host=host.name, has_broker=has_broker, shippers=sorted({name for _, name in lines}))
