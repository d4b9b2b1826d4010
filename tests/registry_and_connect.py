"""States of a lab with a registry and Connect: all as the two runbooks want it, and all wrong at once."""

import contextlib
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from confluent_kafka import Consumer, Producer, TopicPartition

import wrong_schemas
from runbook import lab as labs
from runbook.lab import connect, processes, registry, rights, security
from runbook.lab.admin import change_settings, committed, end_offsets, settings
from runbook.lab.configuration import free_ports
from runbook.lab.content import create_topics, delete_topics, empty_topic, write_records
from runbook.lab.jars import fetch_jars
from runbook.lab.parts import dr
from runbook.lab.places import cache_home
from runbook.lab.state import LabState
from runbook.lab.waiting import wait_until

PARTS: Final = ("security", "jmx", "connect", "registry")
RETRIES: Final = "parcels-retry"
LETTERS: Final = "parcels.dlq"
SECRET: Final = "made-up-for-a-sink"
LOST: Final = "lost-letters"
LEFT: Final = "left-connect"
"""The group of a worker that has nothing to do with the lab's two."""
PATCHED: Final = "4.0.99"

_SAFE: Final = {"min.insync.replicas": "2"}
_OF_LETTERS: Final = _SAFE | {"retention.ms": str(30 * 86_400_000), "message.timestamp.type": "LogAppendTime"}
_MONTHLESS: Final = {"cleanup.policy": "compact", "retention.ms": str(86_400_000)}
_HOUR: Final = 3600.0
_WITHIN: Final = 120.0
_SILENT: Final = {"errors.tolerance": "all"}


@contextlib.contextmanager
def all_right(lab: LabState, folder: Path) -> Iterator[None]:
    """A source that logs what it skips, retries that are read, dead letters that were dealt with, and the rights."""
    create_topics(lab, {"parcels": (3, 3, _SAFE), RETRIES: (3, 3, _SAFE), LETTERS: (1, 3, _OF_LETTERS)})
    writer = [(name, right) for name in (LETTERS, connect.DEAD_LETTERS) for right in ("write", "describe")]
    may = [rights.Right(security.APPLICATION, "topic", *one) for one in writer]
    rights.allow(lab, [*may, rights.Right(security.READER, "topic", "*", "read")])
    folder.mkdir(parents=True)
    folder.joinpath("parcels.jsonl").write_text('{"parcel": 1}\n{"parcel": 2}\n', "utf-8")
    connect.put_connector(lab, "parcels-intake", _source(folder, **_SILENT, **{"errors.log.enable": "true"}))
    write_records(lab, LETTERS, ["a letter that somebody has dealt with"])
    empty_topic(lab, LETTERS)
    due = b"%d" % ((time.time() + _HOUR) * 1000)
    _write(lab, RETRIES, headers={"dlq.tries-left": b"2", "dlq.group": b"parcels", "dlq.next-try": due})
    with _reading(lab, RETRIES, "parcels-again"):
        yield


def _source(folder: Path, **more: str) -> dict[str, str]:
    text = "org.apache.kafka.connect.storage.StringConverter"
    return {
        "connector.class": "org.apache.kafka.connect.file.FileStreamSourceConnector",
        "tasks.max": "1",
        "topic": "parcels",
        "file": str(folder / "parcels.jsonl"),
        "key.converter": text,
        "value.converter": text,
        **more,
    }


def _write(
    lab: LabState,
    topic: str,
    count: int = 1,
    *,
    age: float = 0.0,
    headers: Mapping[str, bytes] | None = None,
) -> None:
    """Write records with a key into partition 0, as old as is said, in seconds."""
    producer = Producer(settings(lab) | {"acks": "all"})
    stamp = int((time.time() - age) * 1000)
    for number in range(count):
        value = f'{{"parcel": {number}}}'
        producer.produce(
            topic, key="key", value=value, partition=0, timestamp=stamp, headers=list((headers or {}).items())
        )
    assert producer.flush(30) == 0


@contextlib.contextmanager
def _reading(lab: LabState, topic: str, group: str) -> Iterator[None]:
    """A group with a member that has read a topic to its end, and has committed that."""
    consumer = Consumer(settings(lab) | {"group.id": group, "auto.offset.reset": "earliest"})
    try:
        consumer.subscribe([topic])

        def has_committed() -> bool:
            consumer.poll(0.5)
            places = [place for place in consumer.position(consumer.assignment()) if place.offset > 0]
            if places:
                consumer.commit(offsets=places, asynchronous=False)
            return bool(places)

        wait_until(has_committed, f"{group} to commit", within=_WITHIN)
        yield
    finally:
        consumer.close()


@contextlib.contextmanager
def all_wrong(lab: LabState, folder: Path) -> Iterator[connect.Worker]:
    """Everything that the checks name, in topics, groups, connectors and subjects; gives the worker left alone."""
    with _left_alone(lab, folder) as left:
        _wrong_topics(lab)
        _wrong_connectors(lab, folder)
        for fault in ("incompatible-schema", "raw-records", "poison-pill"):
            labs.break_(lab.name, fault, home=Path(lab.folder).parent)
        wrong_schemas.register(lab)
        change_settings(lab, "topic", {registry.STORAGE: {"retention.ms": str(7 * 86_400_000)}})
        delete_topics(lab, [LOST])  # the sink made it when it started, and does not look again
        yield left


def _wrong_topics(lab: LabState) -> None:
    create_topics(
        lab,
        {
            "clicks.dlq": (1, 1, _MONTHLESS),
            "orders-retry": (3, 1, {}),
            "customers": (1, 3, _SAFE | {"cleanup.policy": "compact"}),
            "_schemas": (1, 1, {"cleanup.policy": "delete"}),
        },
    )
    _write(lab, "clicks.dlq", age=8 * 24 * _HOUR)
    _write(lab, "clicks.dlq")
    _write(lab, "orders-retry", 5, age=2 * _HOUR)
    consumer = Consumer(settings(lab) | {"group.id": "orders-again"})
    try:
        consumer.commit(offsets=[TopicPartition("orders-retry", 0, 0)], asynchronous=False)
    finally:
        consumer.close()


def _wrong_connectors(lab: LabState, folder: Path) -> None:
    """A source and three sinks, each of which tolerates errors without telling of them as it should."""
    write_records(lab, "parcels", ["no json at all"])
    letters = "errors.deadletterqueue.topic.name"
    wrong = {
        "silent-intake": _source(folder, **_SILENT),
        "leaky-archive": _sink("parcels", folder, **_SILENT, **{"connection.password": SECRET}),
        "mute-archive": _sink(
            "parcels",
            folder,
            **_SILENT,
            **{letters: "mute-letters", "errors.deadletterqueue.topic.replication.factor": "1"},
        ),
        "lost-archive": _sink(connect.TOPIC, folder, **_SILENT, **{letters: LOST}),
    }
    for name, configuration in wrong.items():
        connect.put_connector(lab, name, configuration)
    connect.pause(lab, "silent-intake")
    written = end_offsets(lab, "parcels")
    for name in ("leaky-archive", "mute-archive"):
        group = f"connect-{name}"
        wait_until(lambda group=group: committed(lab, group, "parcels") >= written, f"{name} to commit", within=_WITHIN)  # type: ignore[misc]


def _sink(topic: str, folder: Path, **more: str) -> dict[str, str]:
    return connect.sink(topic, folder / f"{time.monotonic_ns()}.txt", **more)


@contextlib.contextmanager
def _left_alone(lab: LabState, folder: Path) -> Iterator[connect.Worker]:
    """A worker of another release, with other plugins, in a group of its own whose topics are not safe."""
    safe = {"cleanup.policy": "compact"}
    create_topics(lab, {f"{LEFT}-offsets": (1, 1, safe), f"{LEFT}-configs": (1, 3, safe)})
    release = folder / "patched" / "kafka" / "kafka-version.properties"
    release.parent.mkdir(parents=True)
    release.write_text(f"version={PATCHED}\ncommitId=0123456789abcdef\n", "utf-8")
    jars = str(fetch_jars(dr.MIRRORMAKER, cache_home(), lambda _: None).absolute())
    [port] = free_ports(1)
    worker = connect.Worker(connect.COUNT + 1, port, options=[f"-Xbootclasspath/a:{folder / 'patched'}"])
    alone = msgspec.structs.replace(lab, parts={connect.PART: {"jars": jars, "group": LEFT}})
    connect.start(alone, worker)
    try:
        connect.wait_for_workers(alone, [worker])
        alone.parts[connect.PART]["workers"] = [msgspec.to_builtins(worker)]
        connect.configure(alone, "idle-heartbeats", _idle(lab))
        change_settings(lab, "topic", {f"{LEFT}-offsets": {"cleanup.policy": "delete"}})
        yield worker
    finally:
        processes.terminate(worker.process, patience=0)


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
