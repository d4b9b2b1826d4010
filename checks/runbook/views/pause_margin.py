"""The longest pause of each broker against the silence that its cluster bears."""

from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View

_LOG = ("host", "file", "longest", "full", "lost", "begins", "covers_seconds")

VIEW = View(
    help="One row per broker that told its settings: its longest pause against the session timeout in force.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("host", "string", "Host of its JVM, as the log's fact has it.", entity="host"),
        Column("file", "string", "Its GC log."),
        Column("longest", "float", "Longest pause in the window; unknown if its log was not read.", unit="ms"),
        Column("session_timeout", "int", "Silence after which it counts as dead.", unit="ms"),
        Column("heartbeat_interval_ms", "int", "Time between its heartbeats; unknown in ZooKeeper mode.", unit="ms"),
        Column("used", "float", "Part of the session timeout that the longest pause takes: 1.0 ends the session."),
        Column("full", "int", "Full collections in the window.", unit="pauses"),
        Column("lost", "float", "Time lost to pauses.", unit="percent"),
        Column("begins", "timestamp", "From when on its log tells."),
        Column("covers_seconds", "float", "How much time its log tells about.", unit="s"),
    ),
    of=(("broker", *_LOG), ("broker", "session_timeout", "heartbeat_interval_ms")),
)


def compute(gc_log: Fact, config: Fact, /) -> Observed:
    """Work out the margins from jvm_gc_log and kafka_broker_config.

    A broker whose log is in neither inventory nor sight has a row too, with what its log would tell unknown: the check
    that reads it can't pass.
    """
    logs = {row["broker"]: row for row in gc_log.rows()}
    rows: list[tuple[Any, ...]] = []
    for row in config.rows():
        log = logs.get(row["broker"], {})
        host, file, longest, full, lost, begins, covers = (log.get(name) for name in _LOG)
        timeout = row["session_timeout"]
        used = longest / timeout if longest is not None and timeout else None
        heartbeat = row["heartbeat_interval_ms"]
        rows.append((row["broker"], host, file, longest, timeout, heartbeat, used, full, lost, begins, covers))
    return Observed(rows=rows)
