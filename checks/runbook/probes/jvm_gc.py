"""Garbage collectors: how often, how long, and how long the last time."""

from runbook.connections import jolokia, prometheus
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.metrics import Metrics
from runbook.formats.metrics.jvm import GC
from runbook.formats.metrics.table import BROKER, columns, tell

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker and garbage collector.",
    columns=columns(BROKER, GC),
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of java.lang:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the garbage collectors of brokers and controllers."""
    return tell(metrics.brokers(), GC)
