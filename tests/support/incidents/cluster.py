"""What is wrong with brokers, controllers, topics and settings of the cluster itself."""

import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import kafka_lab as labs
from kafka_lab import LabState, processes, proxies
from kafka_lab.admin import change_settings, kafka_python
from kafka_lab.brokers import start
from kafka_lab.configuration import properties_file, write_configuration
from kafka_lab.content import create_topics, delete_topics, write_ballast
from kafka_lab.ports import free_ports
from kafka_lab.recovery import wait_for_loss
from kafka_lab.replicas import reassign
from kafka_lab.waiting import wait_for_brokers
from support.incidents.between import by_proxies
from support.incidents.incident import Asked, Incident

_STOPS_WITHIN = 10.0
_DOWN = ("broker-is-down", "broker-refuses-connections")
_THROTTLES = ("throttle-outlasts-its-move", "throttle-holds-replicas-back")
_SINGLE, _OFFSETS = "incident-single", "__consumer_offsets"
_THROTTLED = ("leader.replication.throttled.replicas", "follower.replication.throttled.replicas")
_RATES = ("leader.replication.throttled.rate", "follower.replication.throttled.rate")


def _fault(name: str) -> Any:
    @contextmanager
    def play(lab: LabState) -> Iterator[Asked]:
        labs.break_(lab.name, name, home=Path(lab.folder).parent)
        yield Asked()

    return play


def _lose(lab: LabState, number: int) -> None:
    processes.terminate(lab.broker(number).process, patience=0)
    wait_for_loss(lab, {number})


@contextmanager
def _single_leader_down(lab: LabState) -> Iterator[Asked]:
    create_topics(lab, {_SINGLE: (3, 1, {"min.insync.replicas": "1"})})
    reassign(lab, {(_SINGLE, number): [3] for number in range(3)})
    time.sleep(2)
    try:
        _lose(lab, 3)
        yield Asked()
    finally:
        start(lab, lab.broker(3))
        wait_for_brokers(lab)
        delete_topics(lab, [_SINGLE])


@contextmanager
def _offsets_below_minimum(lab: LabState) -> Iterator[Asked]:
    change_settings(lab, "topic", {_OFFSETS: {"min.insync.replicas": "3"}})
    try:
        _lose(lab, 3)
        yield Asked()
    finally:
        change_settings(lab, "topic", {_OFFSETS: {"min.insync.replicas": None}})


@contextmanager
def _controller_hangs(lab: LabState) -> Iterator[Asked]:
    number = _active(lab)
    processes.freeze(lab.broker(number).process)
    try:
        yield Asked(number=number)
    finally:
        processes.thaw(lab.broker(number).process)


def _active(lab: LabState) -> int:
    with kafka_python(lab) as admin:
        quorum = admin.describe_metadata_quorum()
    return int(quorum["topics"][0]["partitions"][0]["leader_id"])


@contextmanager
def _wrong_port(lab: LabState) -> Iterator[Asked]:
    broker = lab.broker(3)
    shown, _ = lab.parts[proxies.PART]["ports"]["3"]
    [nobodys] = free_ports(1)
    file = properties_file(lab, broker)
    processes.terminate(broker.process, patience=_STOPS_WITHIN)
    file.write_text(file.read_text("utf-8").replace(f"PROXIED://127.0.0.1:{shown}", f"PROXIED://127.0.0.1:{nobodys}"))
    try:
        start(lab, broker)
        wait_for_brokers(lab)
        yield Asked()
    finally:
        write_configuration(lab, broker)
        processes.terminate(broker.process, patience=_STOPS_WITHIN)
        start(lab, broker)


@contextmanager
def _rolling_restart(lab: LabState) -> Iterator[Asked]:
    processes.terminate(lab.broker(2).process, patience=_STOPS_WITHIN)
    yield Asked()


@contextmanager
def _crash_loop(lab: LabState) -> Iterator[Asked]:
    over = threading.Event()

    def crash() -> None:
        while not over.is_set():
            processes.terminate(lab.broker(2).process, patience=0)
            over.wait(3)
            start(lab, lab.broker(2))
            over.wait(4)

    looping = threading.Thread(target=crash)
    looping.start()
    time.sleep(9)
    try:
        yield Asked()
    finally:
        over.set()
        looping.join()


@contextmanager
def _throttled(lab: LabState) -> Iterator[Asked]:
    names = [str(broker.number) for broker in lab.brokers]
    change_settings(lab, "topic", {"payments": dict.fromkeys(_THROTTLED, "*")})
    change_settings(lab, "broker", {name: dict.fromkeys(_RATES, "1000") for name in names})
    try:
        yield Asked()
    finally:
        change_settings(lab, "broker", {name: dict.fromkeys(_RATES) for name in names})
        change_settings(lab, "topic", {"payments": dict.fromkeys(_THROTTLED)})


@contextmanager
def _throttled_and_behind(lab: LabState) -> Iterator[Asked]:
    with _throttled(lab) as asked:
        processes.terminate(lab.broker(3).process, patience=0)
        wait_for_loss(lab, {3})
        write_ballast(lab, "payments", [0, 1, 2], 4 << 20)
        start(lab, lab.broker(3))
        wait_for_brokers(lab)
        yield asked


@contextmanager
def _come_and_go(lab: LabState) -> Iterator[Asked]:
    over = threading.Event()

    def turn() -> None:
        while not over.is_set():
            create_topics(lab, {"incident-fleeting": (3, 3, {"min.insync.replicas": "2"})})
            delete_topics(lab, ["incident-fleeting"])

    turning = threading.Thread(target=turn)
    turning.start()
    try:
        yield Asked()
    finally:
        over.set()
        turning.join()


@contextmanager
def _slow_and_dead(lab: LabState) -> Iterator[Asked]:
    _lose(lab, 3)
    slow: AbstractContextManager[Asked] = by_proxies({2: {"delay": 0.7}})(lab)
    with slow as asked:
        yield asked


@contextmanager
def _bootstrap_dead(lab: LabState) -> Iterator[Asked]:
    _lose(lab, 1)
    yield Asked({"bootstrap.servers": lab.broker(1).address})


INCIDENTS = [
    Incident(
        "controller-hangs",
        "wrong",
        _controller_hangs,
        r"broker {N}\b|no controller answers.*not answering: broker {N}\b",  # until the others have elected another
        (*_DOWN, "broker-is-out-of-our-reach", "no-controller-is-active"),
    ),
    Incident(
        "single-copy-leader-down",
        "later",
        _single_leader_down,
        r"broker 3\b.*down",
        _DOWN,
        ("every-partition-has-a-leader", "topics-have-a-second-copy"),
    ),
    Incident(
        "offsets-below-minimum",
        "wrong",
        _offsets_below_minimum,
        r"broker 3\b.*down",
        _DOWN,
        ("partitions-take-writes",),
    ),
    Incident("advertised-port-wrong", "later", _wrong_port, r"broker 3\b.*refuses connections", _DOWN),
    Incident(
        "reassignment",
        "later",
        _fault("shrink-isr"),
        r"being moved.*payments",
        ("replicas-are-being-moved",),
        ("partitions-take-writes",),
    ),
    Incident("rolling-restart", "later", _rolling_restart, r"broker 2\b", _DOWN),
    Incident(
        "throttles-left", "silent", _throttled, r"payments.*(throttle|held back)", ("throttle-outlasts-its-move",)
    ),
    Incident(
        "throttled-and-behind",
        "wrong",
        _throttled_and_behind,
        r"payments.*(throttle|held back)",
        _THROTTLES,
        ("every-replica-is-in-sync",),
    ),
    Incident("crash-loop", "wrong", _crash_loop, r"broker 2\b", _DOWN, why="one look can't tell a crash from a loop"),
    Incident("topics-come-and-go", "unknown", _come_and_go, ""),
    Incident("slow-one-and-dead-one", "silent", _slow_and_dead, r"broker 3\b.*down", (*_DOWN, "broker-is-slow")),
    Incident("only-bootstrap-dead", "wrong", _bootstrap_dead, r"connection refused"),
]
