"""Threads that wait for each other for ever: JMX tells them only to who may execute operations, exporters to all."""

from typing import Annotated

from runbook.answers import prometheus
from runbook.formats.metrics import Exported, Group, Metric, Metrics
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell
from runbook.probes._metrics import OfBroker, tell_brokers


class JvmDeadlock(OfBroker):
    """The deadlocked threads of a JVM."""

    threads: Annotated[
        int | None,
        Cell("Threads that wait for each other forever.", unit="threads"),
        Metric("", "threads", exported=Exported(("jvm_threads_deadlocked",))),
    ]


GROUP = Group(
    JvmDeadlock,
    nowhere="no JVM was asked",
)

PROBE = Probe(
    connections=("prometheus",),
    help="One row per broker.",
    row=JvmDeadlock,
    requests=(*prometheus.READS,),
    rights=("Prometheus: to query, or to read the exporters' pages",),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the deadlocked threads of brokers' and controllers' JVMs."""
    return tell_brokers(metrics, GROUP)
