"""Incidents of five brokers in ZooKeeper mode, whose clients and brokers log in by SASL over TLS."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import kafka_lab as labs
from kafka_lab import LabState, processes, security, zookeeper
from kafka_lab.admin import change_settings, partitions
from kafka_lab.content import create_topics, delete_topics, write_ballast
from kafka_lab.parts import zookeeper as zookeeper_part
from kafka_lab.ports import free_ports
from kafka_lab.replicas import reassign
from kafka_lab.waiting import wait_until
from support.new_incidents import Incident, Shape, back, plainly, restart

_BROKERS: Final = 5
_USERS: Final = {"broker": "secret-of-brokers", security.READER: "secret-of-runbook"}
_LOGIN: Final = "org.apache.kafka.common.security.plain.PlainLoginModule required"
_FENCED: Final = 60.0  # a session lasts 18 s


def _settings(lab: LabState, number: int, ports: dict[int, int]) -> dict[str, Any]:
    """A listener for clients and brokers: SASL over TLS."""
    address = f"127.0.0.1:{ports[number]}"
    listeners = f"PLAINTEXT://{lab.broker(number).address},CLIENTS://{address}"
    users = " ".join(f'user_{name}="{password}"' for name, password in _USERS.items())
    clients = "listener.name.clients"
    return {
        "listeners": listeners,
        "advertised.listeners": listeners,
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CLIENTS:SASL_SSL",
        "inter.broker.listener.name": "CLIENTS",
        "sasl.mechanism.inter.broker.protocol": "PLAIN",
        f"{clients}.sasl.enabled.mechanisms": "PLAIN",
        f"{clients}.plain.sasl.jaas.config": f'{_LOGIN} username="broker" password="{_USERS["broker"]}" {users};',
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": security.folder(lab) / f"broker-{number}.pem",
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": security.folder(lab) / "ca.crt",
        "authorizer.class.name": "kafka.security.authorizer.AclAuthorizer",
        "super.users": ";".join(f"User:{name}" for name in ("ANONYMOUS", *_USERS)),
    }


@contextmanager
def _lab(folder: Path) -> Iterator[LabState]:
    """Five brokers in three racks, an ensemble of three; the lab's own part is told of one more listener."""
    ports = dict(zip(range(1, _BROKERS + 1), free_ports(_BROKERS), strict=True))
    part: Any = zookeeper_part
    prepare, own, connections = part.prepare, part.broker_settings, part.connections

    def certified(lab: LabState, progress: Any) -> dict[str, Any]:
        security.make_certificates(lab)
        state: dict[str, Any] = prepare(lab, progress)
        return state

    def reached(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
        password = security.folder(lab) / "runbook.password"
        password.touch(0o600)
        password.write_text(_USERS[security.READER], encoding="ascii")
        kafka = {
            "bootstrap.servers": ",".join(f"127.0.0.1:{port}" for port in ports.values()),
            "security.protocol": "SASL_SSL",
            "sasl.mechanism": "PLAIN",
            "sasl.username": security.READER,
            "sasl.password": {"file": str(password)},
            "ssl.ca.location": str(security.folder(lab) / "ca.crt"),
        }
        return {**connections(lab, state), "kafka": kafka}

    part.prepare = certified
    part.broker_settings = lambda lab, broker: own(lab, broker) | _settings(lab, broker.number, ports)
    part.connections = reached
    try:
        yield labs.up("five", home=folder, progress=lambda _: None, brokers=_BROKERS, with_parts=["zookeeper"])
    finally:
        labs.down("five", home=folder)
        part.prepare, part.broker_settings, part.connections = prepare, own, connections


def _kill_servers(*numbers: int) -> Any:
    def make(lab: LabState) -> None:
        servers = zookeeper.servers_of(lab)
        for server in servers:
            if server.number in numbers:
                processes.terminate(server.process, patience=0)
        zookeeper.note(lab, servers)
        if len(numbers) == 1:
            zookeeper.wait_for_ensemble(lab, servers, zookeeper.COUNT - 1)
        else:
            zookeeper.wait_for_loss(lab, servers)

    return make


def _revive(lab: LabState) -> None:
    zookeeper.revive(lab)
    back(lab)


def _without(lab: LabState, *numbers: int) -> None:
    """Wait until the cluster does without these brokers."""
    gone = set(numbers)
    wait_until(
        lambda: all(partition.leader not in gone for topic in partitions(lab).values() for partition in topic.values()),
        f"brokers {sorted(gone)} to be given up",
        within=_FENCED,
    )


def _kill(*numbers: int) -> Any:
    def make(lab: LabState) -> None:
        for number in numbers:
            processes.terminate(lab.broker(number).process, patience=0)
        time.sleep(25)  # longer than a session

    return make


def _start(*numbers: int) -> Any:
    return plainly(*numbers)


def _hang(lab: LabState) -> None:
    processes.freeze(lab.broker(2).process)
    time.sleep(25)


def _go_on(lab: LabState) -> None:
    processes.thaw(lab.broker(2).process)
    back(lab)


def _wrong_login(lab: LabState) -> None:
    """Broker 4 cannot log in to ZooKeeper: it comes to nothing."""
    wrong = Path(lab.folder, "config", "wrong-jaas.conf")
    right = Path(lab.folder, "config", "zookeeper-jaas.conf").read_text("utf-8")
    wrong.write_text(right.replace('password="', 'password="x'), encoding="utf-8")

    def words(arguments: list[str]) -> list[str]:
        login = "-Djava.security.auth.login.config="
        return [f"{login}{wrong}" if word.startswith(login) else word for word in arguments]

    restart(lab, 4, words=words, wait=False)
    time.sleep(25)


def _one_rack(lab: LabState) -> None:
    create_topics(lab, {"ledger": (1, 2, {"min.insync.replicas": "1"})})
    reassign(lab, {("ledger", 0): [1, 4]})  # both stand in az-a
    back(lab)


def _gone(topic: str) -> Any:
    return lambda lab: delete_topics(lab, [topic])


def _stuck(lab: LabState) -> None:
    """A move that a throttle of one byte a second holds up."""
    create_topics(lab, {"archive": (2, 3, {})})
    back(lab)
    write_ballast(lab, "archive", [0, 1], 3_000_000)
    there = {number: partition.replicas for number, partition in partitions(lab)["archive"].items()}
    throttled = {"leader.replication.throttled.replicas": "*", "follower.replication.throttled.replicas": "*"}
    change_settings(lab, "topic", {"archive": throttled})
    rates = {"leader.replication.throttled.rate": "1", "follower.replication.throttled.rate": "1"}
    change_settings(lab, "broker", {str(broker.number): dict(rates) for broker in lab.brokers})
    new = {number: [broker for broker in range(1, 6) if broker not in old][:1] for number, old in there.items()}
    reassign(lab, {("archive", number): [*old[:2], *new[number]] for number, old in there.items()})
    time.sleep(4)


def _unstuck(lab: LabState) -> None:
    rates = ("leader.replication.throttled.rate", "follower.replication.throttled.rate")
    change_settings(lab, "broker", {str(broker.number): dict.fromkeys(rates) for broker in lab.brokers})
    topic = dict.fromkeys(("leader.replication.throttled.replicas", "follower.replication.throttled.replicas"))
    change_settings(lab, "topic", {"archive": topic})
    back(lab)
    delete_topics(lab, ["archive"])


def _skew(lab: LabState) -> None:
    """Every broker but the first is restarted after another: it leads what it got, and nobody gives it back."""
    for number in (2, 3, 4):
        restart(lab, number)


def _even(lab: LabState) -> None:
    from kafka_lab.admin import preferred_leaders

    preferred_leaders(lab)
    back(lab)


def _too_many_asked(lab: LabState) -> None:
    create_topics(lab, {"settlements": (3, 3, {"min.insync.replicas": "4"})})


SHAPE = Shape(
    _lab,
    (
        Incident("one-zookeeper-lost", "ha", _kill_servers(2), _revive, "zk-2"),
        Incident("broker-killed", "ha", _kill(3), _start(3), "broker 3 .*down"),
        Incident("wrong-login-at-zookeeper", "ha", _wrong_login, _start(4), "broker 4 .*down"),
        Incident("broker-hangs-past-its-session", "ha", _hang, _go_on, "broker 2 .*(hang|answer)"),
        Incident("copies-in-one-rack", "ha", _one_rack, _gone("ledger"), "ledger"),
        Incident(
            "one-broker-speaks-an-older-protocol",
            "ha",
            lambda lab: restart(lab, 5, {"inter.broker.protocol.version": "3.8"}),
            plainly(5),
            "inter.broker.protocol",
        ),
        Incident("reassignment-held-up-by-a-throttle", "ha", _stuck, _unstuck, "throttle|archive"),
        Incident("leaders-are-not-where-they-belong", "ha", _skew, _even, "(preferred|leads)"),
        Incident("more-copies-asked-than-there-are", "ha", _too_many_asked, _gone("settlements"), "settlements"),
        Incident("two-brokers-of-a-rack-killed", "ha", _kill(1, 4), _start(1, 4), "az-a"),
        Incident(
            "ensemble-lost-its-majority", "ha", _kill_servers(1, 2), _revive, "(ZooKeeper|ensemble).*(majority|quorum)"
        ),
    ),
)
