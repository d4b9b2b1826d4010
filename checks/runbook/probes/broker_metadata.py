"""How brokers follow the controllers' metadata."""

from runbook.connections import jolokia, prometheus
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.metrics import Metrics
from runbook.formats.metrics.controller import METADATA
from runbook.formats.metrics.table import BROKER, columns, tell

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker.",
    columns=columns(BROKER, METADATA),
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.server:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe how far brokers are with the metadata."""
    return tell(metrics.brokers(), METADATA)
