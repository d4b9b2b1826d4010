"""What every JVM measures of itself: the platform's MBeans, and the names Prometheus' Java client gives the same."""

from runbook.engine.column import Column, ColumnType
from runbook.formats.metrics.metric import Exported, Group, Metric

_NOWHERE = "no JVM was asked"


def _metric(
    name: str,
    kind: ColumnType,
    unit: str | None,
    says: str,
    at: tuple[str, ...],
    exported: Exported | None = None,
) -> Metric:
    bean, attribute, field = (*at, "")[:3]
    return Metric(Column(name, kind, says, unit=unit), bean, attribute, field, exported)


_GC = "java.lang:type=GarbageCollector,name=*"
_EACH_GC = (("gc", "*"),)
GC = Group(
    keys=(Column("collector", "string", "Name of the collector, such as G1 Young Generation.", key=True),),
    metrics=(
        _metric(
            "count",
            "int",
            "collections",
            "Collections since the JVM started.",
            (_GC, "CollectionCount"),
            Exported(("jvm_gc_collection_seconds_count",), _EACH_GC),
        ),
        _metric(
            "time_ms",
            "int",
            "ms",
            "Time spent in them since the start; of concurrent collectors it is not time that threads stood still.",
            (_GC, "CollectionTime"),
            Exported(("jvm_gc_collection_seconds_sum",), _EACH_GC, scale=1000),
        ),
        _metric(
            "last_ms",
            "int",
            "ms",
            "How long the last one took; not known before the first, and only to JMX.",
            (_GC, "LastGcInfo", "duration"),
        ),
    ),
    nowhere=_NOWHERE,
)

_POOL = "java.lang:type=MemoryPool,name=*"
_EACH_POOL = (("pool", "*"),)
POOL = Group(
    keys=(Column("pool", "string", "Name of the memory pool, such as G1 Old Gen.", key=True),),
    metrics=(
        _metric(
            "used",
            "int",
            "bytes",
            "In use now, garbage included.",
            (_POOL, "Usage", "used"),
            Exported(("jvm_memory_pool_used_bytes", "jvm_memory_pool_bytes_used"), _EACH_POOL),
        ),
        _metric(
            "max",
            "int",
            "bytes",
            "The most it may use; -1 for no bound.",
            (_POOL, "Usage", "max"),
            Exported(("jvm_memory_pool_max_bytes", "jvm_memory_pool_bytes_max"), _EACH_POOL),
        ),
        _metric(
            "after_gc",
            "int",
            "bytes",
            "In use after the last collection of this pool; not known for pools that are never collected.",
            (_POOL, "CollectionUsage", "used"),
            Exported(("jvm_memory_pool_collection_used_bytes",), _EACH_POOL),
        ),
    ),
    nowhere=_NOWHERE,
)


def _area(of: str, field: str, says: str) -> Metric:
    area = "heap" if of == "heap" else "nonheap"
    bean = "HeapMemoryUsage" if of == "heap" else "NonHeapMemoryUsage"
    return _metric(
        f"{of}_{field}",
        "int",
        "bytes",
        says,
        ("java.lang:type=Memory", bean, field),
        Exported((f"jvm_memory_{field}_bytes", f"jvm_memory_bytes_{field}"), (("area", area),)),
    )


def _buffers(pool: str, name: str, attribute: str, suffix: str, unit: str, says: str) -> Metric:
    return _metric(
        name,
        "int",
        unit,
        says,
        (f"java.nio:type=BufferPool,name={pool}", attribute),
        Exported((f"jvm_buffer_pool_used_{suffix}",), (("pool", pool),)),
    )


MEMORY = Group(
    keys=(),
    metrics=(
        _area("heap", "used", "Heap in use now, garbage included."),
        _area("heap", "committed", "Heap that the system gave."),
        _area("heap", "max", "The most the heap may become (-Xmx); -1 for no bound."),
        _area("nonheap", "used", "Classes, compiled code and the like."),
        _buffers("direct", "direct_used", "MemoryUsed", "bytes", "bytes", "Direct buffers, outside the heap."),
        _buffers("mapped", "mapped_files", "Count", "buffers", "files", "Memory-mapped files, two for each segment."),
    ),
    nowhere=_NOWHERE,
)

_THREADS = "java.lang:type=Threading"
THREADS = Group(
    keys=(),
    metrics=(
        _metric(
            "count",
            "int",
            "threads",
            "Live threads.",
            (_THREADS, "ThreadCount"),
            Exported(("jvm_threads_current",)),
        ),
        _metric(
            "peak",
            "int",
            "threads",
            "The most there were since the JVM started.",
            (_THREADS, "PeakThreadCount"),
            Exported(("jvm_threads_peak",)),
        ),
    ),
    nowhere=_NOWHERE,
)
DEADLOCK = Group(
    keys=(),
    metrics=(
        _metric(
            "threads",
            "int",
            "threads",
            "Threads that wait for each other for ever.",
            ("", ""),
            Exported(("jvm_threads_deadlocked",)),
        ),
    ),
    nowhere=_NOWHERE,
)

_OS = "java.lang:type=OperatingSystem"
PROCESS = Group(
    keys=(),
    metrics=(
        _metric(
            "started",
            "timestamp",
            None,
            "When the JVM started.",
            ("java.lang:type=Runtime", "StartTime"),
            Exported(("process_start_time_seconds",), scale=1000),
        ),
        _metric(
            "open_fds",
            "int",
            "descriptors",
            "Open file descriptors.",
            (_OS, "OpenFileDescriptorCount"),
            Exported(("process_open_fds",)),
        ),
        _metric(
            "max_fds",
            "int",
            "descriptors",
            "The most it may open (ulimit -n).",
            (_OS, "MaxFileDescriptorCount"),
            Exported(("process_max_fds",)),
        ),
        _metric(
            "cpu",
            "float",
            "ratio",
            "Share of the machine's processors that it used of late, 0 to 1; rules of exporters often leave it out.",
            (_OS, "ProcessCpuLoad"),
        ),
        _metric(
            "processors",
            "int",
            "processors",
            "Processors it may use; rules of exporters often leave it out.",
            (_OS, "AvailableProcessors"),
        ),
    ),
    nowhere=_NOWHERE,
)

_PROPERTIES = "java.lang:type=Runtime"


def _property(name: str, key: str, says: str) -> Metric:
    return _metric(name, "string", None, says, (_PROPERTIES, "SystemProperties", key))


PROPERTIES = Group(
    keys=(),
    metrics=(
        _property("java_version", "java.version", "Version of Java."),
        _property("log4j2_file", "log4j2.configurationFile", "-Dlog4j2.configurationFile, read from Kafka 4.0 on."),
        _property("log4j1_file", "log4j.configuration", "-Dlog4j.configuration, read up to Kafka 3.9."),
        _property("tls_debug", "javax.net.debug", "-Djavax.net.debug: traces of TLS."),
        _property("kerberos_debug", "sun.security.krb5.debug", "-Dsun.security.krb5.debug: traces of Kerberos."),
        _property("check_revocation", "com.sun.net.ssl.checkRevocation", "-Dcom.sun.net.ssl.checkRevocation."),
        _property("fetch_revocation", "com.sun.security.enableCRLDP", "-Dcom.sun.security.enableCRLDP."),
    ),
    nowhere=_NOWHERE,
)
"""System properties, each asked for by name: all of them together would bring passwords along."""
