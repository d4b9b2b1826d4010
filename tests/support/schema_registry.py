"""A real Schema Registry, in memory, asked what it says of pairs of schemas; the one that the lab has."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from kafka_lab import processes, registry
from kafka_lab.errors import LabError
from kafka_lab.ports import free_ports
from kafka_lab.waiting import wait_until
from runbook.java import find_java
from support.schema_pairs import COMPATIBLE, INCOMPATIBLE, Pair

_READY_WITHIN = 240.0  # a machine that is busy takes its time


@contextmanager
def schema_registry(folder: Path) -> Iterator[str]:
    """The address of a registry of its own; ended afterwards.

    Raises:
        LabError: its software or Java can't be had, or it did not come up.
    """
    home = registry.software(lambda _: None)
    api, management = free_ports(2)
    options = {
        "quarkus.http.host": "127.0.0.1",
        "quarkus.http.port": api,
        "quarkus.management.host": "127.0.0.1",
        "quarkus.management.port": management,
    }
    command = [
        str(find_java(registry.JAVA)),
        *("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
        *(f"-D{name}={value}" for name, value in options.items()),
        *("-jar", str(home / "quarkus-run.jar")),
    ]
    process = processes.start(command, output=folder / "registry.log", folder=home)
    try:
        wait_until(lambda: _answers(registry.url(api)), "the Schema Registry to answer", within=_READY_WITHIN)
        yield registry.url(api)
    finally:
        processes.terminate(process, patience=0)


def _answers(address: str) -> bool:
    try:
        return registry.request("GET", address, "/config") is not None
    except LabError:
        return False


def verdicts(address: str, pairs: list[Pair]) -> list[str]:
    """What the registry says of each pair: may the reader's schema follow the writer's, where backward is asked for."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda numbered: _verdict(address, *numbered), enumerate(pairs)))


def _verdict(address: str, number: int, pair: Pair) -> str:
    subject = f"{pair.kind.lower()}-{number}"
    kind = {"schemaType": pair.kind}
    registry.request("POST", address, f"/subjects/{subject}/versions", {"schema": pair.writer, **kind})
    registry.request("PUT", address, f"/config/{subject}", {"compatibility": "BACKWARD"})
    path = f"/compatibility/subjects/{subject}/versions/latest"
    answer = registry.request("POST", address, path, {"schema": pair.reader, **kind})
    return COMPATIBLE if answer["is_compatible"] else INCOMPATIBLE
