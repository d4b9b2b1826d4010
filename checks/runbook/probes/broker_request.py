"""Requests by kind: how long they take and where they wait."""

from runbook.connections import jolokia, prometheus
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.metrics import Metrics
from runbook.formats.metrics.broker import REQUESTS
from runbook.formats.metrics.table import BROKER, columns, tell

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker and kind of request that it has handled.",
    columns=columns(BROKER, REQUESTS),
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.network:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the requests of brokers."""
    return tell(metrics.brokers(), REQUESTS)
