"""What a broker does and what it has left: traffic, idle threads, queues, flushes."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Group, Metrics
from runbook.formats.metrics.meters import ACTIVE_CONTROLLERS, gauge, p99, rate
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import MillisecondsExact
from runbook.model.row import Cell
from runbook.probes._metrics import OfBroker, tell_brokers

_TOPICS = "kafka.server:type=BrokerTopicMetrics,name="
_PURGATORY = "kafka.server:type=DelayedOperationPurgatory,name=PurgatorySize,delayedOperation="


class BrokerLoad(OfBroker):
    """What a broker does, and what it has left."""

    bytes_in: Annotated[
        float | None,
        Cell("Bytes that producers wrote.", unit="bytes/s", moves=True),
        rate(_TOPICS + "BytesInPerSec"),
    ]
    bytes_out: Annotated[
        float | None,
        Cell("Bytes that consumers read.", unit="bytes/s", moves=True),
        rate(_TOPICS + "BytesOutPerSec"),
    ]
    messages_in: Annotated[
        float | None,
        Cell("Records that producers wrote.", unit="records per second", moves=True),
        rate(_TOPICS + "MessagesInPerSec"),
    ]
    failed_produce: Annotated[
        float | None,
        Cell("Produce requests that failed.", unit="requests per second", moves=True),
        rate(_TOPICS + "FailedProduceRequestsPerSec"),
    ]
    failed_fetch: Annotated[
        float | None,
        Cell("Fetch requests that failed.", unit="requests per second", moves=True),
        rate(_TOPICS + "FailedFetchRequestsPerSec"),
    ]
    handler_idle: Annotated[
        float | None,
        Cell(
            "Share of the last minute's request handler time that had nothing to do, 0 to 1.", unit="ratio", moves=True
        ),
        rate("kafka.server:type=KafkaRequestHandlerPool,name=RequestHandlerAvgIdlePercent"),
    ]
    network_idle: Annotated[
        float | None,
        Cell(
            "Share of the network threads' time, averaged over them, that had nothing to do, 0 to 1.",
            unit="ratio",
            moves=True,
        ),
        gauge("kafka.network:type=SocketServer,name=NetworkProcessorAvgIdlePercent"),
    ]
    request_queue: Annotated[
        int | None,
        Cell("Requests that wait for a handler.", unit="requests", moves=True),
        gauge("kafka.network:type=RequestChannel,name=RequestQueueSize"),
    ]
    flush_p99: Annotated[
        MillisecondsExact | None,
        Cell("Flush of a segment to disk."),
        p99("kafka.log:type=LogFlushStats,name=LogFlushRateAndTimeMs"),
    ]
    produce_purgatory: Annotated[
        int | None,
        Cell("acks=all writes that wait for followers.", unit="requests", moves=True),
        gauge(_PURGATORY + "Produce"),
    ]
    fetch_purgatory: Annotated[
        int | None,
        Cell("Fetches that wait for more records.", unit="requests", moves=True),
        gauge(_PURGATORY + "Fetch"),
    ]
    expired_connections: Annotated[
        int | None,
        Cell("Closed since the start, as a client did not log in again (KIP-368).", unit="connections", moves=True),
        gauge("kafka.network:type=SocketServer,name=ExpiredConnectionsKilledCount"),
    ]
    offline_log_dirs: Annotated[
        int | None,
        Cell("Failed log directories.", unit="directories"),
        gauge("kafka.log:type=LogManager,name=OfflineLogDirectoryCount"),
    ]
    state: Annotated[
        int | None,
        Cell("1 starting, 2 recovering its logs, 3 running, 6 and 7 shutting down.", unit="code"),
        gauge("kafka.server:type=KafkaServer,name=BrokerState"),
    ]


GROUP = Group(
    BrokerLoad,
    nowhere="none of the JVMs that were asked is a broker",
    proof=(ACTIVE_CONTROLLERS,),
    of="state",
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker.",
    row=BrokerLoad,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=(
        "Jolokia: read of kafka.server:*, kafka.network:* and kafka.log:*",
        "Prometheus: to query, or to read the exporters' pages",
    ),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the load of brokers."""
    return tell_brokers(metrics, GROUP)
