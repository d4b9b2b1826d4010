"""Connect's answers, read. Nothing of them is quoted in messages: a configuration may hold passwords."""

import re
from typing import Any

import msgspec
from msgspec import Struct

from runbook.answers.connect import Connector, Plugin, Task, WorkerAnswer
from runbook.connections.connect import configuration
from runbook.formats import mirror_maker
from runbook.model.errors import Garbled
from runbook.safety.redaction import Redaction

_CAUSE = "Caused by: "
_LONGEST = 300  # characters of a trace's first line
_CHAIN = "org.apache.kafka.connect.runtime.TransformationChain"
_TRANSFORMED = re.compile(
    r"at (?:\S+/)?([\w.$]+)\.[\w$]+\(.*\)\s+"
    r"at org\.apache\.kafka\.connect\.runtime\.(?:TransformationStage|TransformationChain|PredicatedTransformation)\."
)


class _About(Struct):
    version: str
    commit: str = ""
    kafka_cluster_id: str = ""


class _State(Struct):
    state: str
    worker_id: str = ""
    trace: str = ""
    version: str | None = None


class _TaskState(_State, kw_only=True):
    id: int


class _Status(Struct):
    connector: _State
    tasks: list[_TaskState]


class _Info(Struct):
    name: str
    config: dict[str, str | None]
    tasks: list[Any]
    type: str = ""


class _Expanded(Struct):
    info: _Info
    status: _Status
    # A worker before 2.3 knows no `expand`, and answers with a list of names: no such thing.


class _Plugin(Struct, rename={"class_name": "class"}):
    class_name: str
    type: str
    version: str | None = None


def worker(body: bytes) -> WorkerAnswer:
    """Read what a worker says of itself.

    Raises:
        Garbled: it is no worker's answer.
    """
    about = _decoded(body, _About, "its version")
    return WorkerAnswer(version=about.version, commit=about.commit, kafka_cluster_id=about.kafka_cluster_id)


def names(body: bytes) -> list[str]:
    """Read the list of connectors.

    Raises:
        Garbled: it is none.
    """
    listed: list[str] = _decoded(body, list[str], "a list of connectors")
    return listed


def connectors(body: bytes) -> dict[str, Connector]:
    """Read the connectors with their configuration and status.

    Raises:
        Garbled: it is no answer to that.
    """
    expanded = _decoded(body, dict[str, _Expanded], "connectors with info and status, as workers do from Kafka 2.3 on")
    return {name: _connector(name, connector) for name, connector in expanded.items()}


def plugins(body: bytes) -> list[Plugin]:
    """Read a worker's plugins.

    Raises:
        Garbled: it is no list of them.
    """
    listed = _decoded(body, list[_Plugin], "a list of plugins")
    return [Plugin(plugin.class_name, plugin.type, plugin.version or "") for plugin in listed]


def _connector(name: str, expanded: _Expanded) -> Connector:
    given = {key: value for key, value in expanded.info.config.items() if value is not None}
    hidden = configuration.without_secrets(given)
    state = expanded.status.connector
    is_sink = expanded.info.type == "sink"
    return Connector(
        name=name,
        type=expanded.info.type,
        class_name=configuration.text(given, "connector.class") or "",
        version=state.version,
        state=state.state,
        worker=state.worker_id,
        trace=_first_line(state.trace, hidden, quotes_records=False),
        tasks=tuple(
            Task(
                connector=name,
                number=task.id,
                state=task.state,
                worker=task.worker_id,
                trace=_first_line(task.trace, hidden),
                transformation=_transformation(task.trace),
            )
            for task in expanded.status.tasks
        ),
        configured=len(expanded.info.tasks),
        group=configuration.group(given, name) if is_sink else "",
        topics=configuration.topics(given) if is_sink else (),
        plain_secrets=configuration.plain_secrets(given),
        config=configuration.harmless(given),
        settings=configuration.shown(given) if mirror_maker.kind_of(given.get("connector.class", "")) else {},
    )


def _first_line(trace: str, hidden: Redaction, *, quotes_records: bool = True) -> str:
    """What went wrong in a line, with its last cause; of that its class alone where its words often quote a record."""
    lines = [line.strip() for line in trace.splitlines()]
    causes = [line.removeprefix(_CAUSE) for line in lines if line.startswith(_CAUSE)]
    if quotes_records:
        causes = [cause.partition(":")[0] for cause in causes]
    first = next(iter(lines), "")
    said = f"{first} (cause: {causes[-1]})" if causes and causes[-1] not in first else first
    return hidden.text(said)[:_LONGEST]


def _transformation(trace: str) -> str:
    """Class of the transformation that threw, or "": Connect runs each below TransformationChain, and no converter."""
    if _CHAIN not in trace:
        return ""
    classes = [name for name in _TRANSFORMED.findall(trace) if not name.startswith("org.apache.kafka.connect.runtime.")]
    return classes[-1] if classes else _CHAIN


def _decoded(body: bytes, type_: Any, what: str) -> Any:
    try:
        return msgspec.json.decode(body, type=type_)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Garbled(f"did not answer as Connect does: it is no JSON of {what}") from None
