"""Tiered storage: brokers that copy closed segments to a folder that stands for the remote store.

The plugin is the one with which Kafka tests tiered storage itself. A topic takes part with remote.storage.enable, as
`archive` does, whose records are only in the remote store but for the newest.
"""

from pathlib import Path
from typing import Any, Final

import msgspec

from kafka_lab import admin, processes
from kafka_lab.content import PIECE, create_topics, write_ballast
from kafka_lab.errors import LabError
from kafka_lab.jars import KAFKA_VERSION, Jar, Wanted, fetch_jars
from kafka_lab.parts import Progress
from kafka_lab.processes import Process
from kafka_lab.state import LabBroker, LabState
from kafka_lab.waiting import wait_until
from runbook.folders import cache_folder

PART: Final = "tiered"
HELP: Final = "tiered storage, whose remote store is a folder"
NOT_WITH: Final = ("development", "hosts", "stretched", "zookeeper")

TOPIC: Final = "archive"
PARTITIONS: Final = 3
SEGMENT: Final = 1 << 20  # bytes; brokers refuse less

_PLUGIN = Wanted(
    f"Kafka's plugin for tests of tiered storage {KAFKA_VERSION}",
    f"kafka-storage-test-{KAFKA_VERSION}",
    "1 MB",
    (Jar("org.apache.kafka", "kafka-storage", KAFKA_VERSION, transitive=False, classifier="test"),),
)
_IN_A_SEGMENT: Final = SEGMENT // PIECE + 1  # records
_WITHIN: Final = 240.0  # seconds
_EARLIEST_LOCAL: Final = -4  # ListOffsets: the oldest record on the leader's disk (KIP-405)
_LATEST_TIERED: Final = -5  # the newest record in the remote store (KIP-1005)
_EVERY: Final = 2000  # milliseconds between two looks of a broker for segments to copy; Kafka's own 30 s need patience


def prepare(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Fetch the plugin, and make the folder that stands for the remote store.

    Raises:
        LabError: it could not be fetched.
    """
    [jar] = fetch_jars(_PLUGIN, cache_folder(), progress).glob("*.jar")
    store = Path(lab.folder, "remote-store")
    store.mkdir(parents=True, exist_ok=True)
    return {"jar": str(jar.absolute()), "store": str(store.absolute())}


def broker_settings(lab: LabState, broker: LabBroker) -> dict[str, Any]:
    """What turns tiered storage on."""
    del broker
    state = lab.parts[PART]
    return {
        "remote.log.storage.system.enable": "true",
        "remote.log.storage.manager.class.name": "org.apache.kafka.server.log.remote.storage.LocalTieredStorage",
        "remote.log.storage.manager.class.path": state["jar"],
        "remote.log.metadata.manager.listener.name": "PLAINTEXT",
        "remote.log.manager.task.interval.ms": _EVERY,
        "log.retention.check.interval.ms": _EVERY,
        "rsm.config.dir": state["store"],
        "rlmm.config.remote.log.metadata.topic.replication.factor": 3,
        "rlmm.config.remote.log.metadata.topic.num.partitions": 3,
    }


def start(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Make a topic whose oldest records are in the remote store only.

    Raises:
        LabError: nothing was uploaded.
    """
    progress(f"Filling the tiered topic {TOPIC}")
    settings = {"remote.storage.enable": "true", "segment.bytes": str(SEGMENT), "local.retention.ms": "1000"}
    create_topics(lab, {TOPIC: (PARTITIONS, 3, settings)})
    write_ballast(lab, TOPIC, [*range(PARTITIONS)], 3 * SEGMENT)
    wait_until(lambda: uploaded(lab) and all(_offsets(lab, _EARLIEST_LOCAL)), "the first uploads", within=_WITHIN)
    state: dict[str, Any] = lab.parts[PART]
    return state


def stop(lab: LabState, state: dict[str, Any]) -> None:
    """End who reads the topic, where the loss of the store was made."""
    if reader := state.pop("reader", None):
        processes.terminate(msgspec.convert(reader, Process), patience=0)
        lab.save()


def required(lab: LabState) -> None:
    """Refuse a lab without tiered storage.

    Raises:
        LabError: it has none.
    """
    if PART not in lab.parts:
        raise LabError(f"Lab {lab.name} has no tiered storage: {lab.anew_with(PART)}")


def uploaded(lab: LabState) -> bool:
    """Whether all of each partition is in the remote store but for its open segment."""
    ends, uploaded_to = _offsets(lab, admin.END), _offsets(lab, _LATEST_TIERED)
    return all(end - last <= _IN_A_SEGMENT for end, last in zip(ends, uploaded_to, strict=True))


def _offsets(lab: LabState, which: int) -> list[int]:
    """An offset of each partition of the topic."""
    with admin.kafka_python(lab) as client:
        found = admin.offsets(client, TOPIC, range(PARTITIONS), which)
    return [found[number].offset for number in range(PARTITIONS)]
