"""A Connect cluster: the paths of its REST interface that are asked for, all by GET, and what it answered.

No value of a setting that may be a secret is among the answers.
"""

from collections.abc import Mapping
from typing import Any, Final, Protocol, runtime_checkable

from msgspec import Struct

from runbook.model.fact import Gap
from runbook.model.quantity import Milliseconds

WORKER: Final = "/"
NAMES: Final = "/connectors"
CONNECTORS: Final = "/connectors?expand=info&expand=status"
PLUGINS: Final = "/connector-plugins?connectorsOnly=false"


def read(path: str) -> str:
    """A request as it is published."""
    return f"GET {{worker}}{path}"


READS: Final = tuple(read(path) for path in (WORKER, NAMES, CONNECTORS, PLUGINS))
"""Everything a connection sends."""
RIGHT: Final = "Connect: GET on the REST interface of its workers"


def described(request: str) -> dict[str, Any]:
    """A request as HTTP has it."""
    return {"method": "GET", "path": request.removeprefix("GET {worker}")}


class WorkerAnswer(Struct, frozen=True, kw_only=True):
    """What a worker says of itself."""

    version: str
    commit: str
    kafka_cluster_id: str


class ErrorHandling(Struct, frozen=True, kw_only=True):
    """What a connector does with records that it can't process; None where a setting is a reference to elsewhere.

    Attributes:
        tolerance: `none` stops the task, `all` goes on without the record.
        topic: of dead letters; "" for none. Only sinks have one.
        replication_factor: with which Connect creates that topic where it is missing.
        headers: whether dead letters carry where they came from and why.
        log: whether errors are logged.
        log_messages: whether the log says which record it was.
        retry_ms: how long a failed operation is tried again; 0: never, -1: for ever.
        retry_delay_ms: the longest pause between tries.
    """

    tolerance: str | None
    topic: str | None
    replication_factor: int | None
    headers: bool | None
    log: bool | None
    log_messages: bool | None
    retry_ms: Milliseconds | None
    retry_delay_ms: Milliseconds | None


class Task(Struct, frozen=True, kw_only=True):
    """One task of a connector. `worker` is the id of who runs it; `trace` the first line of what went wrong, or ""."""

    connector: str
    number: int
    state: str
    worker: str
    trace: str


class Connector(Struct, frozen=True, kw_only=True):
    """A connector, as its configuration and its status tell.

    Attributes:
        type: source or sink.
        class_name: its plugin.
        version: of that; None where the release does not tell, before 4.1.
        state: RUNNING, PAUSED, STOPPED, FAILED, UNASSIGNED, RESTARTING.
        worker: the id of the worker that runs it.
        trace: the first line of what went wrong, or "".
        tasks: those that have a status.
        configured: how many tasks its configuration was divided into.
        tasks_max: the most that it may have; None if that is a reference to elsewhere.
        key_converter: "" where the worker's own is used.
        value_converter: the same.
        group: the consumer group of a sink; "" for a source.
        topics: that a sink reads; None if it reads by pattern.
        errors: see there.
        plain_secrets: names of settings that hold a credential as plain text.
        settings: of a connector of MirrorMaker, its whole configuration: None for a reference, hidden for a credential;
            empty for any other.
    """

    name: str
    type: str
    class_name: str
    version: str | None
    state: str
    worker: str
    trace: str
    tasks: tuple[Task, ...]
    configured: int
    tasks_max: int | None
    key_converter: str | None
    value_converter: str | None
    group: str | None
    topics: tuple[str, ...] | None
    errors: ErrorHandling
    plain_secrets: tuple[str, ...]
    settings: Mapping[str, str | None] = {}


class Plugin(Struct, frozen=True):
    """A plugin that a worker has: its class, its kind, and its version or "" if it has none."""

    class_name: str
    type: str
    version: str


@runtime_checkable
class TellsConnectors(Protocol):
    """What tells connectors with their configuration: a Connect cluster, and no file of a dedicated MirrorMaker."""

    def connectors(self) -> tuple[Mapping[str, Connector], list[Gap]]:
        """The connectors by name, and a gap for each of which nothing is told."""

    def release(self) -> tuple[int, ...] | None:
        """The release of Kafka that the workers have; None where none tells."""
