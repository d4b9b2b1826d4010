"""Controllers: which one is active, what it counts, how the others follow."""

from runbook.connections import jolokia, prometheus
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.metrics import Metrics
from runbook.formats.metrics.controller import CONTROLLER
from runbook.formats.metrics.table import BROKER, columns, tell

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per controller.",
    columns=columns(BROKER, CONTROLLER),
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.controller:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the state of controllers."""
    return tell(metrics.brokers(), CONTROLLER)
