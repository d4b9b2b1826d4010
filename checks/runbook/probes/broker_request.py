"""Requests by kind: how long they take and where they wait."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Group, Metric, Metrics
from runbook.formats.metrics.meters import count, p99
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import MillisecondsExact
from runbook.model.row import Cell
from runbook.probes._metrics import OfBroker, tell_brokers

_REQUEST = "kafka.network:type=RequestMetrics,name={},request=*"


class BrokerRequest(OfBroker):
    """A kind of request that a broker answers."""

    request: Annotated[str, Cell("Kind of request: Produce, FetchConsumer, FetchFollower…", key=True, moves=True)]
    requests: Annotated[
        int | None,
        Cell("Handled since the broker started; kinds without any have no row.", unit="requests", moves=True),
        count(_REQUEST.format("TotalTimeMs")),
    ]
    total_p99: Annotated[
        MillisecondsExact | None,
        Cell("From arrival to the end of the answer."),
        p99(_REQUEST.format("TotalTimeMs")),
    ]
    total_mean: Annotated[
        MillisecondsExact | None,
        Cell("The same, mean; rules of exporters often leave it out."),
        Metric(_REQUEST.format("TotalTimeMs"), "Mean"),
    ]
    queue_p99: Annotated[
        MillisecondsExact | None,
        Cell("Waiting for a request handler."),
        p99(_REQUEST.format("RequestQueueTimeMs")),
    ]
    local_p99: Annotated[
        MillisecondsExact | None,
        Cell("Handling on this broker: disk and locks."),
        p99(_REQUEST.format("LocalTimeMs")),
    ]
    remote_p99: Annotated[
        MillisecondsExact | None,
        Cell("Waiting for others: followers for acks=all, new records for fetches."),
        p99(_REQUEST.format("RemoteTimeMs")),
    ]
    throttle_p99: Annotated[
        MillisecondsExact | None,
        Cell("Held back by a quota."),
        p99(_REQUEST.format("ThrottleTimeMs")),
    ]
    response_queue_p99: Annotated[
        MillisecondsExact | None,
        Cell("Waiting for a network thread."),
        p99(_REQUEST.format("ResponseQueueTimeMs")),
    ]
    send_p99: Annotated[
        MillisecondsExact | None,
        Cell("Sending the answer."),
        p99(_REQUEST.format("ResponseSendTimeMs")),
    ]


GROUP = Group(
    BrokerRequest,
    nowhere="none of the JVMs that were asked is a broker",
    seen="requests",
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker and kind of request that it has handled.",
    row=BrokerRequest,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.network:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the requests of brokers."""
    return tell_brokers(metrics, GROUP)
