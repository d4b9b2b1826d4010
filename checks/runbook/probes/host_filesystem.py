"""The file systems under the log directories of the brokers, as each broker has them mounted."""

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from runbook.connections.ssh import Host, Hosts, JavaProcess
from runbook.connections.ssh.commands import JAVA, PROCESS, SETTINGS, SPACE
from runbook.connections.ssh.processes import by_process, log_dirs
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

_ESCAPED = re.compile(r"\\([0-7]{3})")


class Mount(Struct, frozen=True):
    """One line of /proc/PID/mountinfo (proc_pid_mountinfo(5))."""

    point: str
    device: str
    type: str
    source: str
    options: list[str]


def observe(hosts: Hosts) -> Observed:
    """Observe the log directories of the brokers of every host that answers."""
    return hosts.observe(_observe)


def _observe(host: Host) -> Observed:
    brokers = host.running_brokers()
    files = by_process(host.run(PROCESS, *(f"/proc/{b.pid}/mountinfo" for b in brokers))) if brokers else {}
    mounts = {b.pid: read_mounts(files.get(str(b.pid), {}).get("mountinfo", "")) for b in brokers}
    gaps = host.absent_brokers()
    found: list[tuple[JavaProcess, str, Mount | None]] = []
    for broker in brokers:
        folders, reason = log_dirs(broker)
        if reason:
            gaps.append(Gap(f"{host.label}: {reason}", host.keys(broker)))
        found += [(broker, folder, _under(folder, mounts[broker.pid])) for folder in folders]
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


def read_mounts(text: str) -> list[Mount]:
    """Read /proc/PID/mountinfo."""
    mounts = []
    for line in text.splitlines():
        own, _, rest = line.partition(" - ")
        fields, more = own.split(), rest.split()
        if len(fields) > 5 and len(more) > 1:  # noqa: PLR2004 - the options are the sixth field, the source the second
            options = dict.fromkeys([*fields[5].split(","), *(more[2].split(",") if len(more) > 2 else [])])  # noqa: PLR2004
            mounts.append(Mount(_plain(fields[4]), fields[2], more[0], _plain(more[1]), list(options)))
    return mounts


def _plain(text: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 8)), text)


def _under(path: str, mounts: Sequence[Mount]) -> Mount | None:
    """The mount that holds a path: the longest, and of several at one place the last."""
    holding = [mount for mount in mounts if path == mount.point or path.startswith(mount.point.rstrip("/") + "/")]
    return max(enumerate(holding), key=lambda one: (len(one[1].point), one[0]))[1] if holding else None


def _space(host: Host, points: Sequence[str]) -> dict[str, tuple[str, int, int]]:
    """What df says of mount points: source, size and room in bytes."""
    found = {}
    for line in host.run(SPACE, *points).splitlines()[1:] if points else ():
        words = line.split(maxsplit=6)
        if len(words) == 7 and words[2].isdecimal() and words[4].isdecimal():  # noqa: PLR2004 - as POSIX lays it out
            found[words[6]] = (words[0], int(words[2]) * 1024, int(words[4]) * 1024)
    return found
