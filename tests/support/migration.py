"""A lab in ZooKeeper mode on its way to KRaft: controllers beside it, and its brokers' settings as people edit them."""

import re
import shlex
import subprocess
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from kafka_lab import LabState, processes, zookeeper
from kafka_lab.configuration import new_id, properties_file, settings_of
from kafka_lab.ports import free_ports
from kafka_lab.processes import Process
from kafka_lab.state import LabBroker
from kafka_lab.waiting import wait_until
from kafka_lab.zookeeper_logins import login_options
from runbook.java import find_java

DONE: Final = "Completed migration of metadata from ZooKeeper to KRaft"
"""What the active controller logs when ZooKeeper's metadata is in its own log (KRaftMigrationDriver, Kafka 3.9)."""
_MIGRATION: Final = "zookeeper.metadata.migration.enable"
_FIRST: Final = 3001  # of the controllers' node ids: brokers have others, and keep them
_TOPICS: Final = (
    "default.replication.factor",
    "min.insync.replicas",
    "num.partitions",
    "unclean.leader.election.enable",
)
"""What new topics get, which the active controller decides in KRaft."""
_TOOL = 60.0  # seconds; the tools wait for that long where nobody answers
_IN_ORDER = 60.0  # seconds for a controller to end
_KEEPS_UP = 180.0  # seconds; a busy machine takes its time
_LAG = 3  # column of a controller's lag, behind node, directory and end
_OF_ZOOKEEPER: Final = ("broker.id", "inter.broker.protocol.version", _MIGRATION)


class Controller(Struct):
    """A controller that is no broker, in a folder of its own."""

    number: int
    port: int
    directory_id: str
    folder: Path
    process: Process | None = None

    @property
    def log(self) -> Path:
        """The file it writes its log to."""
        return self.folder / "controller.log"


class Migration:
    """The brokers of a lab, and three controllers beside them, in each of the modes that they go through."""

    def __init__(self, lab: LabState, folder: Path) -> None:
        """Plan the controllers; nothing is written yet."""
        self.lab = lab
        ports = free_ports(3)
        self.controllers = [
            Controller(_FIRST + place, port, new_id(), folder / f"controller-{_FIRST + place}")
            for place, port in enumerate(ports)
        ]
        self._before = {broker.number: settings_of(lab, broker) for broker in lab.brokers}

    @property
    def addresses(self) -> str:
        """The controllers, as brokers are told of them."""
        return ",".join(f"127.0.0.1:{controller.port}" for controller in self.controllers)

    @property
    def voters(self) -> str:
        """The first voters, as the storage tool is told of them."""
        return ",".join(
            f"{controller.number}@127.0.0.1:{controller.port}:{controller.directory_id}"
            for controller in self.controllers
        )

    def write_controllers(self, *, migrating: bool) -> None:
        """Write what controllers read when they start: with ZooKeeper, or without it."""
        some_broker = next(iter(self._before.values()))
        for controller in self.controllers:
            settings = self._quorum() | {
                "process.roles": "controller",
                "node.id": controller.number,
                "listeners": f"CONTROLLER://127.0.0.1:{controller.port}",
                "inter.broker.listener.name": "PLAINTEXT",
                "log.dirs": controller.folder / "data",
                **{name: some_broker[name] for name in _TOPICS},
            }
            if migrating:
                settings |= {_MIGRATION: "true", **_of_zookeeper(some_broker)}
            controller.folder.mkdir(exist_ok=True)
            _write(controller.folder / "controller.properties", settings)

    def start_controller(self, controller: Controller) -> None:
        """Start a formatted controller, unless it runs. Does not wait for it."""
        if processes.condition(controller.process) != "stopped":
            return
        command = [
            *(str(find_java()), "-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            *zookeeper.logging_options(self.lab),
            *login_options(self.lab),
            f"-Drunbook.log={controller.log}",
            *("-cp", f"{self.lab.jars}/*", "kafka.Kafka", str(controller.folder / "controller.properties")),
        ]
        controller.process = processes.start(
            command, output=controller.folder / "controller.out", folder=controller.folder
        )

    def restart_controllers(self, path: Path) -> None:
        """Restart one after the other, the active one last; each keeps up before the next one goes.

        Args:
            path: where Kafka's tools are.
        """
        active = self.leader(path)
        for controller in sorted(self.controllers, key=lambda other: other.number == active):
            processes.terminate(controller.process, patience=_IN_ORDER)
            self.start_controller(controller)
            wait_until(
                partial(self.keeps_up, controller, path), f"controller {controller.number} to keep up", within=_KEEPS_UP
            )

    def is_done(self) -> bool:
        """Whether a controller says that it has all of ZooKeeper's metadata."""
        return any(
            controller.log.exists() and DONE in controller.log.read_text("utf-8", "replace")
            for controller in self.controllers
        )

    def leader(self, path: Path) -> int | None:
        """The controller that leads, as the controllers say; None if they do not say.

        Args:
            path: where Kafka's tools are.
        """
        found = re.search(r"LeaderId:\s+(\d+)", self._asked(path, "--status"))
        return int(found[1]) if found else None

    def elects_until(self, path: Path, epoch: int) -> None:
        """Restart whoever leads the controllers, until they are in this epoch, each election being one.

        Args:
            path: where Kafka's tools are.
            epoch: of their quorum.
        """

        def another_leads(than: int | None) -> bool:
            return self.leader(path) not in (None, than)

        while self._epoch(path) < epoch:
            leader = self.leader(path)
            for controller in self.controllers:
                if controller.number == leader:
                    processes.terminate(controller.process, patience=_IN_ORDER)
                    wait_until(partial(another_leads, leader), "another controller to lead", within=_KEEPS_UP)
                    self.start_controller(controller)
                    wait_until(partial(self.keeps_up, controller, path), "it to keep up", within=_KEEPS_UP)

    def _epoch(self, path: Path) -> int:
        found = re.search(r"LeaderEpoch:\s+(\d+)", self._asked(path, "--status"))
        return int(found[1]) if found else 0

    def keeps_up(self, controller: Controller, path: Path) -> bool:
        """Whether a controller has all that the leader has but the newest record; that grows by two a second."""
        rows = [line.split() for line in self._asked(path, "--replication").splitlines()]
        return any(row[0] == str(controller.number) and int(row[_LAG]) <= 1 for row in rows if len(row) > _LAG)

    def _asked(self, path: Path, what: str) -> str:
        """What the controllers say of their quorum; nothing where none answers."""
        command = [str(path / "kafka-metadata-quorum.sh"), "--bootstrap-controller", self.addresses, "describe", what]
        try:
            return subprocess.run(command, capture_output=True, text=True, timeout=_TOOL, check=False).stdout
        except subprocess.TimeoutExpired:
            return ""

    def in_migration_mode(self, broker: LabBroker) -> None:
        """Write a broker's settings: in ZooKeeper mode, and known to the controllers."""
        more = {_MIGRATION: "true", "inter.broker.protocol.version": "3.9"}
        self._of(broker, self._before[broker.number] | self._quorum() | more)

    def in_zookeeper_mode(self, broker: LabBroker) -> None:
        """Write a broker's settings: as they were before."""
        self._of(broker, self._before[broker.number])

    def in_kraft(self, broker: LabBroker) -> None:
        """Write a broker's settings: in KRaft mode."""
        kept = {
            name: value
            for name, value in self._before[broker.number].items()
            if not name.startswith("zookeeper.") and name not in _OF_ZOOKEEPER
        }
        self._of(broker, kept | self._quorum() | {"process.roles": "broker", "node.id": broker.number})

    def stop_controllers(self, *, patience: float) -> None:
        """End them all, each within some seconds."""
        for controller in self.controllers:
            processes.terminate(controller.process, patience=patience)

    def tools(self, path: Path) -> None:
        """Put beside Kafka's other tools those that must be of the brokers' release."""
        for name, words in {
            "kafka-storage.sh": ["kafka.tools.StorageTool"],
            "zookeeper-shell.sh": ["org.apache.zookeeper.ZooKeeperMainWithTlsSupportForKafka", "-server"],
        }.items():
            quiet = [*zookeeper.logging_options(self.lab), f"-Drunbook.log={path / 'tools.log'}"]
            command = [str(find_java()), *quiet, *login_options(self.lab), "-cp", f"{self.lab.jars}/*", *words]
            (path / name).write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n', "utf-8")
            (path / name).chmod(0o755)

    def _quorum(self) -> dict[str, Any]:
        return {
            "controller.quorum.bootstrap.servers": self.addresses,
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        }

    def _of(self, broker: LabBroker, settings: Mapping[str, Any]) -> None:
        _write(properties_file(self.lab, broker), settings)


def _of_zookeeper(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name.startswith("zookeeper.")}


def _write(file: Path, settings: Mapping[str, Any]) -> None:
    file.write_text("".join(f"{name}={value}\n" for name, value in sorted(settings.items())), "utf-8")
