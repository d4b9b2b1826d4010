"""The JVM's memory: heap, what lies beside it, buffers."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Exported, Group, Metric, Metrics
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Bytes
from runbook.model.row import Cell
from runbook.probes._metrics import OfBroker, tell_brokers

_MEMORY = "java.lang:type=Memory"


class JvmMemory(OfBroker):
    """The memory of a JVM."""

    heap_used: Annotated[
        Bytes | None,
        Cell("Heap in use now, garbage included.", moves=True),
        Metric(
            _MEMORY,
            "HeapMemoryUsage",
            "used",
            exported=Exported(("jvm_memory_used_bytes", "jvm_memory_bytes_used"), (("area", "heap"),)),
        ),
    ]
    heap_committed: Annotated[
        Bytes | None,
        Cell("Heap that the system gave.", moves=True),
        Metric(
            _MEMORY,
            "HeapMemoryUsage",
            "committed",
            exported=Exported(("jvm_memory_committed_bytes", "jvm_memory_bytes_committed"), (("area", "heap"),)),
        ),
    ]
    heap_max: Annotated[
        Bytes | None,
        Cell("The most the heap may become (-Xmx); -1 for no bound."),
        Metric(
            _MEMORY,
            "HeapMemoryUsage",
            "max",
            exported=Exported(("jvm_memory_max_bytes", "jvm_memory_bytes_max"), (("area", "heap"),)),
        ),
    ]
    nonheap_used: Annotated[
        Bytes | None,
        Cell("Classes, compiled code and the like.", moves=True),
        Metric(
            _MEMORY,
            "NonHeapMemoryUsage",
            "used",
            exported=Exported(("jvm_memory_used_bytes", "jvm_memory_bytes_used"), (("area", "nonheap"),)),
        ),
    ]
    direct_used: Annotated[
        Bytes | None,
        Cell("Direct buffers, outside the heap.", moves=True),
        Metric(
            "java.nio:type=BufferPool,name=direct",
            "MemoryUsed",
            exported=Exported(("jvm_buffer_pool_used_bytes",), (("pool", "direct"),)),
        ),
    ]
    mapped_files: Annotated[
        int | None,
        Cell("Memory-mapped files, two for each segment.", unit="files", moves=True),
        Metric(
            "java.nio:type=BufferPool,name=mapped",
            "Count",
            exported=Exported(("jvm_buffer_pool_used_buffers",), (("pool", "mapped"),)),
        ),
    ]


GROUP = Group(
    JvmMemory,
    nowhere="no JVM was asked",
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker.",
    row=JvmMemory,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of java.lang:* and java.nio:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the memory of brokers' and controllers' JVMs."""
    return tell_brokers(metrics, GROUP)
