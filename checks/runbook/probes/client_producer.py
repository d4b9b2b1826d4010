"""Java producers, as they measure themselves in their applications' JVMs."""

from runbook.connections import jolokia, prometheus
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.metrics import Metrics
from runbook.formats.metrics.client import PRODUCER
from runbook.formats.metrics.table import APPLICATION, columns, tell

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per application and producer.",
    columns=columns(APPLICATION, PRODUCER),
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.producer:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the producers of applications."""
    return tell(metrics.applications(), PRODUCER)
