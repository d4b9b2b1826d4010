"""MirrorMaker's connectors on real Connect workers: what they write down at their start is what is said of them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kafka_lab import LabState, connect, mirrors
from kafka_lab.content import GROUP, create_topics, write_records
from kafka_lab.jars import fetch_jars
from kafka_lab.parts.dr import MIRRORMAKER
from kafka_lab.state import known
from kafka_lab.waiting import wait_until
from runbook.connections.connect import connect as to_workers
from runbook.folders import cache_folder
from runbook.model.fact import tabulate
from runbook.model.probe import Deadline
from runbook.probes import mirror_connector, mirror_setting
from support.mirror_logs import CLIENTS, CONFIGS, all_started, blocks_of, differences, of_client, said_and_done
from support.one_worker import a_worker

pytestmark = pytest.mark.live

TOPIC = "mirrored-sample"
PACKAGE = "org.apache.kafka.connect.mirror"
BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter"
# Keys that hold and keys that do not, of every kind.
MORE = {
    "consumer.fetch.min.bytes": "11",
    "source.consumer.max.poll.records": "120",
    "consumer.max.poll.records": "130",
    "fetch.max.wait.ms": "14",
    "source.cluster.receive.buffer.bytes": "70000",
    "consumer.override.max.partition.fetch.bytes": "2000000",
    "producer.compression.type": "lz4",
    "producer.override.compression.type": "zstd",
    "target.producer.linger.ms": "16",
    "producer.max.request.size": "1500000",
}


def _connectors(bootstrap: str) -> dict[str, dict[str, str]]:
    """MirrorMaker's three connectors by name, between two aliases of one cluster."""
    both = {
        "source.cluster.alias": "us",
        "target.cluster.alias": "eu",
        "source.cluster.bootstrap.servers": bootstrap,
        "target.cluster.bootstrap.servers": bootstrap,
        "key.converter": BYTES,
        "value.converter": BYTES,
    }
    source = {
        "connector.class": f"{PACKAGE}.MirrorSourceConnector",
        "tasks.max": "2",
        "topics": TOPIC,
        "replication.factor": "1",
        "offset-syncs.topic.replication.factor": "1",
        "heartbeats.replication.enabled": "false",  # of one cluster, they would go round and round
        "sync.topic.acls.enabled": "false",
    }
    checkpoint = {
        "connector.class": f"{PACKAGE}.MirrorCheckpointConnector",
        "groups": GROUP,  # without a group that has read something there is no task
        "checkpoints.topic.replication.factor": "1",
        "sync.group.offsets.enabled": "true",
    }
    heartbeat = {
        "connector.class": f"{PACKAGE}.MirrorHeartbeatConnector",
        "heartbeats.topic.replication.factor": "1",
        "emit.heartbeats.interval.seconds": "2",
    }
    return {
        mirrors.SOURCE: both | source | MORE,
        mirrors.CHECKPOINT: both | checkpoint,
        mirrors.HEARTBEAT: both | heartbeat,
    }


@pytest.fixture(scope="module")
def mirrored(lab: LabState) -> Iterator[LabState]:
    """Three brokers and a worker that runs MirrorMaker, whose connector of copies has more settings than it needs."""
    jars = fetch_jars(MIRRORMAKER, cache_folder(), print)
    lab = known(lab.name, Path(lab.folder).parent)  # tests before this module may have started brokers anew
    with a_worker(lab, str(jars), "mirrors-connect"):
        create_topics(lab, {TOPIC: (2, 1, {})})
        write_records(lab, TOPIC, ["x"] * 5)
        for name, configuration in _connectors(lab.bootstrap).items():
            connect.put_connector(lab, name, configuration)
        wait_until(lambda: _all_written_down(lab), "the connectors to write down what they do", within=120)
        yield lab


def _all_written_down(lab: LabState) -> bool:
    return all_started(_log(lab)) and of_client(_log(lab), "source consumer")["fetch.min.bytes"] == "11"


def _log(lab: LabState) -> str:
    [worker] = connect.workers_of(lab)
    return Path(connect.log_of(lab, worker)).read_text("utf-8")


def _look(lab: LabState, probe: Any) -> list[dict[str, Any]]:
    workers = {worker.name: worker.url for worker in connect.workers_of(lab)}
    connection = to_workers({"workers": workers}, Deadline(60))
    try:
        return [*tabulate("x", probe.PROBE.columns, probe.observe(connection)).rows()]
    finally:
        connection.close()


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_has_what_is_said_to_be_in_force_and_nothing_that_is_not(mirrored: LabState, client: str):
    mine = [
        row for row in _look(mirrored, mirror_setting) if row["connector"] == mirrors.SOURCE and row["client"] == client
    ]
    assert differences(mine, of_client(_log(mirrored), client)) == []
    assert {row["in_force"] for row in mine} >= ({True} if client == "offset-syncs producer" else {True, False})


@pytest.mark.parametrize("kind", CONFIGS)
def test_a_connector_does_what_is_said_and_runs(mirrored: LabState, kind: str):
    [row] = [row for row in _look(mirrored, mirror_connector) if row["kind"] == kind]
    said, done = said_and_done(row, _log(mirrored))
    assert said == done
    assert (row["state"], row["tasks_failed"], row["tasks_running"]) == ("RUNNING", 0, row["tasks"])


def test_every_connector_that_was_started_is_told(mirrored: LabState):
    started = {kind for kind, _ in blocks_of(_log(mirrored))} & set(CONFIGS.values())
    assert {CONFIGS[row["kind"]] for row in _look(mirrored, mirror_connector)} == started == set(CONFIGS.values())
