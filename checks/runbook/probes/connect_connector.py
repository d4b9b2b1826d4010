"""Each connector: how it is, how it handles what it can't process, and which credentials it bares."""

from collections import Counter

from runbook.connections.connect import Connect
from runbook.connections.connect.answers import Connector
from runbook.connections.connect.questions import CONNECTORS, NAMES, RIGHT, WORKER, read
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("connect",),
    help="One row per connector. A setting that refers to elsewhere, as in ${file:…}, is unknown.",
    columns=(
        Column("connector", "string", "Name.", key=True, entity="connector"),
        Column("type", "string", "source or sink."),
        Column("plugin", "string", "Its class."),
        Column("version", "string", "Version of its class; unknown before Kafka 4.1, which does not tell."),
        Column("state", "string", "RUNNING, PAUSED, STOPPED, FAILED, UNASSIGNED or RESTARTING."),
        Column("worker", "string", "Host and port of the worker that runs it, as the cluster knows that."),
        Column(
            "trace", "string", "First line of what went wrong, with the class of its last cause; empty if nothing did."
        ),
        Column("tasks_max", "int", "tasks.max: how many tasks it may have.", unit="tasks"),
        Column("tasks", "int", "Tasks that its work was divided into.", unit="tasks"),
        Column("running", "int", "Tasks that run.", unit="tasks"),
        Column("failed", "int", "Tasks that failed: nobody starts them again.", unit="tasks"),
        Column("paused", "int", "Tasks that are paused.", unit="tasks"),
        Column("unassigned", "int", "Tasks that no worker runs.", unit="tasks"),
        Column("key_converter", "string", "key.converter; empty where the worker's own is used."),
        Column("value_converter", "string", "value.converter; empty where the worker's own is used."),
        Column("topics", "list[string]", "Topics that a sink reads; unknown if by pattern.", entity="topic"),
        Column("group", "string", "Consumer group of a sink; empty for a source.", entity="group"),
        Column("tolerance", "string", "errors.tolerance: none stops the task, all goes on without the record."),
        Column("dlq_topic", "string", "errors.deadletterqueue.topic.name; empty if none.", entity="topic"),
        Column("dlq_replication_factor", "int", "With which Connect creates that topic.", unit="replicas"),
        Column("dlq_headers", "bool", "Whether dead letters carry where they come from, and why."),
        Column("log_errors", "bool", "errors.log.enable."),
        Column("log_messages", "bool", "errors.log.include.messages: the log says which record it was."),
        Column("retry_ms", "int", "errors.retry.timeout; 0: no second try, -1: for ever.", unit="ms"),
        Column("retry_delay_ms", "int", "errors.retry.delay.max.ms: longest pause between tries.", unit="ms"),
        Column("plain_secrets", "list[string]", "Settings that hold a credential as plain text; no values."),
    ),
    requests=tuple(read(path) for path in (WORKER, NAMES, CONNECTORS)),
    rights=(RIGHT,),
)


def observe(connect: Connect) -> Observed:
    """Observe the connectors; one that is listed and has no status is a gap."""
    told, gaps = connect.connectors()
    return Observed(rows=[_row(one) for one in told.values()], gaps=list(gaps))


def _row(one: Connector) -> tuple[object, ...]:
    states = Counter(task.state for task in one.tasks)
    errors = one.errors
    return (
        one.name,
        one.type,
        one.class_name,
        one.version,
        one.state,
        one.worker,
        one.trace,
        one.tasks_max,
        max(one.configured, len(one.tasks)),
        *(states[state] for state in ("RUNNING", "FAILED", "PAUSED", "UNASSIGNED")),
        one.key_converter,
        one.value_converter,
        None if one.topics is None else [*one.topics],
        one.group,
        errors.tolerance,
        errors.topic,
        errors.replication_factor,
        errors.headers,
        errors.log,
        errors.log_messages,
        errors.retry_ms,
        errors.retry_delay_ms,
        [*one.plain_secrets],
    )
