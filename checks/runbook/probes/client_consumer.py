"""Java consumers, as they measure themselves in their applications' JVMs."""

from typing import Annotated

from runbook.connections import jolokia, prometheus
from runbook.formats.metrics import Group, Metric, Metrics
from runbook.formats.metrics.meters import CONSUMER_IO, PRODUCER_IO
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import MillisecondsExact
from runbook.model.row import Cell
from runbook.probes._metrics import OfApplication, tell_applications

_THREAD = "kafka.consumer:type=consumer-metrics,client-id=*"
_FETCH = "kafka.consumer:type=consumer-fetch-manager-metrics,client-id=*"
_GROUP = "kafka.consumer:type=consumer-coordinator-metrics,client-id=*"


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
        Metric(_THREAD, "io-wait-ratio"),
    ]
    fetch_latency: Annotated[
        MillisecondsExact | None,
        Cell("Mean time of a fetch."),
        Metric(_FETCH, "fetch-latency-avg"),
    ]
    fetch_latency_max: Annotated[
        MillisecondsExact | None,
        Cell("Longest fetch of late."),
        Metric(_FETCH, "fetch-latency-max"),
    ]
    fetch_rate: Annotated[
        float | None,
        Cell("Fetches of late.", unit="fetches per second", moves=True),
        Metric(_FETCH, "fetch-rate"),
    ]
    fetch_size: Annotated[
        float | None,
        Cell("Mean bytes a fetch brings.", unit="bytes", moves=True),
        Metric(_FETCH, "fetch-size-avg"),
    ]
    fetch_size_max: Annotated[
        float | None,
        Cell("Most bytes a fetch brought of late.", unit="bytes", moves=True),
        Metric(_FETCH, "fetch-size-max"),
    ]
    max_lag: Annotated[
        float | None,
        Cell("How far it is behind at most.", unit="records", moves=True),
        Metric(_FETCH, "records-lag-max"),
    ]
    rebalances: Annotated[
        float | None,
        Cell("Of its group.", unit="rebalances per hour", moves=True),
        Metric(_GROUP, "rebalance-rate-per-hour"),
    ]
    failed_rebalances: Annotated[
        float | None,
        Cell("That failed.", unit="rebalances per hour", moves=True),
        Metric(_GROUP, "failed-rebalance-rate-per-hour"),
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
