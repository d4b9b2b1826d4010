"""Garbage collectors: how often, how long, and how long the last time."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Exported, Group, Metric, Metrics
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Milliseconds
from runbook.model.row import Cell
from runbook.probes._metrics import OfBroker, tell_brokers

_GC = "java.lang:type=GarbageCollector,name=*"


class JvmGc(OfBroker):
    """A garbage collector of a JVM."""

    collector: Annotated[str, Cell("Name of the collector, such as G1 Young Generation.", key=True)]
    count: Annotated[
        int | None,
        Cell("Collections since the JVM started.", unit="collections", moves=True),
        Metric(_GC, "CollectionCount", exported=Exported(("jvm_gc_collection_seconds_count",), (("gc", "*"),))),
    ]
    time_ms: Annotated[
        Milliseconds | None,
        Cell(
            "Time spent in them since the start; of concurrent collectors it is not time that threads stood still.",
            moves=True,
        ),
        Metric(
            _GC, "CollectionTime", exported=Exported(("jvm_gc_collection_seconds_sum",), (("gc", "*"),), scale=1000)
        ),
    ]
    last_ms: Annotated[
        Milliseconds | None,
        Cell("How long the last one took; not known before the first, and only to JMX.", moves=True),
        Metric(_GC, "LastGcInfo", "duration"),
    ]


GROUP = Group(
    JvmGc,
    nowhere="no JVM was asked",
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker and garbage collector.",
    row=JvmGc,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of java.lang:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the garbage collectors of brokers and controllers."""
    return tell_brokers(metrics, GROUP)
