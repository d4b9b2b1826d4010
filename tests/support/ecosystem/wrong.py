"""A lab with a registry and Connect in which all is wrong that the two runbooks name, and its proof."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from confluent_kafka import Consumer, TopicPartition

import kafka_lab as labs
from kafka_lab import LabState, connect, processes, registry
from kafka_lab.admin import change_settings, committed, delete_group, end_offsets, settings, topic_setting
from kafka_lab.content import create_topics, delete_topics, write_records
from kafka_lab.jars import fetch_jars
from kafka_lab.parts import dr
from kafka_lab.ports import free_ports
from kafka_lab.waiting import wait_until
from runbook.folders import cache_folder
from support import wrong_schemas
from support.ecosystem.lab import SECRET
from support.ecosystem.records import write
from support.ecosystem.right import SAFE, SILENT, source

FAULTS: Final = ("incompatible-schema", "raw-records", "poison-pill")
LOST: Final = "lost-letters"
LEFT: Final = "left-connect"
"""The group of a worker that has nothing to do with the lab's two."""
PATCHED: Final = "4.0.99"
IDLE: Final = "idle-heartbeats"
WAITING: Final = "orders-again"
TOPICS: Final[dict[str, tuple[int, int, dict[str, str]]]] = {
    "clicks.dlq": (1, 1, {"cleanup.policy": "compact", "retention.ms": str(86_400_000)}),
    "orders-retry": (3, 1, {}),
    "customers": (1, 3, SAFE | {"cleanup.policy": "compact"}),
    "_schemas": (1, 1, {"cleanup.policy": "delete"}),
}
WEEK: Final = str(7 * 86_400_000)
QUEUE: Final = "errors.deadletterqueue.topic.name"
_COPIES: Final = "errors.deadletterqueue.topic.replication.factor"

_HOUR: Final = 3600.0
_WITHIN: Final = 120.0


@contextlib.contextmanager
def all_wrong(lab: LabState, folder: Path) -> Iterator[connect.LabWorker]:
    """Everything that the checks name, in topics, groups, connectors and subjects; gives the worker left alone."""
    with contextlib.ExitStack() as stack:
        left = stack.enter_context(_left_alone(lab, folder))
        stack.callback(labs.heal, lab.name, home=Path(lab.folder).parent)
        stack.enter_context(_topics(lab))
        stack.enter_context(_connectors(lab, folder))
        for fault in FAULTS:
            labs.break_(lab.name, fault, home=Path(lab.folder).parent)
        stack.callback(wrong_schemas.forget, lab)
        wrong_schemas.register(lab)
        stack.enter_context(_forgetful_storage(lab))
        delete_topics(lab, [LOST])  # the sink made it when it started, and does not look again
        yield left


@contextlib.contextmanager
def _topics(lab: LabState) -> Iterator[None]:
    try:
        create_topics(lab, TOPICS)
        write(lab, "clicks.dlq", age=8 * 24 * _HOUR)
        write(lab, "clicks.dlq")
        write(lab, "orders-retry", 5, age=2 * _HOUR)
        consumer = Consumer(settings(lab) | {"group.id": WAITING})
        try:
            consumer.commit(offsets=[TopicPartition("orders-retry", 0, 0)], asynchronous=False)
        finally:
            consumer.close()
        yield
    finally:
        delete_topics(lab, TOPICS)
        wait_until(lambda: delete_group(lab, WAITING), f"{WAITING} to be deleted", within=_WITHIN)


@contextlib.contextmanager
def _connectors(lab: LabState, folder: Path) -> Iterator[None]:
    """A source and three sinks, each of which tolerates errors without telling of them as it should."""
    wrong = {
        "silent-intake": source(folder / "parcels.jsonl", **SILENT),
        "leaky-archive": _sink("parcels", folder, **SILENT, **{"connection.password": SECRET}),
        "mute-archive": _sink("parcels", folder, **SILENT, **{QUEUE: "mute-letters", _COPIES: "1"}),
        "lost-archive": _sink(connect.TOPIC, folder, **SILENT, **{QUEUE: LOST}),
    }
    try:
        create_topics(lab, {"parcels": (3, 3, SAFE)})
        write_records(lab, "parcels", ["no json at all"])
        for name, configuration in wrong.items():
            connect.put_connector(lab, name, configuration)
        connect.pause(lab, "silent-intake")
        written = end_offsets(lab, "parcels")
        for name in ("leaky-archive", "mute-archive"):
            group = f"connect-{name}"
            wait_until(
                lambda group=group: committed(lab, group, "parcels") >= written,  # type: ignore[misc]
                f"{name} to commit",
                within=_WITHIN,
            )
        yield
    finally:
        for name in wrong:
            connect.retire_connector(lab, name)
        delete_topics(lab, ["parcels", "mute-letters", LOST])


def _sink(topic: str, folder: Path, **more: str) -> dict[str, str]:
    return connect.sink(topic, folder / f"{time.monotonic_ns()}.txt", **more)


@contextlib.contextmanager
def _forgetful_storage(lab: LabState) -> Iterator[None]:
    """The registry's topic keeps what it has for a week only."""
    before = topic_setting(lab, registry.STORAGE, "retention.ms")
    try:
        change_settings(lab, "topic", {registry.STORAGE: {"retention.ms": WEEK}})
        yield
    finally:
        change_settings(lab, "topic", {registry.STORAGE: {"retention.ms": before}})


@contextlib.contextmanager
def _left_alone(lab: LabState, folder: Path) -> Iterator[connect.LabWorker]:
    """A worker of another release, with other plugins, in a group of its own whose topics are not safe."""
    safe = {"cleanup.policy": "compact"}
    release = folder / "patched" / "kafka" / "kafka-version.properties"
    release.parent.mkdir(parents=True)
    release.write_text(f"version={PATCHED}\ncommitId=0123456789abcdef\n", "utf-8")
    jars = str(fetch_jars(dr.MIRRORMAKER, cache_folder(), lambda _: None).absolute())
    [port] = free_ports(1)
    worker = connect.LabWorker(connect.COUNT + 1, port, options=[f"-Xbootclasspath/a:{folder / 'patched'}"])
    alone = msgspec.structs.replace(lab, parts={connect.PART: {"jars": jars, "group": LEFT}})
    try:
        create_topics(lab, {f"{LEFT}-offsets": (1, 1, safe), f"{LEFT}-configs": (1, 3, safe)})
        connect.start(alone, worker)
        connect.wait_for_workers(alone, [worker])
        alone.parts[connect.PART]["workers"] = [msgspec.to_builtins(worker)]
        connect.configure(alone, IDLE, _idle(lab))
        change_settings(lab, "topic", {f"{LEFT}-offsets": {"cleanup.policy": "delete"}})
        yield worker
    finally:
        processes.terminate(worker.process, patience=0)
        delete_topics(lab, ["heartbeats", *(f"{LEFT}-{kind}" for kind in ("offsets", "configs", "status"))])


def _idle(lab: LabState) -> dict[str, Any]:
    """A connector that is told to do nothing: it runs, and divides its work into no task."""
    return {
        "connector.class": "org.apache.kafka.connect.mirror.MirrorHeartbeatConnector",
        "tasks.max": "1",
        "source.cluster.alias": "there",
        "target.cluster.alias": "here",
        "source.cluster.bootstrap.servers": lab.bootstrap,
        "target.cluster.bootstrap.servers": lab.bootstrap,
        "emit.heartbeats.enabled": "false",
    }
