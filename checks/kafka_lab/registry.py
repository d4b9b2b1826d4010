"""The lab's Schema Registry: its software, its instances, what it holds, and how faults change that."""

from pathlib import Path
from typing import Any, Final

import msgspec

from kafka_lab import http, processes
from kafka_lab.errors import LabError
from kafka_lab.jars import Jar, Wanted, fetch_jars
from kafka_lab.processes import Process
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until
from runbook.folders import cache_folder
from runbook.java import find_java

PART: Final = "registry"
STORAGE: Final = "kafkasql-journal"
"""The topic in which this registry keeps everything."""
LEVEL: Final = "FULL_TRANSITIVE"
"""The compatibility that holds in the healthy lab."""

VERSION = "3.3.3"
JAVA: Final = 21
"""The oldest Java that can run it."""

_READY_WITHIN = 180.0  # a machine that is busy takes its time
_NOT_THERE = 404
_WANTED = Wanted(
    f"Apicurio Registry {VERSION}",
    f"apicurio-registry-{VERSION}",
    "160 MB",
    (Jar("io.apicurio", "apicurio-registry-app", VERSION, transitive=False, classifier="all", kind="tar.gz"),),
)


def software(progress: Any) -> Path:
    """Give the folder with the registry's program; fetches it when it is not there yet.

    Raises:
        LabError: it could not be fetched.
    """
    return fetch_jars(_WANTED, cache_folder(), progress)


def url(port: int) -> str:
    """Where an instance speaks Confluent's REST API."""
    return f"http://127.0.0.1:{port}/apis/ccompat/v7"


def start_instance(lab: LabState, ports: dict[str, int], number: int) -> dict[str, Any]:
    """Start an instance that keeps its things in the lab's Kafka. Does not wait.

    Args:
        lab: the lab.
        ports: `api` and `management`.
        number: of the instance, from 1.
    """
    home = software(lambda _: None)
    options = {
        "quarkus.http.host": "127.0.0.1",
        "quarkus.http.port": ports["api"],
        "quarkus.management.host": "127.0.0.1",
        "quarkus.management.port": ports["management"],
        "apicurio.storage.kind": "kafkasql",
        "apicurio.kafkasql.bootstrap.servers": lab.bootstrap,
    }
    command = [
        str(find_java(JAVA)),
        *("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
        *(f"-D{name}={value}" for name, value in options.items()),
        *("-jar", str(home / "quarkus-run.jar")),
    ]
    process = processes.start(command, output=log_of(lab, number), folder=home)
    return {"ports": ports, "process": msgspec.to_builtins(process)}


def log_of(lab: LabState, number: int) -> Path:
    """The log of an instance."""
    return Path(lab.folder, "logs", f"registry-{number}.log")


def wait_for_instance(lab: LabState, instance: dict[str, Any], number: int) -> None:
    """Wait until an instance answers.

    Raises:
        LabError: it did not.
    """
    wait_until(
        lambda: request("GET", url(instance["ports"]["api"]), "/config") is not None,
        f"instance {number} of the Schema Registry to answer; its log is {log_of(lab, number)}",
        within=_READY_WITHIN,
    )


def stop_instance(instance: dict[str, Any]) -> None:
    """Stop an instance."""
    processes.terminate(msgspec.convert(instance["process"], Process), patience=0)


def required(lab: LabState) -> str:
    """Where the lab's registry is.

    Raises:
        LabError: it has none.
    """
    if PART not in lab.parts:
        raise LabError(f"Lab {lab.name} has no Schema Registry: {lab.anew_with(PART)}")
    return url(lab.parts[PART]["instances"][0]["ports"]["api"])


def register(lab: LabState, subject: str, schema: str, kind: str = "AVRO") -> int:
    """Register a version of a subject; gives the schema's id.

    Raises:
        LabError: the registry refused.
    """
    place, body = f"/subjects/{subject}/versions", {"schema": schema, "schemaType": kind}
    try:
        answer = request("POST", required(lab), place, body)
    except http.RefusedError:
        raise
    except LabError:
        # Seen once, on a busy machine: its log told of a 200, and the connection ended without an answer. What is
        # registered already has the same id when it is asked for again.
        answer = request("POST", required(lab), place, body)
    return int(answer["id"])


def set_level(lab: LabState, level: str, subject: str = "") -> None:
    """Set the compatibility of a subject, or of the whole registry.

    Raises:
        LabError: the registry refused.
    """
    request("PUT", required(lab), f"/config/{subject}".rstrip("/"), {"compatibility": level})


def set_mode(lab: LabState, mode: str) -> None:
    """Set the mode of the whole registry.

    Raises:
        LabError: the registry refused.
    """
    request("PUT", required(lab), "/mode", {"mode": mode})


def delete_version(lab: LabState, subject: str, version: int | str) -> None:
    """Delete a version of a subject.

    Raises:
        LabError: the registry refused.
    """
    request("DELETE", required(lab), f"/subjects/{subject}/versions/{version}")


def request(method: str, address: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """Send a request to a registry; gives what its JSON says.

    Raises:
        LabError: it refused, or can't be reached.
    """
    data = None if body is None else msgspec.json.encode(body)
    return http.ask(address + path, method=method, body=data, kind="application/vnd.schemaregistry.v1+json")


def addresses(lab: LabState) -> list[str]:
    """Where each instance of the lab's registry is.

    Raises:
        LabError: it has none.
    """
    required(lab)
    return [url(instance["ports"]["api"]) for instance in lab.parts[PART]["instances"]]


def answers(lab: LabState, path: str) -> list[Any]:
    """What each instance answers to a GET; None where it knows of no such thing.

    Raises:
        LabError: one did not answer, or refused for another reason.
    """
    return [_known(address, path) for address in addresses(lab)]


def _known(address: str, path: str) -> Any:
    try:
        return request("GET", address, path)
    except http.RefusedError as error:
        if error.status == _NOT_THERE:
            return None
        raise
