"""The metadata quorum as each of its members sees it."""

from runbook.connections import jolokia, prometheus
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.metrics import Metrics
from runbook.formats.metrics.controller import RAFT
from runbook.formats.metrics.table import BROKER, columns, tell

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker and controller.",
    columns=columns(BROKER, RAFT),
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.server:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the quorum as its members see it."""
    return tell(metrics.brokers(), RAFT)
