"""Errors that tasks of Kafka Connect met, as its workers' JVMs count them since each task began."""

from runbook.connections import jolokia, prometheus
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.metrics import Metrics
from runbook.formats.metrics.client import CONNECT_ERRORS
from runbook.formats.metrics.table import APPLICATION, columns, tell

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per worker and task of its own, a task that has failed among them.",
    columns=columns(APPLICATION, CONNECT_ERRORS),
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.connect:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe what tasks met."""
    return tell(metrics.applications(), CONNECT_ERRORS)
