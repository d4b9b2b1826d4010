"""Java consumers, as they measure themselves in their applications' JVMs."""

from runbook.connections import jolokia, prometheus
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.metrics import Metrics
from runbook.formats.metrics.client import CONSUMER
from runbook.formats.metrics.table import APPLICATION, columns, tell

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per application and consumer.",
    columns=columns(APPLICATION, CONSUMER),
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.consumer:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the consumers of applications."""
    return tell(metrics.applications(), CONSUMER)
