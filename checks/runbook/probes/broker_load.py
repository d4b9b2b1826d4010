"""What a broker does and what it has left: traffic, idle threads, queues, flushes."""

from runbook.connections import jolokia, prometheus
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.metrics import Metrics
from runbook.formats.metrics.broker import LOAD
from runbook.formats.metrics.table import BROKER, columns, tell

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker.",
    columns=columns(BROKER, LOAD),
    requests=(*jolokia.READS, *prometheus.READS),
    rights=(
        "Jolokia: read of kafka.server:*, kafka.network:* and kafka.log:*",
        "Prometheus: to query, or to read the exporters' pages",
    ),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the load of brokers."""
    return tell(metrics.brokers(), LOAD)
