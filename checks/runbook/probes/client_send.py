"""Where records of Java producers wait before they are acknowledged: memory, their turn, retries, a quota."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Group, Metric, Metrics
from runbook.formats.metrics.meters import CONSUMER_IO
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import MillisecondsExact
from runbook.model.row import Cell
from runbook.probes._metrics import OfApplication, tell_apart

_PRODUCER = "kafka.producer:type=producer-metrics,client-id=*"


class ClientSend(OfApplication):
    """A producer of an application."""

    client: Annotated[str, Cell("client.id.", key=True)]
    sent: Annotated[
        float | None,
        Cell("Records that were sent.", unit="records per second", moves=True),
        Metric(_PRODUCER, "record-send-rate"),
    ]
    retries: Annotated[
        float | None,
        Cell("Records that were sent again.", unit="records per second", moves=True),
        Metric(_PRODUCER, "record-retry-rate"),
    ]
    record_size: Annotated[
        float | None,
        Cell("Mean bytes of a record, before compression.", unit="bytes", moves=True),
        Metric(_PRODUCER, "record-size-avg"),
    ]
    queue_time: Annotated[
        MillisecondsExact | None,
        Cell("Mean time of a batch in the producer's memory before it is sent, linger.ms included.", moves=True),
        Metric(_PRODUCER, "record-queue-time-avg"),
    ]
    buffer_wait: Annotated[
        float | None,
        Cell("Share of time that callers of send() waited for memory of buffer.memory.", unit="ratio", moves=True),
        Metric(_PRODUCER, "bufferpool-wait-ratio"),
    ]
    buffer_left: Annotated[
        float | None,
        Cell("Bytes of buffer.memory that are free.", unit="bytes", moves=True),
        Metric(_PRODUCER, "buffer-available-bytes"),
    ]
    throttled: Annotated[
        MillisecondsExact | None,
        Cell("Mean time that brokers throttled a request, by a quota.", moves=True),
        Metric(_PRODUCER, "produce-throttle-time-avg"),
    ]


GROUP = Group(
    ClientSend,
    nowhere="none of the applications that were asked has a Java producer",
    proof=(CONSUMER_IO,),
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per application and producer.",
    row=ClientSend,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.producer:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe where records of producers wait."""
    return tell_apart(metrics, GROUP)
