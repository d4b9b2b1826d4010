"""The longest stop of each broker's JVM against the silence that its cluster bears."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import BrokerId, Milliseconds, Moment
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_LOG = ("host", "file", "longest", "longest_kind", "collecting", "scope", "full", "lost", "begins", "covers_seconds")


class PauseMargin(Row):
    """A broker that told its settings."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    host: Annotated[str | None, Cell("Host of its JVM, as the log's fact has it.", entity="host")]
    file: Annotated[str | None, Cell("Its GC log.")]
    longest: Annotated[
        float | None,
        Cell("Longest stop in the window, whatever the reason; unknown if its log was not read.", unit="ms"),
    ]
    longest_kind: Annotated[str | None, Cell("What it was, as in jvm_gc_log.")]
    collecting: Annotated[bool | None, Cell("Whether a collection took most of it, as in jvm_gc_log.")]
    scope: Annotated[str | None, Cell("Which stops its JVM does not log, as it is configured; empty if it logs all.")]
    session_timeout: Annotated[
        Milliseconds | None,
        Cell(
            "Silence after which it counts as dead.",
            untold="controllers run apart: broker.session.timeout.ms is in their files; give it as apart_ms",
        ),
    ]
    heartbeat_interval_ms: Annotated[
        Milliseconds | None, Cell("Time between its heartbeats; unknown in ZooKeeper mode.")
    ]
    used: Annotated[
        float | None, Cell("Part of the session timeout that the longest stop takes: 1.0 ends the session.")
    ]
    full: Annotated[int | None, Cell("Full collections in the window.", unit="pauses")]
    lost: Annotated[float | None, Cell("Time lost to pauses.", unit="percent")]
    begins: Annotated[Moment | None, Cell("When its log begins.")]
    covers_seconds: Annotated[float | None, Cell("How much time its log covers.", unit="s")]


VIEW = View(
    help="One row per broker that reported its settings: its longest stop against the session timeout in force.",
    row=PauseMargin,
    version=3,
    inputs={
        "gc_log": Input("jvm_gc_log", columns=("broker", *_LOG)),
        "config": Input("kafka_broker_config", columns=("broker", "session_timeout", "heartbeat_interval_ms")),
    },
    parameters={
        "apart_ms": Parameter(
            type="int", default=0, min=0, help="broker.session.timeout.ms of controllers that run apart; 0: not said"
        ),
    },
)


def compute(*, gc_log: Fact, config: Fact, apart_ms: int = 0) -> Observed:
    """Work out the margins from jvm_gc_log and kafka_broker_config.

    A broker whose log is in neither inventory nor sight has a row too, with what its log would tell unknown: the check
    that reads it can't pass.
    """
    logs = {row["broker"]: row for row in gc_log.rows()}
    rows: list[PauseMargin] = []
    for row in config.rows():
        log = logs.get(row["broker"], {})
        longest = log.get("longest")
        timeout = row["session_timeout"]
        if timeout is None and apart_ms:
            timeout = Milliseconds(apart_ms)
        used = longest / timeout if longest is not None and timeout else None
        rows.append(
            PauseMargin(
                broker=row["broker"],
                session_timeout=timeout,
                heartbeat_interval_ms=row["heartbeat_interval_ms"],
                used=used,
                **{name: log.get(name) for name in _LOG},
            )
        )
    return Observed(rows=rows)
