"""MirrorMaker's connectors on real Connect workers: what they write down at their start is what is said of them."""

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from mirror_logs import CLIENTS, CONFIGS, blocks_of, differences, of_client, said_and_done
from runbook import lab as labs
from runbook.connections.connect import connect as to_workers
from runbook.engine.fact import tabulate
from runbook.engine.probe import Clock
from runbook.lab import LabState, connect, mirrors
from runbook.lab.waiting import wait_until
from runbook.probes import mirror_connector, mirror_setting

pytestmark = pytest.mark.live

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


@pytest.fixture(scope="module")
def mirrored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabState]:
    """The standby of a lab, whose connector of copies has more settings than it needs."""
    home = tmp_path_factory.mktemp("mirrors")
    try:
        lab = labs.up("mirrors", home=home, progress=logging.getLogger("lab").info, with_parts=["dr"])
        there = mirrors.standby_of(lab)
        connect.put_connector(there, mirrors.SOURCE, mirrors.source(lab, **MORE))
        wait_until(lambda: _has_more(there), "the connector to start anew", within=120)
        yield there
    finally:
        labs.down("mirrors", home=home)


def _has_more(lab: LabState) -> bool:
    kinds = ("source consumer", "offset-syncs producer", "target producer")
    settings = ("fetch.min.bytes", "max.request.size", "compression.type")
    new = [of_client(_log(lab), kind)[name] for kind, name in zip(kinds, settings, strict=True)]
    return new == ["11", "1500000", "zstd"]


def _log(lab: LabState) -> str:
    """What both workers wrote, in the order of time."""
    texts = [Path(connect.log_of(lab, worker)).read_text("utf-8") for worker in connect.workers_of(lab)]
    return "\n".join(sorted(texts, key=_last_start))


def _last_start(text: str) -> str:
    """When a worker last started the consumer of copies."""
    starts = [line[:23] for line in text.splitlines() if line.rstrip().endswith("ConsumerConfig values:")]
    return max(starts, default="")


def _look(lab: LabState, probe: Any) -> list[dict[str, Any]]:
    workers = {worker.name: worker.url for worker in connect.workers_of(lab)}
    connection = to_workers({"workers": workers}, Clock(60))
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


def test_workers_of_another_cluster_fail_where_they_are_taken_for_this_ones(mirrored: LabState, tmp_path: Path):
    file = Path(mirrored.folder).with_name("environments.yaml")
    environments = yaml.safe_load(file.read_text("utf-8"))["environments"]
    primary, standby = environments["mirrors"], environments[mirrored.name]
    mixed = {**primary, "connect": standby["connect"], "absent": {}}
    tmp_path.joinpath("environments.yaml").write_text(yaml.safe_dump({"environments": {"mixed": mixed}}), "utf-8")
    command = [str(Path(sys.executable).with_name("runbook")), "check", "error-handling", "-f", "json"]
    command += ["--only", "connect-works-with-this-cluster", "-i", str(tmp_path / "environments.yaml")]
    done = subprocess.run([*command, "--deadline", "40s"], capture_output=True, text=True, timeout=90, check=False)
    [told] = json.loads(done.stdout)["results"]
    assert told["outcome"] == "fail"
    for one in (primary, standby):
        assert one["cluster_id"] in json.dumps([told["reason"], told["rows"]])
