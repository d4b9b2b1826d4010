"""Threads of the JVM."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Exported, Group, Metric, Metrics
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell
from runbook.probes._metrics import OfBroker, tell_brokers

_THREADS = "java.lang:type=Threading"


class JvmThread(OfBroker):
    """The threads of a JVM."""

    count: Annotated[
        int | None,
        Cell("Live threads.", unit="threads", moves=True),
        Metric(_THREADS, "ThreadCount", exported=Exported(("jvm_threads_current",))),
    ]
    peak: Annotated[
        int | None,
        Cell("The most there were since the JVM started.", unit="threads", moves=True),
        Metric(_THREADS, "PeakThreadCount", exported=Exported(("jvm_threads_peak",))),
    ]


GROUP = Group(
    JvmThread,
    nowhere="no JVM was asked",
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker.",
    row=JvmThread,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of java.lang:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the threads of brokers' and controllers' JVMs."""
    return tell_brokers(metrics, GROUP)
