"""Incidents of two sites and the MirrorMaker between them."""

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

from kafka_lab import LabState, brokers, connect, mirrors, processes, rights
from kafka_lab.admin import change_settings
from kafka_lab.content import GROUP, create_topics, delete_topics, write_some
from kafka_lab.rights import Right
from support.evidence.labs import kafka_lab
from support.new_incidents import Incident, Shape, back

_RUNBOOK: Final = "dr"
_TIMES: Final = 12.0  # seconds; MirrorMaker of the lab looks for news every five
_OF_ORDERS: Final = [Right("billing", "topic", "orders", "read"), Right("billing", "topic", "orders", "describe")]
_READERS: Final[list[threading.Event]] = []


def _lab(folder: Path) -> AbstractContextManager[LabState]:
    return kafka_lab("sites", folder, ["dr"])


def _kill_workers(*numbers: int) -> Callable[[LabState], None]:
    def make(lab: LabState) -> None:
        for worker in connect.workers_of(mirrors.standby_of(lab)):
            if worker.number in numbers:
                processes.terminate(worker.process, patience=0)
        time.sleep(_TIMES)

    return make


def _revive_workers(lab: LabState) -> None:
    connect.revive(mirrors.standby_of(lab))
    mirrors.wait_for_flow(lab)


def _small_records_only(lab: LabState) -> None:
    """Copies of `payments` take small records only; a larger one stops the task."""
    from kafka_lab.content import write_records

    there = mirrors.standby_of(lab)
    connect.change_connector(there, mirrors.SOURCE, mirrors.source(lab, **{"sync.topic.configs.enabled": "false"}))
    change_settings(there, "topic", {mirrors.remote("payments"): {"max.message.bytes": "2000"}})
    time.sleep(2)
    import random

    noise = "".join(chr(random.randrange(33, 126)) for _ in range(20_000))
    write_records(lab, "payments", [noise])
    connect.wait_for_state(there, mirrors.SOURCE, "FAILED", one=True)


def _large_records_again(lab: LabState) -> None:
    there = mirrors.standby_of(lab)
    change_settings(there, "topic", {mirrors.remote("payments"): {"max.message.bytes": None}})
    mirrors.restore(lab)


def _no_heartbeats(lab: LabState) -> None:
    connect.retire_connector(mirrors.standby_of(lab), mirrors.HEARTBEAT)
    time.sleep(3 * _TIMES)  # longer than heartbeats-arrive bears


def _heartbeats(lab: LabState) -> None:
    mirrors.restore(lab)


def _checkpoints(**more: str) -> Callable[[LabState], None]:
    named = {name.replace("_", "."): value for name, value in more.items()}

    def make(lab: LabState) -> None:
        from kafka_lab.content import read_some

        # Not waited for: one that no group is left to has no task.
        connect.configure(mirrors.standby_of(lab), mirrors.CHECKPOINT, mirrors.checkpoint(lab, **named))
        write_some(lab, "payments")
        read_some(lab, "payments", group=GROUP)
        time.sleep(_TIMES)

    return make


def _read_at_the_standby(lab: LabState) -> None:
    """The group reads at the standby already: MirrorMaker does not move a group that has members."""
    from confluent_kafka import Consumer

    from kafka_lab.admin import settings
    from kafka_lab.content import read_some

    ends = threading.Event()
    _READERS.append(ends)

    def read() -> None:
        there = settings(mirrors.standby_of(lab)) | {"group.id": GROUP, "enable.auto.commit": False}
        consumer = Consumer(there)
        consumer.subscribe([mirrors.remote("clicks")])
        while not ends.is_set():
            consumer.poll(0.5)
        consumer.close()

    threading.Thread(target=read, daemon=True).start()
    time.sleep(5)
    write_some(lab, "orders")
    read_some(lab, "orders", group=GROUP)
    time.sleep(_TIMES)


def _read_no_more(lab: LabState) -> None:
    while _READERS:
        _READERS.pop().set()
    time.sleep(5)
    mirrors.wait_for_flow(lab)


def _allow(lab: LabState) -> None:
    rights.allow(lab, _OF_ORDERS)
    time.sleep(_TIMES)


def _excluded(lab: LabState) -> None:
    """A new topic that the filter leaves out."""
    there = mirrors.standby_of(lab)
    leaves_out = ",".join([*mirrors.NO_TOPICS, "refunds.*"])
    connect.change_connector(there, mirrors.SOURCE, mirrors.source(lab, **{"topics.exclude": leaves_out}))
    create_topics(lab, {"refunds": (3, 3, {"min.insync.replicas": "2"})})
    write_some(lab, "refunds")
    time.sleep(_TIMES)


def _included(lab: LabState) -> None:
    delete_topics(lab, ["refunds"])
    mirrors.restore(lab)


def _drift(lab: LabState) -> None:
    """Settings are copied no more, and the primary keeps its records for longer now."""
    there = mirrors.standby_of(lab)
    connect.change_connector(there, mirrors.SOURCE, mirrors.source(lab, **{"sync.topic.configs.enabled": "false"}))
    change_settings(lab, "topic", {"orders": {"retention.ms": "2592000000"}})
    time.sleep(_TIMES)


def _no_drift(lab: LabState) -> None:
    change_settings(lab, "topic", {"orders": {"retention.ms": None}})
    mirrors.restore(lab)


def _kill_there(*numbers: int) -> Callable[[LabState], None]:
    def make(lab: LabState) -> None:
        there = mirrors.standby_of(lab)
        for number in numbers:
            processes.terminate(there.broker(number).process, patience=0)
        time.sleep(_TIMES)

    return make


def _start_there(*numbers: int) -> Callable[[LabState], None]:
    def heal(lab: LabState) -> None:
        there = mirrors.standby_of(lab)
        for number in numbers:
            brokers.start(there, there.broker(number))
        back(there)
        mirrors.restore(lab)

    return heal


def _flow(lab: LabState, *_: Any) -> None:
    mirrors.restore(lab)


SHAPE = Shape(
    _lab,
    (
        Incident(
            "both-workers-killed",
            _RUNBOOK,
            _kill_workers(1, 2),
            _revive_workers,
            "(worker|Connect).*(answer|down|refuse)",
        ),
        Incident("one-worker-killed", _RUNBOOK, _kill_workers(2), _revive_workers, "worker"),
        Incident(
            "copies-refuse-large-records", _RUNBOOK, _small_records_only, _large_records_again, "task.*fail|failed"
        ),
        Incident("heartbeats-were-removed", _RUNBOOK, _no_heartbeats, _heartbeats, "heartbeat"),
        Incident(
            "positions-are-not-written",
            _RUNBOOK,
            _checkpoints(sync_group_offsets_enabled="false"),
            _flow,
            "(offset|position|sync.group)",
        ),
        Incident(
            "the-group-is-left-out", _RUNBOOK, _checkpoints(groups_exclude="billing.*,console-.*"), _flow, "billing"
        ),
        Incident("the-group-reads-at-the-standby", _RUNBOOK, _read_at_the_standby, _read_no_more, "billing"),
        Incident(
            "rights-only-at-the-primary",
            _RUNBOOK,
            _allow,
            lambda lab: rights.disallow(lab, _OF_ORDERS),
            "(ACL|rights?)",
        ),
        Incident("a-topic-is-left-out", _RUNBOOK, _excluded, _included, "refunds"),
        Incident("settings-drift", _RUNBOOK, _drift, _no_drift, "retention|orders"),
        Incident(
            "a-standby-broker-killed", _RUNBOOK, _kill_there(2), _start_there(2), "standby.*broker 2|broker 2.*standby"
        ),
        Incident("the-standby-refuses-writes", _RUNBOOK, _kill_there(2, 3), _start_there(2, 3), "standby"),
    ),
)
