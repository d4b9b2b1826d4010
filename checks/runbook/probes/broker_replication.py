"""Replication as each broker sees it: partitions short of replicas, in-sync sets that change, followers' lag."""

from runbook.connections import jolokia, prometheus
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.metrics import Metrics
from runbook.formats.metrics.broker import REPLICATION
from runbook.formats.metrics.table import BROKER, columns, tell

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker.",
    columns=columns(BROKER, REPLICATION),
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.server:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe replication as brokers measure it."""
    return tell(metrics.brokers(), REPLICATION)
