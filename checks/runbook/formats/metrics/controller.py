"""What controllers measure, how brokers follow their metadata, and, in ZooKeeper mode, their sessions."""

from runbook.engine.column import Column, ColumnType
from runbook.formats.metrics.broker import ACTIVE, REPLICATION, count, gauge, p99, rate
from runbook.formats.metrics.metric import Group, Metric


def _controller(name: str) -> str:
    return f"kafka.controller:type=KafkaController,name={name}"


CONTROLLER = Group(
    keys=(),
    metrics=(
        ACTIVE,
        gauge(
            "offline_partitions",
            "partitions",
            "Partitions without a leader; the active controller alone counts them, the others say 0.",
            _controller("OfflinePartitionsCount"),
        ),
        gauge(
            "preferred_imbalance",
            "partitions",
            "Partitions that another than the preferred replica leads.",
            _controller("PreferredReplicaImbalanceCount"),
        ),
        gauge("fenced_brokers", "brokers", "Brokers kept out of service.", _controller("FencedBrokerCount")),
        gauge("active_brokers", "brokers", "Brokers in service.", _controller("ActiveBrokerCount")),
        gauge("metadata_errors", "errors", "Metadata that could not be processed.", _controller("MetadataErrorCount")),
        gauge(
            "applied_lag_ms",
            "ms",
            "Age of the last metadata record it applied.",
            _controller("LastAppliedRecordLagMs"),
        ),
        gauge(
            "timed_out_heartbeats",
            "heartbeats",
            "Heartbeats of brokers that came too late, since it became active.",
            _controller("TimedOutBrokerHeartbeatCount"),
        ),
        gauge(
            "new_active",
            "elections",
            "How often it saw another controller become active since it started.",
            _controller("NewActiveControllersCount"),
        ),
        p99(
            "event_queue_p99",
            "Wait of an event for the controller's one thread.",
            "kafka.controller:type=ControllerEventManager,name=EventQueueTimeMs",
        ),
        count(
            "unclean_elections",
            "elections",
            "Elections of a replica that was not in sync, since it became active: acknowledged records may be lost.",
            "kafka.controller:type=ControllerStats,name=UncleanLeaderElectionsPerSec",
        ),
    ),
    nowhere="none of the JVMs that were asked is a controller",
    proof=(REPLICATION.metrics[0],),
)


def _number(name: str, attribute: str, unit: str, says: str, bean: str, kind: ColumnType = "int") -> Metric:
    return Metric(Column(name, kind, says, unit=unit), bean, attribute)


_METADATA = "kafka.server:type=broker-metadata-metrics"
METADATA = Group(
    keys=(),
    metrics=(
        _number(
            "applied_offset", "last-applied-record-offset", "offset", "Last metadata record it applied.", _METADATA
        ),
        _number("applied_lag_ms", "last-applied-record-lag-ms", "ms", "Age of that record.", _METADATA),
        _number("load_errors", "metadata-load-error-count", "errors", "Metadata it could not load.", _METADATA),
        _number("apply_errors", "metadata-apply-error-count", "errors", "Metadata it could not apply.", _METADATA),
    ),
    nowhere="ZooKeeper mode: brokers replay no metadata log",
)

_RAFT = "kafka.server:type=raft-metrics"
RAFT = Group(
    keys=(),
    metrics=(
        Metric(
            Column("state", "string", "leader, follower, observer…; exporters that send numbers only leave it out."),
            _RAFT,
            "current-state",
        ),
        _number("leader", "current-leader", "id", "Node id of the leader as it knows it; -1 for none.", _RAFT),
        _number("epoch", "current-epoch", "epoch", "Of the quorum; each election begins a new one.", _RAFT),
        _number("log_end_offset", "log-end-offset", "offset", "End of its copy of the metadata log.", _RAFT),
        _number("high_watermark", "high-watermark", "offset", "What a majority has.", _RAFT),
        _number("commit_ms", "commit-latency-avg", "ms", "Mean time to commit; known on the leader.", _RAFT, "float"),
        _number(
            "idle", "poll-idle-ratio-avg", "ratio", "Share of its thread's time with nothing to do.", _RAFT, "float"
        ),
    ),
    nowhere="ZooKeeper mode: there is no quorum of controllers",
)


def _session(name: str) -> str:
    return f"kafka.server:type=SessionExpireListener,name={name}"


_LATENCY = "kafka.server:type=ZooKeeperClientMetrics,name=ZooKeeperRequestLatencyMs"
ZOOKEEPER = Group(
    keys=(),
    metrics=(
        count("expires", "sessions", "Sessions that expired since the start.", _session("ZooKeeperExpiresPerSec")),
        rate("expires_rate", "sessions", "Sessions that expire.", _session("ZooKeeperExpiresPerSec")),
        count(
            "disconnects", "connections", "Lost connections since the start.", _session("ZooKeeperDisconnectsPerSec")
        ),
        count(
            "authentication_failures",
            "failures",
            "Refused logins since the start.",
            _session("ZooKeeperAuthFailuresPerSec"),
        ),
        p99("latency_p99", "Request to ZooKeeper.", _LATENCY),
    ),
    nowhere="KRaft mode: brokers have no ZooKeeper session",
    proof=(METADATA.metrics[0],),
)
