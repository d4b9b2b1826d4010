"""The JVM as a process: since when it runs, its descriptors and processors."""

from runbook.connections import jolokia, prometheus
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.metrics import Metrics
from runbook.formats.metrics.jvm import PROCESS
from runbook.formats.metrics.table import BROKER, columns, tell

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker.",
    columns=columns(BROKER, PROCESS),
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of java.lang:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the processes of brokers and controllers."""
    return tell(metrics.brokers(), PROCESS)
