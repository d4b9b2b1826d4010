"""ZooKeeper mode: Kafka 3.9, the last release that knows it, with an ensemble of three ZooKeeper servers."""

from typing import Any, Final

from kafka_lab import processes, zookeeper
from kafka_lab.admin import metadata
from kafka_lab.jars import Jar, Release, Wanted
from kafka_lab.parts import Progress
from kafka_lab.state import LabBroker, LabState
from kafka_lab.zookeeper_logins import login_options

HELP: Final = "Kafka 3.9 in ZooKeeper mode, with three ZooKeeper servers, instead of KRaft"

_KAFKA = "3.9.1"
_JETTY = "9.4.53.v20231009"  # that ZooKeeper's own release names; Kafka leaves it out, and so the admin server
RELEASE: Final = Release(
    _KAFKA,
    Wanted(
        f"Kafka {_KAFKA} with ZooKeeper",
        f"kafka-{_KAFKA}-zookeeper",
        "50 MB",
        (
            Jar("org.apache.kafka", "kafka_2.13", _KAFKA),
            Jar("ch.qos.reload4j", "reload4j", "1.2.25"),
            Jar("org.slf4j", "slf4j-reload4j", "1.7.36"),
            Jar("org.eclipse.jetty", "jetty-server", _JETTY),
            Jar("org.eclipse.jetty", "jetty-servlet", _JETTY),
        ),
    ),
)
_ONLY_KRAFT = (
    "process.roles",
    "node.id",
    "controller.listener.names",
    "controller.quorum.bootstrap.servers",
    "listener.security.protocol.map",
    "broker.session.timeout.ms",
    "share.coordinator.state.topic.replication.factor",
    "share.coordinator.state.topic.min.isr",
    "share.coordinator.state.topic.num.partitions",
)


def prepare(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Start the servers, and return when one leads and the others follow: brokers need them.

    Raises:
        LabError: they did not find together.
    """
    servers = zookeeper.planned()
    progress(f"Starting {len(servers)} ZooKeeper servers")
    zookeeper.write_configuration(lab, servers)
    for server in servers:
        zookeeper.start(lab, server)
        zookeeper.note(lab, servers)
    zookeeper.wait_for_ensemble(lab, servers, len(servers))
    return lab.parts[zookeeper.PART]


def broker_settings(lab: LabState, broker: LabBroker) -> dict[str, Any]:
    """Where the ensemble is, in place of what a KRaft broker is told."""
    addresses = ",".join(server.address for server in zookeeper.servers_of(lab))
    return dict.fromkeys(_ONLY_KRAFT) | {
        "broker.id": broker.number,
        "listeners": f"PLAINTEXT://{broker.address}",
        "zookeeper.connect": f"{addresses}{zookeeper.chroot(lab)}",
        "zookeeper.set.acl": "true",
        "zookeeper.session.timeout.ms": 18000,  # the default, said; shorter ones are findings of their own
    }


def jvm_options(lab: LabState, broker: LabBroker) -> list[str]:
    """Kafka of that age logs by log4j 1; brokers log in to ZooKeeper."""
    del broker
    return [*zookeeper.logging_options(lab), *login_options(lab)]


def start(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Learn which id the cluster gave itself: in ZooKeeper mode nobody can choose it."""
    del progress
    lab.cluster_id = metadata(lab, lab.bootstrap).cluster_id
    return lab.parts[zookeeper.PART]


def stop(lab: LabState, state: dict[str, Any]) -> None:
    """End the servers; their data goes with the lab's."""
    del state
    for server in zookeeper.servers_of(lab):
        processes.terminate(server.process, patience=0)


def connections(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """How the inventory reaches them. Racks and machines are what they stand for."""
    del state
    places = {
        server.name: {
            "address": server.address,
            "rack": server.rack,
            "machine": f"machine-of-{server.name}",
        }
        for server in zookeeper.servers_of(lab)
    }
    return {"zookeeper": {"servers": places, "chroot": zookeeper.chroot(lab)}}
