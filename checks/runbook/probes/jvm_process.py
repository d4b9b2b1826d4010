"""The JVM as a process: since when it runs, its descriptors and processors."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Exported, Group, Metric, Metrics
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Moment
from runbook.model.row import Cell
from runbook.probes._metrics import OfBroker, tell_brokers

_SYSTEM = "java.lang:type=OperatingSystem"


class JvmProcess(OfBroker):
    """The process of a JVM."""

    started: Annotated[
        Moment | None,
        Cell("When the JVM started."),
        Metric("java.lang:type=Runtime", "StartTime", exported=Exported(("process_start_time_seconds",), scale=1000)),
    ]
    open_fds: Annotated[
        int | None,
        Cell("Open file descriptors.", unit="descriptors", moves=True),
        Metric(_SYSTEM, "OpenFileDescriptorCount", exported=Exported(("process_open_fds",))),
    ]
    max_fds: Annotated[
        int | None,
        Cell("The most it may open (ulimit -n).", unit="descriptors"),
        Metric(_SYSTEM, "MaxFileDescriptorCount", exported=Exported(("process_max_fds",))),
    ]
    cpu: Annotated[
        float | None,
        Cell(
            "Share of the machine's processors that it used of late, 0 to 1; rules of exporters often leave it out.",
            unit="ratio",
            moves=True,
        ),
        Metric(_SYSTEM, "ProcessCpuLoad"),
    ]
    processors: Annotated[
        int | None,
        Cell("Processors it may use; rules of exporters often leave it out.", unit="processors"),
        Metric(_SYSTEM, "AvailableProcessors"),
    ]


GROUP = Group(
    JvmProcess,
    nowhere="no JVM was asked",
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker.",
    row=JvmProcess,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of java.lang:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the processes of brokers and controllers."""
    return tell_brokers(metrics, GROUP)
