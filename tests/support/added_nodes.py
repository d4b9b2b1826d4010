"""Nodes that a lab gets beside its own: brokers, or brokers that are controllers too, each in a folder of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from kafka_lab import LabState, processes
from kafka_lab.admin import metadata
from kafka_lab.configuration import logging_file, settings_of
from kafka_lab.ports import free_ports
from kafka_lab.processes import Process
from kafka_lab.waiting import wait_until
from runbook.java import find_java


class Node(Struct):
    """A node that is not in the lab's own list.

    Attributes:
        number: its node id.
        folder: what it has.
        settings: the file that it is formatted and started with.
    """

    number: int
    folder: Path
    settings: Path
    process: Process | None = None

    def start(self, lab: LabState) -> None:
        """Start it, formatted as it is, unless it runs. Does not wait for it."""
        if processes.condition(self.process) != "stopped":
            return
        command = [
            *(str(find_java()), "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            f"-Dlog4j2.configurationFile={logging_file(lab)}",
            f"-Drunbook.log={self.folder / 'node.log'}",
            *("-cp", f"{lab.jars}/*", "kafka.Kafka", str(self.settings)),
        ]
        self.process = processes.start(command, output=self.folder / "node.out", folder=self.folder)

    def joins(self, lab: LabState, within: float) -> None:
        """Start it, and wait until the cluster lists it as a broker."""
        self.start(lab)
        wait_until(lambda: self.number in metadata(lab, lab.bootstrap).brokers, "the broker to join", within=within)

    def stop(self, patience: float = 0) -> None:
        """Stop it; without patience it is killed."""
        if self.process is not None:
            processes.terminate(self.process, patience=patience)


@contextmanager
def added_nodes(lab: LabState, folder: Path, racks: dict[int, str], *, roles: str) -> Iterator[list[Node]]:
    """Nodes with the lab's settings in these racks, written down and not yet formatted; none runs in the end.

    Args:
        lab: the lab.
        folder: in which each gets its own, node-4 and so on, with a file server.properties.
        racks: node id -> rack.
        roles: their process.roles.
    """
    nodes = [_written(lab, folder / f"node-{number}", number, rack, roles=roles) for number, rack in racks.items()]
    try:
        yield nodes
    finally:
        for node in nodes:
            node.stop()


def _written(lab: LabState, folder: Path, number: int, rack: str, *, roles: str) -> Node:
    folder.mkdir()
    ports = dict(zip(("broker", "controller"), free_ports(2), strict=True))
    names = {"broker": "PLAINTEXT", "controller": "CONTROLLER"}
    listeners = ",".join(f"{names[role]}://127.0.0.1:{ports[role]}" for role in roles.split(","))
    settings = settings_of(lab, lab.brokers[0]) | {
        "node.id": number,
        "process.roles": roles,
        "broker.rack": rack,
        "listeners": listeners,
        "advertised.listeners": listeners,
        "log.dirs": folder / "data",
    }
    file = folder / "server.properties"
    file.write_text("".join(f"{name}={value}\n" for name, value in settings.items()), "utf-8")
    return Node(number, folder, file)
