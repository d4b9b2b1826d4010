"""The JVM's memory: heap, what lies beside it, buffers."""

from runbook.connections import jolokia, prometheus
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.metrics import Metrics
from runbook.formats.metrics.jvm import MEMORY
from runbook.formats.metrics.table import BROKER, columns, tell

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker.",
    columns=columns(BROKER, MEMORY),
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of java.lang:* and java.nio:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the memory of brokers' and controllers' JVMs."""
    return tell(metrics.brokers(), MEMORY)
