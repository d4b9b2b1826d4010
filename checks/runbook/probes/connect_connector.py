"""Each connector: how it is, how it handles what it can't process, and which credentials it bares."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Final

from runbook.answers.connect import CONNECTORS, NAMES, RIGHT, WORKER, Connector, read
from runbook.formats.declared import Means, at, by, setting
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Milliseconds
from runbook.model.row import Cell, Row, row_of

if TYPE_CHECKING:
    from runbook.connections.connect import Connect


_CONNECT: Final = "default of Connect's ConnectorConfig or SinkConnectorConfig, 2.0 to 4.3"
_OFF: Final = Means(value=False, because=_CONNECT)
_NONE: Final = Means("", _CONNECT)


def _tolerance(config: Mapping[str, str]) -> str | None:
    value = config.get("errors.tolerance", "none")
    return None if "${" in value else value.strip().lower()


class ConnectConnector(Row):
    """A connector."""

    connector: Annotated[str, Cell("Name.", key=True, entity="connector")] = at("name")
    type: Annotated[str, Cell("source or sink.")] = at("type")
    plugin: Annotated[str, Cell("Its class.")] = at("class_name")
    version: Annotated[str | None, Cell("Version of its class; unknown before Kafka 4.1, which does not tell.")] = at(
        "version"
    )
    state: Annotated[str, Cell("RUNNING, PAUSED, STOPPED, FAILED, UNASSIGNED or RESTARTING.")] = at("state")
    worker: Annotated[str, Cell("Host and port of the worker that runs it, as the cluster knows that.")] = at("worker")
    trace: Annotated[
        str,
        Cell("First line of what went wrong with the connector itself, with its last cause; empty if nothing did."),
    ] = at("trace")
    tasks_max: Annotated[int | None, Cell("tasks.max: how many tasks it may have.", unit="tasks")] = setting(
        "tasks.max", "config", absent=Means(1, _CONNECT)
    )
    tasks: Annotated[int, Cell("Tasks that its work was divided into.", unit="tasks")]
    running: Annotated[int, Cell("Tasks that run.", unit="tasks")]
    failed: Annotated[int, Cell("Tasks that failed: Connect does not restart them.", unit="tasks")]
    paused: Annotated[int, Cell("Tasks that are paused.", unit="tasks")]
    unassigned: Annotated[int, Cell("Tasks that no worker runs.", unit="tasks")]
    key_converter: Annotated[str | None, Cell("key.converter; empty where the worker's own is used.")] = setting(
        "key.converter", "config", absent=_NONE
    )
    value_converter: Annotated[str | None, Cell("value.converter; empty where the worker's own is used.")] = setting(
        "value.converter", "config", absent=_NONE
    )
    topics: Annotated[list[str] | None, Cell("Topics that a sink reads; unknown if by pattern.", entity="topic")] = at(
        "topics"
    )
    group: Annotated[str | None, Cell("Consumer group of a sink; empty for a source.", entity="group")] = at("group")
    tolerance: Annotated[str | None, Cell("errors.tolerance: none stops the task, all goes on without the record.")] = (
        by(_tolerance, "config")
    )
    dlq_topic: Annotated[str | None, Cell("errors.deadletterqueue.topic.name; empty if none.", entity="topic")] = (
        setting("errors.deadletterqueue.topic.name", "config", absent=_NONE)
    )
    dlq_replication_factor: Annotated[int | None, Cell("With which Connect creates that topic.", unit="replicas")] = (
        setting("errors.deadletterqueue.topic.replication.factor", "config", absent=Means(3, _CONNECT))
    )
    dlq_headers: Annotated[bool | None, Cell("Whether dead letters carry where they come from, and why.")] = setting(
        "errors.deadletterqueue.context.headers.enable", "config", absent=_OFF
    )
    log_errors: Annotated[bool | None, Cell("errors.log.enable.")] = setting("errors.log.enable", "config", absent=_OFF)
    log_messages: Annotated[bool | None, Cell("errors.log.include.messages: the log says which record it was.")] = (
        setting("errors.log.include.messages", "config", absent=_OFF)
    )
    retry_ms: Annotated[Milliseconds | None, Cell("errors.retry.timeout; 0: no second try, -1: forever.")] = setting(
        "errors.retry.timeout", "config", absent=Means(0, _CONNECT)
    )
    retry_delay_ms: Annotated[Milliseconds | None, Cell("errors.retry.delay.max.ms: longest pause between tries.")] = (
        setting("errors.retry.delay.max.ms", "config", absent=Means(60_000, _CONNECT))
    )
    plain_secrets: Annotated[list[str], Cell("Settings that hold a credential as plain text; no values.")] = at(
        "plain_secrets"
    )


PROBE = Probe(
    connections=("connect",),
    help="One row per connector. A setting that refers to elsewhere, as in ${file:…}, is unknown.",
    row=ConnectConnector,
    requests=tuple(read(path) for path in (WORKER, NAMES, CONNECTORS)),
    rights=(RIGHT,),
)


def observe(connect: "Connect") -> Observed:
    """Observe the connectors; one that is listed and has no status is a gap."""
    connectors, gaps = connect.connectors()
    return Observed(rows=[_row(connector) for connector in connectors.values()], gaps=list(gaps))


def _row(one: Connector) -> ConnectConnector:
    states = Counter(task.state for task in one.tasks)
    return row_of(
        ConnectConnector,
        one,
        tasks=max(one.configured, len(one.tasks)),
        running=states["RUNNING"],
        failed=states["FAILED"],
        paused=states["PAUSED"],
        unassigned=states["UNASSIGNED"],
    )
