"""The file systems under the log directories of the brokers, as each broker has them mounted."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from runbook.answers.ssh.commands import JAVA, PROCESS, SETTINGS, SPACE
from runbook.answers.ssh.processes import JavaProcess, log_dirs
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Bytes
from runbook.model.row import Cell, Row
from runbook.probes._mounts import Mount, mount_under, mounts_of

if TYPE_CHECKING:
    from runbook.connections.ssh import Host, Hosts


class HostFilesystem(Row):
    """The file system under a log directory."""

    host: Annotated[str, Cell("Name of the host in the inventory.", key=True, entity="host")]
    broker: Annotated[BrokerId | None, Cell("Node id; unknown if it can't be read.", key=True)]
    path: Annotated[str, Cell("Log directory.", key=True, entity="log_dir")]
    mount: Annotated[str | None, Cell("Where its file system is mounted.")]
    source: Annotated[str | None, Cell("Device or share that is mounted there.")]
    device: Annotated[str | None, Cell("Number of the device, major:minor: equal for two folders of one file system.")]
    type: Annotated[str | None, Cell("Kind of file system, such as xfs.")]
    options: Annotated[list[str] | None, Cell("Options it is mounted with.")]
    size: Annotated[Bytes | None, Cell("Size of the file system; unknown where it is not the one that we see.")]
    free: Annotated[Bytes | None, Cell("Room left for users other than root.", moves=True)]
    volumes: Annotated[int | None, Cell("Distinct devices among the log directories of this broker.", unit="devices")]


PROBE = Probe(
    connections=("ssh",),
    help="One row per broker of a host and log directory.",
    row=HostFilesystem,
    requests=tuple(command.shown() for command in (JAVA, PROCESS, SETTINGS, SPACE)),
    rights=("log in over SSH as any user", "read the properties file of the broker"),
)


class _LogDir(Struct, frozen=True):
    process: JavaProcess
    path: str
    mount: Mount | None


class _Space(Struct, frozen=True):
    source: str
    size: Bytes
    free: Bytes


def observe(hosts: "Hosts") -> Observed:
    """Observe the log directories of the brokers of every host that answers."""
    return hosts.observe(_observe)


def _observe(host: "Host") -> Observed:
    brokers = host.running_brokers()
    mounts = mounts_of(host, brokers)
    gaps = host.absent_brokers()
    found: list[_LogDir] = []
    for broker in brokers:
        folders, reason = log_dirs(broker)
        if reason:
            gaps.append(Gap(f"{host.label}: {reason}", host.keys(broker)))
        found += [_LogDir(broker, folder, mount_under(folder, mounts[broker.pid])) for folder in folders]
    space = _space(host, sorted({log_dir.mount.point for log_dir in found if log_dir.mount}))
    rows = [_row(host, log_dir, space, found) for log_dir in found]
    return Observed(rows=rows, gaps=gaps)


def _row(host: "Host", log_dir: _LogDir, spaces: Mapping[str, _Space], found: Sequence[_LogDir]) -> HostFilesystem:
    process, mount = log_dir.process, log_dir.mount
    devices = {other.mount.device if other.mount else None for other in found if other.process is process}
    space = spaces.get(mount.point) if mount else None
    if space and mount and space.source != mount.source:
        space = None  # the broker lives in a container: under its path we see something else
    return HostFilesystem(
        host=host.name,
        broker=process.broker,
        path=log_dir.path,
        mount=mount.point if mount else None,
        source=mount.source if mount else None,
        device=mount.device if mount else None,
        type=mount.type if mount else None,
        options=mount.options if mount else None,
        size=space.size if space else None,
        free=space.free if space else None,
        volumes=None if None in devices else len(devices),
    )


def _space(host: "Host", points: Sequence[str]) -> dict[str, _Space]:
    """What df says of mount points."""
    found = {}
    for line in host.run(SPACE, *points).splitlines()[1:] if points else ():
        words = line.split(maxsplit=6)
        if len(words) == 7 and words[2].isdecimal() and words[4].isdecimal():  # noqa: PLR2004 - as POSIX lays it out
            found[words[6]] = _Space(words[0], size=Bytes(int(words[2]) * 1024), free=Bytes(int(words[4]) * 1024))
    return found
