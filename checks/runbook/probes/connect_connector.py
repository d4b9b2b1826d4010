"""Each connector: how it is, how it handles what it can't process, and which credentials it bares."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated

from runbook.answers.connect import CONNECTORS, NAMES, RIGHT, WORKER, Connector, read
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Milliseconds
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.connect import Connect


class ConnectConnector(Row):
    """A connector."""

    connector: Annotated[str, Cell("Name.", key=True, entity="connector")]
    type: Annotated[str, Cell("source or sink.")]
    plugin: Annotated[str, Cell("Its class.")]
    version: Annotated[str | None, Cell("Version of its class; unknown before Kafka 4.1, which does not tell.")]
    state: Annotated[str, Cell("RUNNING, PAUSED, STOPPED, FAILED, UNASSIGNED or RESTARTING.")]
    worker: Annotated[str, Cell("Host and port of the worker that runs it, as the cluster knows that.")]
    trace: Annotated[
        str,
        Cell("First line of what went wrong, with the class of its last cause; empty if nothing did."),
    ]
    tasks_max: Annotated[int | None, Cell("tasks.max: how many tasks it may have.", unit="tasks")]
    tasks: Annotated[int, Cell("Tasks that its work was divided into.", unit="tasks")]
    running: Annotated[int, Cell("Tasks that run.", unit="tasks")]
    failed: Annotated[int, Cell("Tasks that failed: nobody starts them again.", unit="tasks")]
    paused: Annotated[int, Cell("Tasks that are paused.", unit="tasks")]
    unassigned: Annotated[int, Cell("Tasks that no worker runs.", unit="tasks")]
    key_converter: Annotated[str | None, Cell("key.converter; empty where the worker's own is used.")]
    value_converter: Annotated[str | None, Cell("value.converter; empty where the worker's own is used.")]
    topics: Annotated[list[str] | None, Cell("Topics that a sink reads; unknown if by pattern.", entity="topic")]
    group: Annotated[str | None, Cell("Consumer group of a sink; empty for a source.", entity="group")]
    tolerance: Annotated[str | None, Cell("errors.tolerance: none stops the task, all goes on without the record.")]
    dlq_topic: Annotated[str | None, Cell("errors.deadletterqueue.topic.name; empty if none.", entity="topic")]
    dlq_replication_factor: Annotated[int | None, Cell("With which Connect creates that topic.", unit="replicas")]
    dlq_headers: Annotated[bool | None, Cell("Whether dead letters carry where they come from, and why.")]
    log_errors: Annotated[bool | None, Cell("errors.log.enable.")]
    log_messages: Annotated[bool | None, Cell("errors.log.include.messages: the log says which record it was.")]
    retry_ms: Annotated[Milliseconds | None, Cell("errors.retry.timeout; 0: no second try, -1: for ever.")]
    retry_delay_ms: Annotated[Milliseconds | None, Cell("errors.retry.delay.max.ms: longest pause between tries.")]
    plain_secrets: Annotated[list[str], Cell("Settings that hold a credential as plain text; no values.")]


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
    errors = one.errors
    return ConnectConnector(
        connector=one.name,
        type=one.type,
        plugin=one.class_name,
        version=one.version,
        state=one.state,
        worker=one.worker,
        trace=one.trace,
        tasks_max=one.tasks_max,
        tasks=max(one.configured, len(one.tasks)),
        running=states["RUNNING"],
        failed=states["FAILED"],
        paused=states["PAUSED"],
        unassigned=states["UNASSIGNED"],
        key_converter=one.key_converter,
        value_converter=one.value_converter,
        topics=None if one.topics is None else [*one.topics],
        group=one.group,
        tolerance=errors.tolerance,
        dlq_topic=errors.topic,
        dlq_replication_factor=errors.replication_factor,
        dlq_headers=errors.headers,
        log_errors=errors.log,
        log_messages=errors.log_messages,
        retry_ms=errors.retry_ms,
        retry_delay_ms=errors.retry_delay_ms,
        plain_secrets=[*one.plain_secrets],
    )
