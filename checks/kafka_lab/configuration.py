"""How a lab's brokers are laid out and configured."""

import base64
import os
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kafka_lab import parts
from kafka_lab.ports import free_ports
from kafka_lab.state import LabBroker, LabState

RACKS = ("az-a", "az-b", "az-c")

# Settings that are the same on every broker. The cluster is small, yet configured as a production one should be:
# the built-in runbooks must find nothing to object to.
_SETTINGS = {
    "process.roles": "broker,controller",
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
    "controller.listener.names": "CONTROLLER",
    "inter.broker.listener.name": "PLAINTEXT",
    "default.replication.factor": 3,
    "min.insync.replicas": 2,
    "offsets.topic.replication.factor": 3,
    "transaction.state.log.replication.factor": 3,
    "transaction.state.log.min.isr": 2,
    "share.coordinator.state.topic.replication.factor": 3,
    "share.coordinator.state.topic.min.isr": 2,
    "unclean.leader.election.enable": "false",
    "auto.create.topics.enable": "false",
    "controlled.shutdown.enable": "true",
    "num.recovery.threads.per.data.dir": max(2, os.cpu_count() or 2),
    "log.retention.hours": 168,
    # Three brokers share one machine: few partitions, no waiting for members that never come.
    "num.partitions": 3,
    "offsets.topic.num.partitions": 6,
    "transaction.state.log.num.partitions": 3,
    "share.coordinator.state.topic.num.partitions": 3,
    "group.initial.rebalance.delay.ms": 0,
    # A frozen broker is fenced after 6 s, not 9: a game day shows its effect while people watch.
    "broker.session.timeout.ms": 6000,
    # The automatic return of leaders would undo the fault skew-leadership at a moment nobody can foresee.
    "leader.imbalance.check.interval.seconds": 3600,
    # Throttles average over hours, not 11 s: a throttled replica stays behind (fault shrink-isr) until healed.
    "replication.quota.window.size.seconds": 3600,
}

_LOGGING = """\
status = error
appender.file.type = RollingFile
appender.file.name = file
appender.file.fileName = ${sys:runbook.log}
appender.file.filePattern = ${sys:runbook.log}.%i
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %d{ISO8601} %p %m (%c{1})%n
appender.file.policies.type = Policies
appender.file.policies.size.type = SizeBasedTriggeringPolicy
appender.file.policies.size.size = 10MB
appender.file.strategy.type = DefaultRolloverStrategy
appender.file.strategy.max = 2
rootLogger.level = info
rootLogger.appenderRef.file.ref = file
"""


def planned(count: int, racks: Sequence[str] = RACKS) -> list[LabBroker]:
    """Plan this many brokers over the racks, each with free ports and a new directory id."""
    ports = free_ports(2 * count)
    return [
        LabBroker(
            number=place + 1,
            port=ports[2 * place],
            controller_port=ports[2 * place + 1],
            rack=racks[place % len(racks)],
            directory_id=new_id(),
        )
        for place in range(count)
    ]


def new_id() -> str:
    """Make an id as Kafka writes them: 22 characters of URL-safe base 64 that start with no hyphen."""
    while True:
        made = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        if not made.startswith("-"):
            return made


def settings_of(lab: LabState, broker: LabBroker) -> dict[str, Any]:
    """The broker's settings: the lab's, and what its parts put in their place."""
    settings = _SETTINGS | {
        "node.id": broker.number,
        "broker.rack": broker.rack,
        "listeners": f"PLAINTEXT://{broker.address},CONTROLLER://127.0.0.1:{broker.controller_port}",
        "advertised.listeners": f"PLAINTEXT://{broker.address}",
        "controller.quorum.bootstrap.servers": ",".join(
            f"127.0.0.1:{broker.controller_port}" for broker in lab.brokers
        ),
        "log.dirs": lab.data_of(broker),
    }
    settings |= parts.broker_settings(lab, broker)
    return {key: value for key, value in settings.items() if value is not None}


def controllers(lab: LabState) -> list[LabBroker]:
    """The brokers that are controllers too, in KRaft; none in ZooKeeper mode."""
    roles = [(broker, str(settings_of(lab, broker).get("process.roles", ""))) for broker in lab.brokers]
    return [broker for broker, has in roles if "controller" in has]


def write_configuration(lab: LabState, broker: LabBroker) -> None:
    """Write what the broker reads when it starts: its properties, and how it logs."""
    lab.log_of(broker).parent.mkdir(parents=True, exist_ok=True)
    _folder(lab).mkdir(parents=True, exist_ok=True)
    logging_file(lab).write_text(_LOGGING, encoding="utf-8")
    lines = [f"{key}={value}" for key, value in sorted(settings_of(lab, broker).items())]
    properties_file(lab, broker).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _folder(lab: LabState) -> Path:
    return Path(lab.folder, "config")


def logging_file(lab: LabState) -> Path:
    """Name the file that says how brokers log."""
    return _folder(lab) / "log4j2.properties"


def properties_file(lab: LabState, broker: LabBroker) -> Path:
    """Name the file of a broker's settings."""
    return _folder(lab) / f"broker-{broker.number}.properties"
