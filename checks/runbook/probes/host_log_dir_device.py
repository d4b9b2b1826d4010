"""The block devices under the log directories of the brokers, and whether they encrypt."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.ssh.commands import BLOCK_DEVICES, BLOCK_LAYERS, JAVA, PROCESS, SETTINGS
from runbook.answers.ssh.processes import log_dirs
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.probes._devices import read_devices
from runbook.probes._mounts import mount_under, mounts_of

if TYPE_CHECKING:
    from runbook.connections.ssh import Host, Hosts


class HostLogDirDevice(Row):
    """What a log directory lies on."""

    host: Annotated[str, Cell("Name of the host in the inventory.", key=True, entity="host")]
    broker: Annotated[BrokerId | None, Cell("Node id; unknown if it can't be read.", key=True)]
    path: Annotated[str, Cell("Log directory.", key=True, entity="log_dir")]
    source: Annotated[str | None, Cell("Device or share that is mounted there.")]
    type: Annotated[str | None, Cell("Kind of file system, such as xfs.")]
    layers: Annotated[list[str] | None, Cell("Its device and all below it, with what the device mapper calls them.")]
    encrypted: Annotated[
        bool | None,
        Cell(
            "Whether dm-crypt encrypts all that is written there; unknown where no device of its own is mounted. "
            "No host sees what lies below its disks."
        ),
    ]


PROBE = Probe(
    connections=("ssh",),
    help="One row per broker of a host and log directory.",
    row=HostLogDirDevice,
    requests=tuple(command.shown() for command in (JAVA, PROCESS, SETTINGS, BLOCK_DEVICES, BLOCK_LAYERS)),
    rights=("log in over SSH as any user", "read the properties file of the broker"),
)


def observe(hosts: "Hosts") -> Observed:
    """Observe the log directories of the brokers of every host that answers."""
    return hosts.observe(_observe)


def _observe(host: "Host") -> Observed:
    brokers = host.running_brokers()
    mounts = mounts_of(host, brokers)
    devices = read_devices(host)
    rows: list[HostLogDirDevice] = []
    gaps = host.absent_brokers()
    for broker in brokers:
        folders, reason = log_dirs(broker)
        if reason:
            gaps.append(Gap(f"{host.label}: {reason}", host.keys(broker)))
        for folder in folders:
            mount = mount_under(folder, mounts[broker.pid])
            rows.append(
                HostLogDirDevice(
                    host=host.name,
                    broker=broker.broker,
                    path=folder,
                    source=mount.source if mount else None,
                    type=mount.type if mount else None,
                    layers=devices.layers(mount.device) if mount else None,
                    encrypted=devices.encrypted(mount.device) if mount else None,
                )
            )
    return Observed(rows=rows, gaps=gaps)
