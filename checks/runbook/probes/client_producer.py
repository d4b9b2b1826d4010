"""Java producers, as they measure themselves in their applications' JVMs."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Group, Metric, Metrics
from runbook.formats.metrics.meters import CONSUMER_IO, PRODUCER_IO
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import MillisecondsExact
from runbook.model.row import Cell
from runbook.probes._metrics import OfApplication, tell_applications

_PRODUCER = "kafka.producer:type=producer-metrics,client-id=*"


class ClientProducer(OfApplication):
    """A producer of an application."""

    client: Annotated[str, Cell("client.id.", key=True)]
    io_ratio: Annotated[
        float | None,
        Cell("Share of its I/O thread's time spent in I/O.", unit="ratio", moves=True),
        PRODUCER_IO,
    ]
    io_wait_ratio: Annotated[
        float | None,
        Cell("Share of its I/O thread's time spent waiting.", unit="ratio", moves=True),
        Metric(_PRODUCER, "io-wait-ratio"),
    ]
    batch_size: Annotated[
        float | None,
        Cell("Mean bytes for one partition in a request.", unit="bytes", moves=True),
        Metric(_PRODUCER, "batch-size-avg"),
    ]
    compression_ratio: Annotated[
        float | None,
        Cell(
            "Mean size of a batch compressed, over its size before: the smaller the better, 1 is none.",
            unit="ratio",
            moves=True,
        ),
        Metric(_PRODUCER, "compression-rate-avg"),
    ]
    latency: Annotated[
        MillisecondsExact | None,
        Cell("Mean time of a request."),
        Metric(_PRODUCER, "request-latency-avg"),
    ]
    errors: Annotated[
        float | None,
        Cell("Records that were given up.", unit="records per second", moves=True),
        Metric(_PRODUCER, "record-error-rate"),
    ]


GROUP = Group(
    ClientProducer,
    nowhere="none of the applications that were asked has a Java producer",
    proof=(CONSUMER_IO,),
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per application and producer.",
    row=ClientProducer,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.producer:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the producers of applications."""
    return tell_applications(metrics, GROUP)
