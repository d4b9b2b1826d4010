"""A Connect cluster: the paths of its REST interface that are asked for, all by GET, and what it answered.

No value of a setting that may be a secret is among the answers.
"""

from collections.abc import Mapping
from typing import Any, Final, Protocol, runtime_checkable

from msgspec import Struct

from runbook.model.fact import Gap

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


class Task(Struct, frozen=True, kw_only=True):
    """One task of a connector.

    `worker` is the id of who runs it; `trace` the first line of what went wrong, or ""; `transformation` the class
    of the transformation that threw it, or "".
    """

    connector: str
    number: int
    state: str
    worker: str
    trace: str
    transformation: str = ""


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
        group: the consumer group of a sink; "" for a source.
        topics: that a sink reads; None if it reads by pattern.
        plain_secrets: names of settings that hold a credential as plain text.
        config: its configuration as it was written, with credentials hidden.
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
    group: str | None
    topics: tuple[str, ...] | None
    plain_secrets: tuple[str, ...]
    config: Mapping[str, str]
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
