"""What is in the log directories of the brokers: folders of partitions, segments, and whose they are."""

import re
from collections import Counter, defaultdict

from runbook.connections.ssh import Host, Hosts, JavaProcess
from runbook.connections.ssh.commands import JAVA, LOG_DIR, PROCESS, SEGMENTS, SETTINGS
from runbook.connections.ssh.processes import log_dirs, read_settings
from runbook.engine.column import Column
from runbook.engine.errors import CannotLook
from runbook.engine.fact import Gap, Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("ssh",),
    help="One row per broker of a host and log directory.",
    columns=(
        Column("host", "string", "Name of the host in the inventory.", key=True, entity="host"),
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("path", "string", "Log directory.", key=True, entity="log_dir"),
        Column("cluster_id", "string", "Cluster whose data it is; unknown if meta.properties can't be read."),
        Column("owner", "int", "Broker whose data it is; unknown if meta.properties can't be read."),
        Column("partitions", "list[string]", "Folders of replicas, as topic-partition."),
        Column("leaving", "list[string]", "Folders that wait for their deletion (-delete)."),
        Column("arriving", "list[string]", "Folders that a move between log directories fills (-future)."),
        Column("stray", "list[string]", "Folders that Kafka found to belong to nobody (-stray)."),
        Column("absent", "list[string]", "Files that Kafka keeps at its root and that are not there."),
        Column("segments", "int", "Segments of all its partitions.", unit="files"),
        Column("indexes", "int", "Offset indexes, each of them mapped into memory.", unit="files"),
        Column("time_indexes", "int", "Time indexes, each of them mapped into memory.", unit="files"),
    ),
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
_STATES = {"": "partitions", "delete": "leaving", "future": "arriving", "stray": "stray"}


def observe(hosts: Hosts) -> Observed:
    """Observe the log directories of the brokers of every host that answers."""
    return hosts.observe(_observe)


def _observe(host: Host) -> Observed:
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
                gaps.append(Gap(str(error), keys | {"log_dir": folder}))
    return Observed(rows=rows, gaps=gaps)


def _row(host: Host, broker: JavaProcess, folder: str) -> tuple[object, ...]:
    found: dict[str, list[str]] = defaultdict(list)
    names = set()
    for entry in host.run(LOG_DIR, folder).split("\0")[:-1]:
        kind, _, path = entry.partition(" ")
        name = path.rpartition("/")[2]
        names.add(name)
        if kind == "d" and (partition := _FOLDER.fullmatch(name)):
            found[_STATES[partition["state"].rpartition("-")[2]]].append(partition["partition"])
    meta = f"{folder}/meta.properties"
    whose = read_settings(host.run(SETTINGS, meta)).get(meta, {}) if "meta.properties" in names else {}
    owner = whose.get("node.id", whose.get("broker.id", ""))
    files = Counter(host.run(SEGMENTS, folder))
    return (
        host.name,
        broker.broker,
        folder,
        whose.get("cluster.id"),
        int(owner) if owner.isdecimal() else None,
        *(sorted(found[state]) for state in _STATES.values()),
        [name for name in _KEPT if name not in names],
        files["L"],
        files["I"],
        files["T"],
    )
