"""Partitions that MirrorMaker copies, as it measures itself in Connect's JVMs."""

from runbook.connections import jolokia, prometheus
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.metrics import Metrics
from runbook.formats.metrics.client import MIRROR
from runbook.formats.metrics.table import APPLICATION, columns, tell

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per application, target and partition.",
    columns=columns(APPLICATION, MIRROR),
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.connect.mirror:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the partitions that are mirrored."""
    return tell(metrics.applications(), MIRROR)
