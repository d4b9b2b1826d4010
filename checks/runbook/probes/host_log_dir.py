"""What is in the log directories of the brokers: folders of partitions, segments, and whose they are."""

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Annotated

from runbook.answers.ssh.commands import JAVA, LOG_DIR, PROCESS, SEGMENTS, SETTINGS
from runbook.answers.ssh.processes import JavaProcess, log_dirs, read_settings
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.ssh import Host, Hosts


class HostLogDir(Row):
    """A log directory of a broker."""

    host: Annotated[str, Cell("Name of the host in the inventory.", key=True, entity="host")]
    broker: Annotated[BrokerId | None, Cell("Node id; unknown if it can't be read.", key=True)]
    path: Annotated[str, Cell("Log directory.", key=True, entity="log_dir")]
    cluster_id: Annotated[str | None, Cell("Cluster whose data it is; unknown if meta.properties can't be read.")]
    owner: Annotated[int | None, Cell("Broker whose data it is; unknown if meta.properties can't be read.")]
    partitions: Annotated[list[str], Cell("Folders of replicas, as topic-partition.")]
    leaving: Annotated[list[str], Cell("Folders that wait for their deletion (-delete).")]
    arriving: Annotated[list[str], Cell("Folders that a move between log directories fills (-future).")]
    stray: Annotated[list[str], Cell("Folders of partitions that are not assigned here (-stray).")]
    absent: Annotated[list[str], Cell("Files that Kafka keeps at its root and that are not there.")]
    segments: Annotated[int, Cell("Segments of all its partitions.", unit="files", moves=True)]
    indexes: Annotated[int, Cell("Offset indexes, each of them mapped into memory.", unit="files", moves=True)]
    time_indexes: Annotated[int, Cell("Time indexes, each of them mapped into memory.", unit="files", moves=True)]


PROBE = Probe(
    connections=("ssh",),
    help="One row per broker of a host and log directory.",
    row=HostLogDir,
    requests=tuple(command.shown() for command in (JAVA, PROCESS, SETTINGS, LOG_DIR, SEGMENTS)),
    rights=("log in over SSH as a user that may list the log directories, such as the brokers' own",),
)

_FOLDER = re.compile(r"(?P<partition>.+-[0-9]+)(?P<state>|\.[0-9a-f]{32}-(delete|future|stray))")
_KEPT = (
    "cleaner-offset-checkpoint",
    "log-start-offset-checkpoint",
    "meta.properties",
    "recovery-point-offset-checkpoint",
    "replication-offset-checkpoint",
)


def observe(hosts: "Hosts") -> Observed:
    """Observe the log directories of the brokers of every host that answers."""
    return hosts.observe(_observe)


def _observe(host: "Host") -> Observed:
    rows, gaps = [], host.absent_brokers()
    for broker in host.running_brokers():
        keys = host.keys(broker)
        folders, reason = log_dirs(broker)
        if reason:
            gaps.append(Gap(f"{host.label}: {reason}", keys))
        for folder in folders:
            try:
                rows.append(_row(host, broker, folder))
            except CannotLook as error:
                gaps.append(Gap.of(error, keys | {"log_dir": folder}))
    return Observed(rows=rows, gaps=gaps)


def _row(host: "Host", broker: JavaProcess, folder: str) -> HostLogDir:
    found: dict[str, list[str]] = defaultdict(list)
    names = set()
    for entry in host.run(LOG_DIR, folder).split("\0")[:-1]:
        kind, _, path = entry.partition(" ")
        name = path.rpartition("/")[2]
        names.add(name)
        if kind == "d" and (partition := _FOLDER.fullmatch(name)):
            found[partition["state"].rpartition("-")[2]].append(partition["partition"])
    meta = f"{folder}/meta.properties"
    whose = read_settings(host.run(SETTINGS, meta)).get(meta, {}) if "meta.properties" in names else {}
    owner = whose.get("node.id", whose.get("broker.id", ""))
    files = Counter(host.run(SEGMENTS, folder))
    return HostLogDir(
        host=host.name,
        broker=broker.broker,
        path=folder,
        cluster_id=whose.get("cluster.id"),
        owner=int(owner) if owner.isdecimal() else None,
        partitions=sorted(found[""]),
        leaving=sorted(found["delete"]),
        arriving=sorted(found["future"]),
        stray=sorted(found["stray"]),
        absent=[name for name in _KEPT if name not in names],
        segments=files["L"],
        indexes=files["I"],
        time_indexes=files["T"],
    )
