"""A few of the JVM's system properties, each read by its name: among the others may be passwords."""

from runbook.connections import jolokia
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.metrics import Metrics
from runbook.formats.metrics.jvm import PROPERTIES
from runbook.formats.metrics.table import BROKER, columns, tell

PROBE = Probe(
    connections=("jolokia",),
    help="One row per broker.",
    columns=columns(BROKER, PROPERTIES),
    requests=(*jolokia.READS,),
    rights=("Jolokia: read of java.lang:type=Runtime",),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the system properties of brokers' and controllers' JVMs."""
    return tell(metrics.brokers(), PROPERTIES)
