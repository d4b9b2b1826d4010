"""The file systems under the log directories of the brokers, as each broker has them mounted."""

from collections.abc import Mapping, Sequence

from runbook.connections.ssh import Host, Hosts, JavaProcess
from runbook.connections.ssh.commands import JAVA, PROCESS, SETTINGS, SPACE
from runbook.connections.ssh.mounts import Mount, mount_under, mounts_of
from runbook.connections.ssh.processes import log_dirs
from runbook.engine.column import Column
from runbook.engine.fact import Gap, Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("ssh",),
    help="One row per broker of a host and log directory.",
    columns=(
        Column("host", "string", "Name of the host in the inventory.", key=True, entity="host"),
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("path", "string", "Log directory.", key=True, entity="log_dir"),
        Column("mount", "string", "Where its file system is mounted."),
        Column("source", "string", "Device or share that is mounted there."),
        Column("device", "string", "Number of the device, major:minor: equal for two folders of one file system."),
        Column("type", "string", "Kind of file system, such as xfs."),
        Column("options", "list[string]", "Options it is mounted with."),
        Column("size", "int", "Size of the file system; unknown where it is not the one that we see.", unit="bytes"),
        Column("free", "int", "Room left for users other than root.", unit="bytes"),
        Column("volumes", "int", "Distinct devices among the log directories of this broker.", unit="devices"),
    ),
    requests=tuple(command.shown() for command in (JAVA, PROCESS, SETTINGS, SPACE)),
    rights=("log in over SSH as any user", "read the properties file of the broker"),
)


def observe(hosts: Hosts) -> Observed:
    """Observe the log directories of the brokers of every host that answers."""
    return hosts.observe(_observe)


def _observe(host: Host) -> Observed:
    brokers = host.running_brokers()
    mounts = mounts_of(host, brokers)
    gaps = host.absent_brokers()
    found: list[tuple[JavaProcess, str, Mount | None]] = []
    for broker in brokers:
        folders, reason = log_dirs(broker)
        if reason:
            gaps.append(Gap(f"{host.label}: {reason}", host.keys(broker)))
        found += [(broker, folder, mount_under(folder, mounts[broker.pid])) for folder in folders]
    space = _space(host, sorted({mount.point for _, _, mount in found if mount}))
    rows = [_row(host, broker, folder, mount, space, found) for broker, folder, mount in found]
    return Observed(rows=rows, gaps=gaps)


def _row(
    host: Host,
    broker: JavaProcess,
    folder: str,
    mount: Mount | None,
    space: Mapping[str, tuple[str, int, int]],
    found: Sequence[tuple[JavaProcess, str, Mount | None]],
) -> tuple[object, ...]:
    devices = {other.device if other else None for process, _, other in found if process is broker}
    if mount is None:
        return (host.name, broker.broker, folder, *[None] * 8)
    source, size, free = space.get(mount.point, ("", None, None))
    if source != mount.source:  # the broker lives in a container: under its path we see something else
        size = free = None
    return (
        host.name,
        broker.broker,
        folder,
        mount.point,
        mount.source,
        mount.device,
        mount.type,
        mount.options,
        size,
        free,
        None if None in devices else len(devices),
    )


def _space(host: Host, points: Sequence[str]) -> dict[str, tuple[str, int, int]]:
    """What df says of mount points: source, size and room in bytes."""
    found = {}
    for line in host.run(SPACE, *points).splitlines()[1:] if points else ():
        words = line.split(maxsplit=6)
        if len(words) == 7 and words[2].isdecimal() and words[4].isdecimal():  # noqa: PLR2004 - as POSIX lays it out
            found[words[6]] = (words[0], int(words[2]) * 1024, int(words[4]) * 1024)
    return found
