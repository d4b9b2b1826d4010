"""A real dedicated MirrorMaker 2: what it writes down at its start is what is said of its file."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from runbook.connections import files
from runbook.engine.fact import Fact, tabulate
from runbook.engine.probe import Clock
from runbook.lab import LabState, processes
from runbook.lab.configuration import logging_file
from runbook.lab.content import create_topics, delete_topics, write_records
from runbook.lab.jars import KAFKA_VERSION, LOGGING, Jar, Wanted, fetch_jars
from runbook.lab.java import find_java
from runbook.lab.places import cache_home
from runbook.lab.waiting import wait_until
from runbook.probes import mirror_connector, mirror_setting

pytestmark = pytest.mark.live

TOPIC = "mirrored-sample"
SOURCE = "us->eu MirrorSourceConnector"
_MIRROR_MAKER = Wanted(
    f"MirrorMaker {KAFKA_VERSION}",
    f"connect-mirror-{KAFKA_VERSION}",
    "33 MB",
    (Jar("org.apache.kafka", "connect-mirror", KAFKA_VERSION), LOGGING),
)
# Keys that hold and keys that do not, of every kind: the log of the process tells which is which.
SETTINGS = f"""
clusters = us, eu
us.bootstrap.servers = BOOTSTRAP
eu.bootstrap.servers = BOOTSTRAP
us->eu.enabled = true
us->eu.topics = {TOPIC}, other-.*
emit.heartbeats.enabled = true
eu->us.emit.heartbeats.enabled = false
replication.factor = 1
tasks.max = 2
offset.storage.replication.factor = 1
config.storage.replication.factor = 1
status.storage.replication.factor = 1
offset-syncs.topic.replication.factor = 1
us->eu.checkpoints.topic.replication.factor = 1
heartbeats.topic.replication.factor = 1
us->eu.offset.lag.max = 7
us->eu.sync.group.offsets.enabled = true
refresh.topics.interval.seconds = 30
sync.topic.acls.enabled = false
group.id = mirrormaker-group-1

consumer.fetch.min.bytes = 11
source.consumer.max.poll.records = 12
fetch.max.wait.ms = 13
us.consumer.max.partition.fetch.bytes = 2000000
us->eu.consumer.max.partition.fetch.bytes = 3000000
us->eu.consumer.fetch.max.bytes = 40000000
us->eu.source.consumer.receive.buffer.bytes = 70000
us.consumer.receive.buffer.bytes = 80000
us.max.poll.records = 14
us.consumer.enable.auto.commit = true
producer.batch.size = 15
compression.type = lz4
eu.producer.compression.type = zstd
us->eu.producer.linger.ms = 16
us->eu.producer.override.batch.size = 17000
us.producer.max.request.size = 1500000
num.streams = 4
fetch.message.max.bytes = 18
"""
CLIENTS = {
    "source consumer": ("ConsumerConfig", re.compile(r"replication-consumer$")),
    "target producer": ("ProducerConfig", re.compile(r"^connector-producer-MirrorSourceConnector-")),
    "offset-syncs producer": ("ProducerConfig", re.compile(r"offset-syncs-source-producer$")),
}
CONFIGS = {"source": "MirrorSourceConfig", "checkpoint": "MirrorCheckpointConfig", "heartbeat": "MirrorHeartbeatConfig"}
COLUMNS = {
    "source": {
        "source": "source.cluster.alias",
        "target": "target.cluster.alias",
        "enabled": "enabled",
        "tasks_max": "tasks.max",
        "separator": "replication.policy.separator",
        "topics": "topics",
        "topics_exclude": "topics.exclude",
        "config_properties_exclude": "config.properties.exclude",
        "replication_factor": "replication.factor",
        "offset_syncs_replication_factor": "offset-syncs.topic.replication.factor",
        "sync_topic_configs": "sync.topic.configs.enabled",
        "sync_topic_acls": "sync.topic.acls.enabled",
        "emit_offset_syncs": "emit.offset-syncs.enabled",
        "heartbeats_replication": "heartbeats.replication.enabled",
        "refresh_topics_seconds": "refresh.topics.interval.seconds",
        "offset_lag_max": "offset.lag.max",
        "offset_syncs_location": "offset-syncs.topic.location",
    },
    "checkpoint": {
        "groups": "groups",
        "groups_exclude": "groups.exclude",
        "checkpoints_replication_factor": "checkpoints.topic.replication.factor",
        "sync_group_offsets": "sync.group.offsets.enabled",
        "sync_group_offsets_seconds": "sync.group.offsets.interval.seconds",
        "emit_checkpoints": "emit.checkpoints.enabled",
        "emit_checkpoints_seconds": "emit.checkpoints.interval.seconds",
        "refresh_groups_seconds": "refresh.groups.interval.seconds",
        "tasks_max": "tasks.max",
    },
    "heartbeat": {
        "heartbeats_replication_factor": "heartbeats.topic.replication.factor",
        "emit_heartbeats": "emit.heartbeats.enabled",
        "emit_heartbeats_seconds": "emit.heartbeats.interval.seconds",
    },
}


@pytest.fixture(scope="module")
def told(lab: LabState, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """The file of a dedicated MirrorMaker, and what the process wrote down with it until its task ran."""
    folder = tmp_path_factory.mktemp("mirror")
    jars = fetch_jars(_MIRROR_MAKER, cache_home(), print)
    create_topics(lab, {TOPIC: (1, 1, {})})
    write_records(lab, TOPIC, [b"x"] * 5)
    file, log = folder / "mm2.properties", folder / "mirror.log"
    file.write_text(SETTINGS.replace("BOOTSTRAP", lab.bootstrap), "utf-8")
    command = [
        str(find_java()),
        "-Xmx256m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        f"-Dlog4j2.configurationFile={logging_file(lab)}",
        f"-Drunbook.log={log}",
        "-cp",
        f"{jars}/*",
        "org.apache.kafka.connect.mirror.MirrorMaker",
        str(file),
    ]
    process = processes.start(command, output=folder / "mirror.out", folder=folder)
    try:
        wait_until(lambda: _is_told(log), f"MirrorMaker to copy; its log is {log}", within=150)
        yield file, log.read_text("utf-8")
    finally:
        processes.terminate(process, patience=0)
        delete_topics(lab, [TOPIC, f"us.{TOPIC}"])


def _is_told(log: Path) -> bool:
    blocks = _blocks(log.read_text("utf-8")) if log.exists() else []
    clients = all(
        any(kind == one and pattern.search(block["client.id"]) for one, block in blocks if "client.id" in block)
        for kind, pattern in CLIENTS.values()
    )
    return clients and set(CONFIGS.values()) <= {kind for kind, _ in blocks}


def _blocks(text: str) -> list[tuple[str, dict[str, str]]]:
    """What each client or connector wrote down at its start: its kind, and its settings."""
    blocks: list[tuple[str, dict[str, str]]] = []
    within = False
    for line in text.splitlines():
        if begun := re.search(r"(\w+) values: *$", line):
            blocks.append((begun[1], {}))
            within = True
        elif within and (setting := re.fullmatch(r"\s+([\w.-]+) = (.*)", line)):
            blocks[-1][1][setting[1]] = setting[2].strip()
        else:
            within = False
    return blocks


def _look(probe: object, file: Path) -> Fact:
    connection = files.connect({"mirror_maker": [str(file)]}, Clock(20))
    return tabulate("x", probe.PROBE.columns, probe.observe(connection))  # type: ignore[attr-defined]


def _of_client(text: str, client: str) -> dict[str, str]:
    kind, pattern = CLIENTS[client]
    return next(block for one, block in _blocks(text) if one == kind and pattern.search(block.get("client.id", "")))


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_has_what_is_said_to_be_in_force_and_nothing_that_is_not(told: tuple[Path, str], client: str):
    file, text = told
    block = _of_client(text, client)
    rows = [row for row in _look(mirror_setting, file).rows() if row["connector"] in (SOURCE, "")]
    mine = [row for row in rows if row["client"] == client]
    known = [row for row in mine if row["setting"] in block]
    wrong = [row for row in known if (row["value"] == _plain(block[row["setting"]])) != row["in_force"]]
    assert wrong == []
    assert {row["in_force"] for row in mine} >= ({True} if client == "offset-syncs producer" else {True, False})


@pytest.mark.parametrize("kind", CONFIGS)
def test_a_connector_does_what_is_said(told: tuple[Path, str], kind: str):
    file, text = told
    rows = [row for row in _look(mirror_connector, file).rows() if row["kind"] == kind and row["source"] == "us"]
    blocks = [
        block for one, block in _blocks(text) if one == CONFIGS[kind] and block.get("source.cluster.alias") == "us"
    ]
    said = {column: _shown(rows[0][column]) for column in COLUMNS[kind]}
    assert said == {column: blocks[-1][name] for column, name in COLUMNS[kind].items()}


def test_the_workers_are_in_the_group_that_is_said(told: tuple[Path, str]):
    file, text = told
    [row] = [row for row in _look(mirror_connector, file).rows() if row["connector"] == SOURCE]
    groups = {block["group.id"] for one, block in _blocks(text) if one == "DistributedConfig"}
    assert groups == {row["group"]} == {"us-mm2"}


def _plain(value: str) -> str:
    """As one writes it, of what Java writes down: a list has no brackets, and all copies are all."""
    return "all" if value == "-1" else value.strip("[]").replace(", ", ",")


def _shown(value: object) -> str:
    """As Java writes it down."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(value)}]"
    return str(value)
