"""The JVM's memory pools, with what is left in them after a collection."""

from runbook.connections import jolokia, prometheus
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.metrics import Metrics
from runbook.formats.metrics.jvm import POOL
from runbook.formats.metrics.table import BROKER, columns, tell

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker and memory pool.",
    columns=columns(BROKER, POOL),
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of java.lang:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the memory pools of brokers' and controllers' JVMs."""
    return tell(metrics.brokers(), POOL)
