"""Whether a broker's log cleaner is alive, and how far compaction is behind."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Group, Metrics
from runbook.formats.metrics.meters import ACTIVE_CONTROLLERS, gauge
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Seconds
from runbook.model.row import Cell
from runbook.probes._metrics import OfBroker, tell_brokers

_CLEANER = "kafka.log:type=LogCleaner,name="


class BrokerLogCleaner(OfBroker):
    """A broker's log cleaner."""

    dead_threads: Annotated[
        int | None,
        Cell("Threads of log.cleaner.threads that have died; they come back at a restart only.", unit="threads"),
        gauge(_CLEANER + "DeadThreadCount"),
    ]
    compaction_delay: Annotated[
        Seconds | None,
        Cell("Most seconds beyond max.compaction.lag.ms that a log waited for its compaction.", moves=True),
        gauge(_CLEANER + "max-compaction-delay-secs"),
    ]


GROUP = Group(
    BrokerLogCleaner,
    nowhere="none of the JVMs that were asked is a broker",
    proof=(ACTIVE_CONTROLLERS,),
    of="dead_threads",
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker.",
    row=BrokerLogCleaner,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.log:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the log cleaner of each broker."""
    return tell_brokers(metrics, GROUP)
