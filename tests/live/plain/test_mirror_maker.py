"""A real dedicated MirrorMaker 2: what it writes down at its start is what is said of its file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kafka_lab import LabState, processes
from kafka_lab.admin import partitions
from kafka_lab.configuration import logging_file
from kafka_lab.content import create_topics, delete_topics, write_records
from kafka_lab.jars import fetch_jars
from kafka_lab.parts.dr import MIRRORMAKER
from kafka_lab.waiting import wait_until
from runbook.connections import files
from runbook.folders import cache_folder
from runbook.java import find_java
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.probes import mirror_connector, mirror_setting
from support.mirror_logs import CLIENTS, CONFIGS, all_started, blocks_of, differences, of_client, said_and_done

pytestmark = [pytest.mark.live, pytest.mark.thorough]

TOPIC = "mirrored-sample"
SOURCE = "us->eu MirrorSourceConnector"
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


@pytest.fixture(scope="module")
def described(lab: LabState, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """The file of a dedicated MirrorMaker, and what the process wrote down with it until its task ran."""
    folder = tmp_path_factory.mktemp("mirror")
    jars = fetch_jars(MIRRORMAKER, cache_folder(), print)
    before = {*partitions(lab)}
    create_topics(lab, {TOPIC: (1, 1, {})})
    write_records(lab, TOPIC, ["x"] * 5)
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
        wait_until(
            lambda: log.exists() and all_started(log.read_text("utf-8")),
            f"MirrorMaker to copy; its log is {log}",
            within=150,
        )
        yield file, log.read_text("utf-8")
    finally:
        processes.terminate(process, patience=0)
        delete_topics(lab, sorted({*partitions(lab)} - before))  # MirrorMaker's own too, of which there is one copy


def _look(probe: object, file: Path) -> Fact:
    connection = files.connect({"mirror_maker": [str(file)]}, Deadline(20))
    return tabulate("x", probe.PROBE.columns, probe.observe(connection))  # type: ignore[attr-defined]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_has_what_is_said_to_be_in_force_and_nothing_that_is_not(described: tuple[Path, str], client: str):
    file, text = described
    rows = [row for row in _look(mirror_setting, file).rows() if row["connector"] in (SOURCE, "")]
    mine = [row for row in rows if row["client"] == client]
    assert differences(mine, of_client(text, client)) == []
    assert {row["in_force"] for row in mine} >= ({True} if client == "offset-syncs producer" else {True, False})


@pytest.mark.parametrize("kind", CONFIGS)
def test_a_connector_does_what_is_said(described: tuple[Path, str], kind: str):
    file, text = described
    [row] = [row for row in _look(mirror_connector, file).rows() if row["kind"] == kind and row["source"] == "us"]
    said, done = said_and_done(row, text)
    assert said == done


def test_the_workers_are_in_the_group_that_is_said(described: tuple[Path, str]):
    file, text = described
    [row] = [row for row in _look(mirror_connector, file).rows() if row["connector"] == SOURCE]
    groups = {block["group.id"] for class_, block in blocks_of(text) if class_ == "DistributedConfig"}
    assert groups == {row["group"]} == {"us-mm2"}
