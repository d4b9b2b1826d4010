"""Starts broker 2 on a newly formatted disk, as after a disk's loss: its vote belongs to the disk that is gone."""

import base64
import re
import shutil
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from kafka_lab import tools
from kafka_lab.admin import kafka_python
from kafka_lab.brokers import run_tool, start
from kafka_lab.configuration import properties_file
from kafka_lab.processes import terminate
from kafka_lab.recovery import wait_for_loss
from kafka_lab.state import LabBroker, LabState
from kafka_lab.waiting import wait_for_brokers, wait_for_full_isr, wait_until

_NUMBER: Final = 2
_SILENT_MS: Final = 10_000  # silence_ms of ha/controllers-keep-up: who looks sooner sees a voter that may be slow only
_WITHIN: Final = 180.0
_QUORUM: Final = "kafka-metadata-quorum.sh"


def inject(lab: LabState) -> None:
    """Take its data away, format an empty folder with the same id, and start it."""
    broker = lab.broker(_NUMBER)
    terminate(broker.process, patience=8)
    wait_for_loss(lab, {_NUMBER})
    shutil.rmtree(lab.data_of(broker))
    _format(lab, broker)
    start(lab, broker)
    wait_for_brokers(lab)
    wait_for_full_isr(lab)
    wait_until(lambda: all(evident(lab).values()), "the silence of the old voter to be seen", within=_WITHIN)


def heal(lab: LabState) -> None:
    """Take the vote of the disk that is gone, and give one to the disk that is there."""
    broker = lab.broker(_NUMBER)
    if not _directory(lab, broker):
        _format(lab, broker)
        start(lab, broker)
        wait_for_brokers(lab)
    here, number = _directory(lab, broker), str(_NUMBER)
    where = ("--bootstrap-server", lab.bootstrap)
    old = _votes(lab).get(_NUMBER, {}).get("replica_directory_id")
    if old and _in_base64(old) != here:
        gone = ("remove-controller", "--controller-id", number, "--controller-directory-id", _in_base64(old))
        tools.run(lab, _QUORUM, *where, *gone)
        wait_until(lambda: _NUMBER not in _votes(lab), "the old voter to be gone", within=_WITHIN)
    if _NUMBER not in _votes(lab):
        own = ("--command-config", str(properties_file(lab, broker)))
        tools.run(lab, _QUORUM, *where, *own, "add-controller")
    wait_until(lambda: not any(evident(lab).values()), "the new voter to follow", within=_WITHIN)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the quorum knows its vote by another disk than its own, whose last fetch is long ago."""
    votes = _votes(lab)
    mine, newest = votes.get(_NUMBER), max((one["last_fetch_timestamp"] for one in votes.values()), default=0)
    known = _in_base64(mine["replica_directory_id"]) if mine else ""
    return {
        f"the vote of controller {_NUMBER} belongs to another disk": known != _directory(lab, lab.broker(_NUMBER)),
        "who had it is silent": mine is None or newest - mine["last_caught_up_timestamp"] > _SILENT_MS,
    }


def _votes(lab: LabState) -> dict[int, Any]:
    """The voters by their ids, as the quorum tells them."""
    with kafka_python(lab) as admin:
        [topic] = admin.describe_metadata_quorum()["topics"]
    return {one["replica_id"]: one for one in topic["partitions"][0]["current_voters"]}


def _format(lab: LabState, broker: LabBroker) -> None:
    place = ["-t", lab.cluster_id, "-c", str(properties_file(lab, broker))]
    run_tool(lab, "kafka.tools.StorageTool", ["format", *place, "--ignore-formatted", "--no-initial-controllers"])


def _directory(lab: LabState, broker: LabBroker) -> str:
    """The id of the folder that it has now; "" where it is not formatted."""
    try:
        text = Path(lab.data_of(broker), "meta.properties").read_text("utf-8")
    except OSError:
        return ""
    found = re.search(r"^directory\.id=(.+)$", text, re.MULTILINE)
    return found[1] if found else ""


def _in_base64(directory: str) -> str:
    """An id of a directory as Kafka's tools write it."""
    return base64.urlsafe_b64encode(uuid.UUID(directory).bytes).decode().rstrip("=")
