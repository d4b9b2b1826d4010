"""Java consumers, as they measure themselves in their applications' JVMs."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Group, Metrics
from runbook.formats.metrics.meters import CONSUMER_IO, PRODUCER_IO, of_consumer
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import MillisecondsExact
from runbook.model.row import Cell
from runbook.probes._metrics import OfApplication, tell_applications


class ClientConsumer(OfApplication):
    """A consumer of an application."""

    client: Annotated[str, Cell("client.id.", key=True)]
    io_ratio: Annotated[
        float | None,
        Cell("Share of its thread's time spent in I/O.", unit="ratio", moves=True),
        CONSUMER_IO,
    ]
    io_wait_ratio: Annotated[
        float | None,
        Cell("Share of its thread's time spent waiting.", unit="ratio", moves=True),
        of_consumer("io-wait-ratio"),
    ]
    fetch_latency: Annotated[
        MillisecondsExact | None,
        Cell("Mean time of a fetch."),
        of_consumer("fetch-latency-avg", "fetch-manager"),
    ]
    fetch_latency_max: Annotated[
        MillisecondsExact | None,
        Cell("Longest fetch of late."),
        of_consumer("fetch-latency-max", "fetch-manager"),
    ]
    fetch_rate: Annotated[
        float | None,
        Cell("Fetches of late.", unit="fetches per second", moves=True),
        of_consumer("fetch-rate", "fetch-manager"),
    ]
    fetch_size: Annotated[
        float | None,
        Cell("Mean bytes a fetch brings.", unit="bytes", moves=True),
        of_consumer("fetch-size-avg", "fetch-manager"),
    ]
    fetch_size_max: Annotated[
        float | None,
        Cell("Most bytes a fetch brought of late.", unit="bytes", moves=True),
        of_consumer("fetch-size-max", "fetch-manager"),
    ]
    max_lag: Annotated[
        float | None,
        Cell("How far it is behind at most.", unit="records", moves=True),
        of_consumer("records-lag-max", "fetch-manager"),
    ]
    rebalances: Annotated[
        float | None,
        Cell("Of its group.", unit="rebalances per hour", moves=True),
        of_consumer("rebalance-rate-per-hour", "coordinator"),
    ]
    failed_rebalances: Annotated[
        float | None,
        Cell("That failed.", unit="rebalances per hour", moves=True),
        of_consumer("failed-rebalance-rate-per-hour", "coordinator"),
    ]


GROUP = Group(
    ClientConsumer,
    nowhere="none of the applications that were asked has a Java consumer",
    proof=(PRODUCER_IO,),
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per application and consumer.",
    row=ClientConsumer,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.consumer:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the consumers of applications."""
    return tell_applications(metrics, GROUP)
