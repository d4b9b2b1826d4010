"""The JVM's memory pools, with what is left in them after a collection."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Exported, Group, Metric, Metrics
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Bytes
from runbook.model.row import Cell
from runbook.probes._metrics import OfBroker, tell_brokers

_POOL = "java.lang:type=MemoryPool,name=*"


class JvmMemoryPool(OfBroker):
    """A memory pool of a JVM."""

    pool: Annotated[str, Cell("Name of the memory pool, such as G1 Old Gen.", key=True)]
    used: Annotated[
        Bytes | None,
        Cell("In use now, garbage included.", moves=True),
        Metric(
            _POOL,
            "Usage",
            "used",
            exported=Exported(("jvm_memory_pool_used_bytes", "jvm_memory_pool_bytes_used"), (("pool", "*"),)),
        ),
    ]
    max: Annotated[
        Bytes | None,
        Cell("The most it may use; -1 for no bound.", moves=True),
        Metric(
            _POOL,
            "Usage",
            "max",
            exported=Exported(("jvm_memory_pool_max_bytes", "jvm_memory_pool_bytes_max"), (("pool", "*"),)),
        ),
    ]
    after_gc: Annotated[
        Bytes | None,
        Cell(
            "In use after the last collection of this pool; not known for pools that are never collected.", moves=True
        ),
        Metric(
            _POOL,
            "CollectionUsage",
            "used",
            exported=Exported(("jvm_memory_pool_collection_used_bytes",), (("pool", "*"),)),
        ),
    ]


GROUP = Group(
    JvmMemoryPool,
    nowhere="no JVM was asked",
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker and memory pool.",
    row=JvmMemoryPool,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of java.lang:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the memory pools of brokers' and controllers' JVMs."""
    return tell_brokers(metrics, GROUP)
