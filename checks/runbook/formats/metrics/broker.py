"""What brokers measure: replication, load, requests, and their ties to ZooKeeper.

Kafka's meters give a rate over the last minute (an exponentially weighted one, kept by the broker), so one look is
enough. Its percentiles are over a sample weighted towards the last five minutes.
"""

from runbook.engine.column import Column, ColumnType
from runbook.formats.metrics.metric import Group, Metric

IDENTITY = Metric(
    Column("started", "timestamp", "When Kafka started in this JVM."),
    "kafka.server:type=app-info,id=*",
    "StartTimeMs",
)
"""Its star is the node id: it tells whose metrics these are."""

RATE = "OneMinuteRate"
"""Per second, over the last minute or so."""


def gauge(name: str, unit: str, says: str, bean: str, kind: ColumnType = "int") -> Metric:
    """A number as it is now."""
    return Metric(Column(name, kind, says, unit=unit), bean, "Value")


def rate(name: str, unit: str, says: str, bean: str) -> Metric:
    """How often a second something happened in the last minute."""
    return Metric(Column(name, "float", says, unit=f"{unit} per second"), bean, RATE)


def count(name: str, unit: str, says: str, bean: str) -> Metric:
    """How often something happened since the JVM started."""
    return Metric(Column(name, "int", says, unit=unit), bean, "Count")


def p99(name: str, says: str, bean: str) -> Metric:
    """The time that 99 of 100 took at most."""
    return Metric(Column(name, "float", says, unit="ms"), bean, "99thPercentile")


LOGGERS = Group(
    keys=(Column("logger", "string", "Name of the logger; root is the one all others inherit from.", key=True),),
    metrics=(
        Metric(
            Column("level", "string", "Its level in force: OFF, FATAL, ERROR, WARN, INFO, DEBUG, TRACE or ALL."),
            "kafka:type=kafka.Log4jController",
            "Loggers",
            pairs=True,
        ),
    ),
    nowhere="none of the JVMs that were asked is a broker",
)


def _replicas(name: str) -> str:
    return f"kafka.server:type=ReplicaManager,name={name}"


ACTIVE = gauge(
    "active",
    "controllers",
    "1 if it is the active controller, else 0.",
    "kafka.controller:type=KafkaController,name=ActiveControllerCount",
)
_FETCHERS = "kafka.server:type=ReplicaFetcherManager,name={},clientId=Replica"
REPLICATION = Group(
    keys=(),
    metrics=(
        gauge(
            "under_replicated",
            "partitions",
            "Partitions it leads that have a replica out of sync.",
            _replicas("UnderReplicatedPartitions"),
        ),
        gauge(
            "under_min_isr",
            "partitions",
            "Partitions it leads that refuse acks=all writes.",
            _replicas("UnderMinIsrPartitionCount"),
        ),
        gauge(
            "at_min_isr",
            "partitions",
            "Partitions it leads that would, with one replica less in sync.",
            _replicas("AtMinIsrPartitionCount"),
        ),
        gauge("offline_replicas", "replicas", "Replicas on its failed disks.", _replicas("OfflineReplicaCount")),
        gauge("partitions", "partitions", "Replicas it holds.", _replicas("PartitionCount")),
        gauge("leaders", "partitions", "Partitions it leads.", _replicas("LeaderCount")),
        rate("isr_shrinks", "shrinks", "Replicas falling out of sync.", _replicas("IsrShrinksPerSec")),
        rate("isr_expands", "expansions", "Replicas coming back in sync.", _replicas("IsrExpandsPerSec")),
        rate(
            "failed_isr_updates",
            "failures",
            "Changes of the in-sync set that the controller did not take.",
            _replicas("FailedIsrUpdatesPerSec"),
        ),
        count(
            "isr_shrinks_since_start",
            "shrinks",
            "Replicas that fell out of sync since the broker started.",
            _replicas("IsrShrinksPerSec"),
        ),
        gauge(
            "max_lag", "records", "How far its followers are behind their leaders at most.", _FETCHERS.format("MaxLag")
        ),
        gauge(
            "failed_fetchers",
            "partitions",
            "Partitions whose fetching stopped on an error.",
            _FETCHERS.format("FailedPartitionsCount"),
        ),
    ),
    nowhere="none of the JVMs that were asked is a broker",
    proof=(ACTIVE,),
)


def _topics(name: str) -> str:
    return f"kafka.server:type=BrokerTopicMetrics,name={name}"


def _purgatory(operation: str) -> str:
    return f"kafka.server:type=DelayedOperationPurgatory,name=PurgatorySize,delayedOperation={operation}"


_IDLE = "{} that had nothing to do, 0 to 1."
_STATE = gauge(
    "state",
    "code",
    "1 starting, 2 recovering its logs, 3 running, 6 and 7 shutting down.",
    "kafka.server:type=KafkaServer,name=BrokerState",
)
LOAD = Group(
    keys=(),
    metrics=(
        rate("bytes_in", "bytes", "Bytes that producers wrote.", _topics("BytesInPerSec")),
        rate("bytes_out", "bytes", "Bytes that consumers read.", _topics("BytesOutPerSec")),
        rate("messages_in", "records", "Records that producers wrote.", _topics("MessagesInPerSec")),
        rate("failed_produce", "requests", "Produce requests that failed.", _topics("FailedProduceRequestsPerSec")),
        rate("failed_fetch", "requests", "Fetch requests that failed.", _topics("FailedFetchRequestsPerSec")),
        Metric(
            Column(
                "handler_idle", "float", _IDLE.format("Share of the last minute's request handler time"), unit="ratio"
            ),
            "kafka.server:type=KafkaRequestHandlerPool,name=RequestHandlerAvgIdlePercent",
            RATE,
        ),
        gauge(
            "network_idle",
            "ratio",
            _IDLE.format("Share of the network threads' time, averaged over them,"),
            "kafka.network:type=SocketServer,name=NetworkProcessorAvgIdlePercent",
            "float",
        ),
        gauge(
            "request_queue",
            "requests",
            "Requests that wait for a handler.",
            "kafka.network:type=RequestChannel,name=RequestQueueSize",
        ),
        p99("flush_p99", "Flush of a segment to disk.", "kafka.log:type=LogFlushStats,name=LogFlushRateAndTimeMs"),
        gauge("produce_purgatory", "requests", "acks=all writes that wait for followers.", _purgatory("Produce")),
        gauge("fetch_purgatory", "requests", "Fetches that wait for more records.", _purgatory("Fetch")),
        gauge(
            "expired_connections",
            "connections",
            "Closed since the start, as a client did not log in again (KIP-368).",
            "kafka.network:type=SocketServer,name=ExpiredConnectionsKilledCount",
        ),
        gauge(
            "offline_log_dirs",
            "directories",
            "Failed log directories.",
            "kafka.log:type=LogManager,name=OfflineLogDirectoryCount",
        ),
        _STATE,
    ),
    nowhere="none of the JVMs that were asked is a broker",
    proof=(ACTIVE,),
    of=_STATE,
)


def _request(name: str) -> str:
    return f"kafka.network:type=RequestMetrics,name={name},request=*"


_TOTAL = _request("TotalTimeMs")
REQUESTS = Group(
    keys=(Column("request", "string", "Kind of request: Produce, FetchConsumer, FetchFollower…", key=True),),
    metrics=(
        count("requests", "requests", "Handled since the broker started; kinds without any have no row.", _TOTAL),
        p99("total_p99", "From arrival to the end of the answer.", _TOTAL),
        Metric(
            Column("total_mean", "float", "The same, mean; rules of exporters often leave it out.", unit="ms"),
            _TOTAL,
            "Mean",
        ),
        p99("queue_p99", "Waiting for a request handler.", _request("RequestQueueTimeMs")),
        p99("local_p99", "Handling on this broker: disk and locks.", _request("LocalTimeMs")),
        p99(
            "remote_p99",
            "Waiting for others: followers for acks=all, new records for fetches.",
            _request("RemoteTimeMs"),
        ),
        p99("throttle_p99", "Held back by a quota.", _request("ThrottleTimeMs")),
        p99("response_queue_p99", "Waiting for a network thread.", _request("ResponseQueueTimeMs")),
        p99("send_p99", "Sending the answer.", _request("ResponseSendTimeMs")),
    ),
    nowhere="none of the JVMs that were asked is a broker",
    seen="requests",
)
