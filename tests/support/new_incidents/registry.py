"""Incidents of a schema registry of two instances that keeps everything in a topic."""

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import msgspec

from kafka_lab import LabState, deliveries, processes, registry
from kafka_lab.admin import change_settings
from kafka_lab.content import write_values
from kafka_lab.errors import LabError
from kafka_lab.processes import Process
from support.evidence.labs import kafka_lab
from support.new_incidents import Incident, Shape, plainly

_RUNBOOK: Final = "schema-governance"
_IN_FRONT: Final[list[ThreadingHTTPServer]] = []


def _lab(folder: Path) -> AbstractContextManager[LabState]:
    return kafka_lab("registry", folder, ["registry"])


def _instances(lab: LabState) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = lab.parts[registry.PART]["instances"]
    return found


def _process(instance: dict[str, Any]) -> Process:
    return msgspec.convert(instance["process"], Process)


def _stop(*numbers: int) -> Callable[[LabState], None]:
    def make(lab: LabState) -> None:
        for number in numbers:
            registry.stop_instance(_instances(lab)[number - 1])

    return make


def _start(*numbers: int) -> Callable[[LabState], None]:
    """Start instances as the lab has them."""

    def heal(lab: LabState) -> None:
        for number in numbers:
            instance = _instances(lab)[number - 1]
            registry.stop_instance(instance)
            _instances(lab)[number - 1] = registry.start_instance(lab, instance["ports"], number)
            lab.save()
        for number in numbers:
            registry.wait_for_instance(lab, _instances(lab)[number - 1], number)

    return heal


def _otherwise(number: int, *, wait: bool, **options: str) -> Callable[[LabState], None]:
    """Start an instance with other options: `apicurio_kafkasql_topic` for apicurio.kafkasql.topic."""

    def make(lab: LabState) -> None:
        instance = _instances(lab)[number - 1]
        words = Path(f"/proc/{_process(instance).pid}/cmdline").read_bytes().decode().split("\0")[:-1]
        registry.stop_instance(instance)
        names = {name.replace("__", "-").replace("_", "."): value for name, value in options.items()}
        kept = [word for word in words if not any(word.startswith(f"-D{name}=") for name in names)]
        command = [kept[0], *(f"-D{name}={value}" for name, value in names.items()), *kept[1:]]
        process = processes.start(
            command, output=registry.log_of(lab, number), folder=registry.software(lambda _: None)
        )
        instance["process"] = msgspec.to_builtins(process)
        lab.save()
        if wait:
            registry.wait_for_instance(lab, instance, number)
        else:
            time.sleep(15)

    return make


def _freeze(lab: LabState) -> None:
    processes.freeze(_process(_instances(lab)[0]))


def _thaw(lab: LabState) -> None:
    processes.thaw(_process(_instances(lab)[0]))


class _Refuses(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="gateway"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Nobody reads it."""


def _gateway(lab: LabState) -> None:
    """A gateway that wants a password stands where both instances stood."""
    for instance in _instances(lab):
        registry.stop_instance(instance)
        server = ThreadingHTTPServer(("127.0.0.1", instance["ports"]["api"]), _Refuses)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        _IN_FRONT.append(server)


def _no_gateway(lab: LabState) -> None:
    while _IN_FRONT:
        server = _IN_FRONT.pop()
        server.shutdown()
        server.server_close()
    _start(1, 2)(lab)


def _level(subject: str, level: str) -> Callable[[LabState], None]:
    return lambda lab: registry.set_level(lab, level, subject)


def _storage(**settings: str | None) -> Callable[[LabState], None]:
    named = {name.replace("_", "."): value for name, value in settings.items()}
    return lambda lab: change_settings(lab, "topic", {registry.STORAGE: named})


def _under_its_minimum(lab: LabState) -> None:
    change_settings(lab, "topic", {registry.STORAGE: {"min.insync.replicas": "3"}})
    processes.terminate(lab.broker(3).process, patience=0)
    time.sleep(10)


def _above_its_minimum(lab: LabState) -> None:
    change_settings(lab, "topic", {registry.STORAGE: {"min.insync.replicas": None}})
    plainly(3)(lab)


def _unknown_id(lab: LabState) -> None:
    """Records of another registry: their id is not known here."""
    write_values(lab, deliveries.TOPIC, [b"\0" + (4711).to_bytes(4, "big") + b"\x04ab"] * 6)


def _known_ids(lab: LabState) -> None:
    from kafka_lab.content import empty_topic

    empty_topic(lab, deliveries.TOPIC)
    deliveries.write(lab)


def _all_deleted(lab: LabState) -> None:
    subject = f"{deliveries.TOPIC}-value"
    registry.request("DELETE", registry.required(lab), f"/subjects/{subject}")
    with suppress(LabError):  # where soft deletions are off, the first one was for good
        registry.request("DELETE", registry.required(lab), f"/subjects/{subject}?permanent=true")


def _mode(mode: str) -> Callable[[LabState], None]:
    return lambda lab: registry.set_mode(lab, mode)


SHAPE = Shape(
    _lab,
    (
        Incident("registry-hangs", _RUNBOOK, _freeze, _thaw, "instance.*(answer|hang)|does not answer"),
        Incident("one-instance-killed", _RUNBOOK, _stop(2), _start(2), "(refuse|answer|down)"),
        Incident("read-only-left-on", _RUNBOOK, _mode("READONLY"), _mode("READWRITE"), "READONLY"),
        Incident(
            "one-subject-takes-anything",
            _RUNBOOK,
            _level("payments-value", "NONE"),
            _level("payments-value", registry.LEVEL),
            "payments-value",
        ),
        Incident(
            "its-topic-forgets",
            _RUNBOOK,
            _storage(cleanup_policy="delete", retention_ms="604800000"),
            _storage(cleanup_policy=None, retention_ms="-1"),
            "retention|forget|delete",
        ),
        Incident(
            "its-topic-under-its-minimum", _RUNBOOK, _under_its_minimum, _above_its_minimum, "min|in sync|kafkasql"
        ),
        Incident(
            "an-instance-of-another-topic",
            _RUNBOOK,
            _otherwise(2, wait=True, apicurio_kafkasql_topic="kafkasql-of-staging"),
            _start(2),
            "(differ|agree|same|not know)",
        ),
        Incident(
            "an-instance-cannot-reach-kafka",
            _RUNBOOK,
            _otherwise(2, wait=False, apicurio_kafkasql_bootstrap_servers="127.0.0.1:9"),
            _start(2),
            "(refuse|answer|down)",
        ),
        Incident("a-gateway-wants-a-password", _RUNBOOK, _gateway, _no_gateway, "401|password|credential|log ?in"),
        Incident("records-of-another-registry", _RUNBOOK, _unknown_id, _known_ids, "4711|deliveries"),
        Incident("schemas-deleted-that-records-need", _RUNBOOK, _all_deleted, _known_ids, "deliveries"),
        Incident("registry-is-gone", _RUNBOOK, _stop(1, 2), _start(1, 2), "(refuse|answer|down)"),
    ),
)
