"""Brokers' sessions with ZooKeeper."""

from runbook.connections import jolokia, prometheus
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.metrics import Metrics
from runbook.formats.metrics.controller import ZOOKEEPER
from runbook.formats.metrics.table import BROKER, columns, tell

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker in ZooKeeper mode.",
    columns=columns(BROKER, ZOOKEEPER),
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.server:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the sessions of brokers with ZooKeeper."""
    return tell(metrics.brokers(), ZOOKEEPER)
