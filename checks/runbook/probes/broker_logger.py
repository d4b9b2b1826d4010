"""Loggers of brokers and their levels."""

from runbook.connections import jolokia
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.metrics import Metrics
from runbook.formats.metrics.broker import LOGGERS
from runbook.formats.metrics.table import BROKER, columns, tell

PROBE = Probe(
    connections=("jolokia",),
    help="One row per broker and logger.",
    columns=columns(BROKER, LOGGERS),
    requests=(*jolokia.READS,),
    rights=("Jolokia: read of kafka:type=kafka.Log4jController",),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the levels of brokers' loggers."""
    return tell(metrics.brokers(), LOGGERS)
