"""Threads that wait for each other for ever: JMX tells them only to who may execute operations, exporters to all."""

from runbook.connections import prometheus
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.metrics import Metrics
from runbook.formats.metrics.jvm import DEADLOCK
from runbook.formats.metrics.table import BROKER, columns, tell

PROBE = Probe(
    connections=("prometheus",),
    help="One row per broker.",
    columns=columns(BROKER, DEADLOCK),
    requests=(*prometheus.READS,),
    rights=("Prometheus: to query, or to read the exporters' pages",),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the deadlocked threads of brokers' and controllers' JVMs."""
    return tell(metrics.brokers(), DEADLOCK)
