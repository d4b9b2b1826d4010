"""The Connect cluster of a lab: two workers, and the connectors that parts and faults give it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from kafka_lab import http, processes
from kafka_lab.admin import committed, delete_group
from kafka_lab.configuration import logging_file
from kafka_lab.errors import LabError
from kafka_lab.ports import free_ports
from kafka_lab.processes import Process
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until
from runbook.java import find_java

PART: Final = "connect"
COUNT: Final = 2
SOURCE: Final = "shipments-intake"
SINK: Final = "shipments-archive"
TOPIC: Final = "shipments"
DEAD_LETTERS: Final = "shipments.dlq"

_WITHIN = 120.0  # seconds; 12 on an idle machine
_REQUEST = 30.0
_GONE, _CONFLICT = 404, 409
_JSON = "org.apache.kafka.connect.json.JsonConverter"
_TEXT = "org.apache.kafka.connect.storage.StringConverter"
_SHIPMENTS = 20


class LabWorker(Struct):
    """One worker: its number, from 1, its port on 127.0.0.1, its process, and more options for its JVM."""

    number: int
    port: int
    process: Process | None = None
    options: list[str] = []

    @property
    def name(self) -> str:
        """Its name in the inventory."""
        return f"connect-{self.number}"

    @property
    def url(self) -> str:
        """Where its REST interface is."""
        return f"http://127.0.0.1:{self.port}"


def planned() -> list[LabWorker]:
    """Plan the workers, with free ports."""
    return [LabWorker(place + 1, port) for place, port in enumerate(free_ports(COUNT))]


def workers_of(lab: LabState) -> list[LabWorker]:
    """The workers of a lab.

    Raises:
        LabError: It has none.
    """
    state = lab.parts.get(PART)
    if not state:
        raise LabError(f"Lab {lab.name} has no Kafka Connect: {lab.anew_with(PART)}")
    return msgspec.convert(state["workers"], list[LabWorker])


def note(lab: LabState, workers: list[LabWorker]) -> None:
    """Write down how they are, so that any process can stop or mend them."""
    lab.parts[PART] = lab.parts[PART] | {"workers": msgspec.to_builtins(workers)}
    lab.save()


def folder(lab: LabState) -> Path:
    """Where connectors read and write files."""
    return Path(lab.folder, "data", "connect")


def start(lab: LabState, worker: LabWorker) -> None:
    """Start one worker. Does not wait until it answers."""
    log = log_of(lab, worker)
    log.parent.mkdir(parents=True, exist_ok=True)
    file = Path(lab.folder, "config", f"connect-{worker.number}.properties")
    lines = [f"{key}={value}" for key, value in sorted(_settings(lab, worker).items())]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [
        str(find_java()),
        "-Xmx160m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        *worker.options,
        f"-Dlog4j2.configurationFile={logging_file(lab)}",
        f"-Drunbook.log={log}",
        "-cp",
        f"{lab.parts[PART]['jars']}/*",
        "org.apache.kafka.connect.cli.ConnectDistributed",
        str(file),
    ]
    worker.process = processes.start(command, output=log.with_suffix(".out"), folder=Path(lab.folder))


def _settings(lab: LabState, worker: LabWorker) -> dict[str, Any]:
    group = lab.parts[PART].get("group", PART)
    return {
        "bootstrap.servers": lab.bootstrap,
        "group.id": group,
        "listeners": worker.url,
        "rest.advertised.host.name": "127.0.0.1",
        "rest.advertised.port": worker.port,
        "key.converter": _JSON,
        "value.converter": _JSON,
        "config.storage.topic": f"{group}-configs",
        "offset.storage.topic": f"{group}-offsets",
        "status.storage.topic": f"{group}-status",
        "plugin.discovery": "service_load",
        # Both are an hour's quarter by default; a game day shows their effect while people watch.
        "scheduled.rebalance.max.delay.ms": 3000,
        "offset.flush.interval.ms": 5000,
    }


def log_of(lab: LabState, worker: LabWorker) -> Path:
    """Name the file a worker writes its log to."""
    return Path(lab.folder, "logs", f"connect-{worker.number}.log")


def wait_for_workers(lab: LabState, workers: list[LabWorker]) -> None:
    """Wait until each worker answers and knows the connectors.

    Raises:
        LabError: One does not.
    """
    for worker in workers:
        what = f"Connect worker {worker.number} of lab {lab.name} to answer; its log is {log_of(lab, worker)}"
        wait_until(lambda one=worker: isinstance(_ask(one, "/connectors"), list), what, within=_WITHIN)  # type: ignore[misc]


def revive(lab: LabState) -> None:
    """Start what is stopped of the workers, and wait until all answer and every connector runs.

    Raises:
        LabError: They did not come back.
    """
    workers = workers_of(lab)
    for worker in workers:
        if processes.condition(worker.process) == "stopped":
            start(lab, worker)
            note(lab, workers)
    wait_for_workers(lab, workers)
    wait_for_tasks(lab)


def sink(topic: str, file: Path, **more: str) -> dict[str, str]:
    """The configuration of a connector that appends a topic's records, which are to be JSON, to a file."""
    return {
        "connector.class": "org.apache.kafka.connect.file.FileStreamSinkConnector",
        "tasks.max": "1",
        "topics": topic,
        "file": str(file),
        "key.converter": _TEXT,
        "value.converter": _JSON,
        "value.converter.schemas.enable": "false",
        **more,
    }


def shipments_sink(lab: LabState) -> dict[str, str]:
    """The configuration of the lab's sink, which does all that is asked of one: dead letters, told why, and logged."""
    return sink(
        TOPIC,
        folder(lab) / "archive.txt",
        **{
            "errors.tolerance": "all",
            "errors.log.enable": "true",
            "errors.log.include.messages": "false",
            "errors.retry.timeout": "60000",
            "errors.deadletterqueue.topic.name": DEAD_LETTERS,
            "errors.deadletterqueue.topic.replication.factor": "3",
            "errors.deadletterqueue.context.headers.enable": "true",
        },
    )


def give_connectors(lab: LabState) -> None:
    """Create the lab's two connectors, and return when their tasks run and shipments have come through.

    Raises:
        LabError: A worker refused, or they did not run.
    """
    files = folder(lab)
    files.mkdir(parents=True, exist_ok=True)
    intake = files / "shipments.jsonl"
    intake.write_text("".join(f'{{"shipment": {number}, "parcels": 2}}\n' for number in range(_SHIPMENTS)), "utf-8")
    source = {
        "connector.class": "org.apache.kafka.connect.file.FileStreamSourceConnector",
        "tasks.max": "1",
        "topic": TOPIC,
        "file": str(intake),
        "key.converter": _TEXT,
        "value.converter": _TEXT,
    }
    put_connector(lab, SOURCE, source)
    put_connector(lab, SINK, shipments_sink(lab))
    archive = files / "archive.txt"
    what = f"shipments to come through Connect; the log of a worker is {log_of(lab, workers_of(lab)[0])}"
    wait_until(lambda: archive.exists() and len(archive.read_bytes().splitlines()) >= _SHIPMENTS, what, within=_WITHIN)
    wait_until(lambda: committed(lab, f"connect-{SINK}", TOPIC) >= _SHIPMENTS, f"{SINK} to commit", within=_WITHIN)


def put_connector(lab: LabState, name: str, configuration: Mapping[str, str]) -> None:
    """Create a connector or change its configuration, and wait until its tasks run.

    Raises:
        LabError: A worker refused, or they did not run.
    """
    configure(lab, name, configuration)
    wait_for_state(lab, name, "RUNNING")


def configure(lab: LabState, name: str, configuration: Mapping[str, str]) -> None:
    """Create a connector or change its configuration. Does not wait for its tasks.

    Raises:
        LabError: A worker refused.
    """
    body = msgspec.json.encode(configuration)
    wait_until(lambda: bool(_change(lab, "PUT", f"/connectors/{name}/config", body)), f"{name} to be taken", within=60)


def restart_connector(lab: LabState, name: str) -> None:
    """Restart a connector with its tasks, which then count from 0, and wait until they run.

    Raises:
        LabError: A worker refused, or they did not run.
    """
    path = f"/connectors/{name}/restart?includeTasks=true"
    wait_until(lambda: _change(lab, "POST", path, b""), f"{name} to be restarted", within=60)
    wait_for_state(lab, name, "RUNNING")


def delete_connector(lab: LabState, name: str) -> None:
    """Delete a connector, if it is there, and the group of a sink, which Connect leaves behind.

    Raises:
        LabError: A worker refused, or the group went on.
    """
    wait_until(lambda: bool(_change(lab, "DELETE", f"/connectors/{name}", None)), f"{name} to be deleted", within=60)
    what = f"the group of {name} to be deleted"
    wait_until(lambda: delete_group(lab, f"connect-{name}"), what, within=60)


def change_connector(lab: LabState, name: str, configuration: Mapping[str, str]) -> None:
    """Change the configuration of a connector: it is stopped for that, so that no task goes on with the old one.

    Raises:
        LabError: A worker refused, or its tasks do not end or run again.
    """
    _stop(lab, name)
    configure(lab, name, configuration)
    resume(lab, name)


def retire_connector(lab: LabState, name: str) -> None:
    """Delete a connector, if it is there, once nothing of it runs any more: what it made may be deleted then.

    Raises:
        LabError: A worker refused, or it does not end.
    """
    if name in _ask(a_live_worker(lab), "/connectors"):
        _stop(lab, name)
    delete_connector(lab, name)


def _stop(lab: LabState, name: str) -> None:
    path = f"/connectors/{name}"
    wait_until(lambda: bool(_change(lab, "PUT", f"{path}/stop", None)), f"{name} to stop", within=60)

    def stopped() -> bool:
        status = _ask(a_live_worker(lab), f"{path}/status")
        return status["connector"]["state"] == "STOPPED" and not status["tasks"]

    wait_until(stopped, f"{name} and its tasks to end", within=_WITHIN)


def pause(lab: LabState, name: str) -> None:
    """Pause a connector, and wait until its tasks have heard it.

    Raises:
        LabError: A worker refused, or they go on.
    """
    wait_until(lambda: bool(_change(lab, "PUT", f"/connectors/{name}/pause", None)), f"{name} to pause", within=60)
    wait_for_state(lab, name, "PAUSED")


def resume(lab: LabState, name: str) -> None:
    """Let a connector go on, start its tasks again that failed, and wait until all run.

    Raises:
        LabError: A worker refused, or they do not run.
    """
    again = f"/connectors/{name}/restart?includeTasks=true&onlyFailed=true"
    for method, path in (("PUT", f"/connectors/{name}/resume"), ("POST", again)):
        wait_until(lambda: bool(_change(lab, method, path, None)), f"{name} to go on", within=60)  # noqa: B023
    wait_for_state(lab, name, "RUNNING")


def states(lab: LabState, name: str) -> list[str]:
    """The states of a connector's tasks, none where there is no such connector. As `asked`."""
    return [task["state"] for task in (asked(lab, f"/connectors/{name}/status") or {}).get("tasks", [])]


def places(lab: LabState, name: str) -> list[str]:
    """Where the tasks of a connector run: the address of a worker for each. As `asked`."""
    return [task["worker_id"] for task in (asked(lab, f"/connectors/{name}/status") or {}).get("tasks", [])]


def configuration(lab: LabState, name: str) -> dict[str, str]:
    """The configuration of a connector, as the workers have it; empty where there is no such connector. As `asked`."""
    return asked(lab, f"/connectors/{name}/config") or {}


def asked(lab: LabState, path: str) -> Any:
    """What a worker that lives answers; None where it knows of no such thing.

    Raises:
        LabError: No worker answered.
    """
    try:
        return _ask(a_live_worker(lab), path)
    except http.RefusedError as error:
        if error.status == _GONE:
            return None
        raise


def wait_for_state(lab: LabState, name: str, state: str, *, one: bool = False) -> None:
    """Wait until the tasks of a connector, at least one, are all in a state, or `one` of them is.

    Raises:
        LabError: They are not.
    """

    def reached() -> bool:
        tasks = _ask(a_live_worker(lab), f"/connectors/{name}/status")["tasks"]
        states = {task["state"] for task in tasks}
        return state in states if one else states == {state}

    wait_until(reached, f"the tasks of {name} to be {state}", within=_WITHIN)


def wait_for_tasks(lab: LabState) -> None:
    """Wait until every task runs on a worker that lives.

    Raises:
        LabError: One does not.
    """

    def reached() -> bool:
        alive = {
            f"127.0.0.1:{worker.port}" for worker in workers_of(lab) if processes.condition(worker.process) == "alive"
        }
        connectors = _ask(a_live_worker(lab), "/connectors?expand=status")
        tasks = [task for connector in connectors.values() for task in connector["status"]["tasks"]]
        return bool(tasks) and all(task["state"] == "RUNNING" and task["worker_id"] in alive for task in tasks)

    wait_until(reached, f"the tasks of Connect in lab {lab.name} to run", within=_WITHIN)


def a_live_worker(lab: LabState) -> LabWorker:
    """A worker whose process lives.

    Raises:
        LabError: There is none.
    """
    for worker in workers_of(lab):
        if processes.condition(worker.process) == "alive":
            return worker
    raise LabError(f"No Connect worker of lab {lab.name} is left")


def _change(lab: LabState, method: str, path: str, body: bytes | None) -> bool:
    """Whether it was done; while workers divide their work anew, it has to be asked again."""
    try:
        http.ask(a_live_worker(lab).url + path, method=method, body=body, within=_REQUEST)
    except http.RefusedError as error:
        if method == "DELETE" and error.status == _GONE:
            return True
        if error.status == _CONFLICT or error.status >= 500:  # noqa: PLR2004 - a server's own trouble
            raise LabError(f"Connect is not ready for it: HTTP {error.status}") from error
        raise
    return True


def _ask(worker: LabWorker, path: str) -> Any:
    return http.ask(worker.url + path, within=_REQUEST)
