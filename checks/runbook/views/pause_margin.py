"""The longest pause of each broker against the silence that its cluster bears."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId, Milliseconds, Moment
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_LOG = ("host", "file", "longest", "full", "lost", "begins", "covers_seconds")


class PauseMargin(Row):
    """A broker that told its settings."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    host: Annotated[str | None, Cell("Host of its JVM, as the log's fact has it.", entity="host")]
    file: Annotated[str | None, Cell("Its GC log.")]
    longest: Annotated[float | None, Cell("Longest pause in the window; unknown if its log was not read.", unit="ms")]
    session_timeout: Annotated[Milliseconds | None, Cell("Silence after which it counts as dead.")]
    heartbeat_interval_ms: Annotated[
        Milliseconds | None, Cell("Time between its heartbeats; unknown in ZooKeeper mode.")
    ]
    used: Annotated[
        float | None, Cell("Part of the session timeout that the longest pause takes: 1.0 ends the session.")
    ]
    full: Annotated[int | None, Cell("Full collections in the window.", unit="pauses")]
    lost: Annotated[float | None, Cell("Time lost to pauses.", unit="percent")]
    begins: Annotated[Moment | None, Cell("From when on its log tells.")]
    covers_seconds: Annotated[float | None, Cell("How much time its log tells about.", unit="s")]


VIEW = View(
    help="One row per broker that told its settings: its longest pause against the session timeout in force.",
    row=PauseMargin,
    inputs={
        "gc_log": Input("jvm_gc_log", columns=("broker", *_LOG)),
        "config": Input("kafka_broker_config", columns=("broker", "session_timeout", "heartbeat_interval_ms")),
    },
)


def compute(*, gc_log: Fact, config: Fact) -> Observed:
    """Work out the margins from jvm_gc_log and kafka_broker_config.

    A broker whose log is in neither inventory nor sight has a row too, with what its log would tell unknown: the check
    that reads it can't pass.
    """
    logs = {row["broker"]: row for row in gc_log.rows()}
    rows: list[PauseMargin] = []
    for row in config.rows():
        log = logs.get(row["broker"], {})
        host, file, longest, full, lost, begins, covers = (log.get(name) for name in _LOG)
        timeout = row["session_timeout"]
        used = longest / timeout if longest is not None and timeout else None
        heartbeat = row["heartbeat_interval_ms"]
        rows.append(
            PauseMargin(
                broker=row["broker"],
                host=host,
                file=file,
                longest=longest,
                session_timeout=timeout,
                heartbeat_interval_ms=heartbeat,
                used=used,
                full=full,
                lost=lost,
                begins=begins,
                covers_seconds=covers,
            )
        )
    return Observed(rows=rows)
