"""The block devices under the log directories of the brokers, and whether they encrypt."""

from runbook.connections.ssh import Host, Hosts
from runbook.connections.ssh.commands import BLOCK_DEVICES, BLOCK_LAYERS, JAVA, PROCESS, SETTINGS
from runbook.connections.ssh.devices import read_devices
from runbook.connections.ssh.mounts import mount_under, mounts_of
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
        Column("source", "string", "Device or share that is mounted there."),
        Column("type", "string", "Kind of file system, such as xfs."),
        Column("layers", "list[string]", "Its device and all below it, with what the device mapper calls them."),
        Column(
            "encrypted",
            "bool",
            "Whether dm-crypt encrypts all that is written there; unknown where no device of its own is mounted. "
            "No host sees what lies below its disks.",
        ),
    ),
    requests=tuple(command.shown() for command in (JAVA, PROCESS, SETTINGS, BLOCK_DEVICES, BLOCK_LAYERS)),
    rights=("log in over SSH as any user", "read the properties file of the broker"),
)


def observe(hosts: Hosts) -> Observed:
    """Observe the log directories of the brokers of every host that answers."""
    return hosts.observe(_observe)


def _observe(host: Host) -> Observed:
    brokers = host.running_brokers()
    mounts = mounts_of(host, brokers)
    devices = read_devices(host)
    rows: list[tuple[object, ...]] = []
    gaps = host.absent_brokers()
    for broker in brokers:
        folders, reason = log_dirs(broker)
        if reason:
            gaps.append(Gap(f"{host.label}: {reason}", host.keys(broker)))
        for folder in folders:
            mount = mount_under(folder, mounts[broker.pid])
            if mount is None:
                rows.append((host.name, broker.broker, folder, *[None] * 4))
                continue
            number = mount.device
            what = (mount.source, mount.type, devices.layers(number), devices.encrypted(number))
            rows.append((host.name, broker.broker, folder, *what))
    return Observed(rows=rows, gaps=gaps)
