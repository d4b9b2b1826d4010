"""The brokers' settings in force, one typed column for each that runbooks judge."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from runbook.answers.kafka import Setting
from runbook.model.column import ColumnType
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Bytes, Milliseconds
from runbook.model.row import Cell, Row, columns_of

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka

NEVER = 2**63 - 1
"""Kafka's way to say "never" or "no bound" in a 64 bit setting."""

_SETTINGS = {
    "min_insync_replicas": "min.insync.replicas",
    "default_replication_factor": "default.replication.factor",
    "num_partitions": "num.partitions",
    "unclean_leader_election": "unclean.leader.election.enable",
    "auto_create_topics": "auto.create.topics.enable",
    "recovery_threads": "num.recovery.threads.per.data.dir",
    "log_dirs": "log.dirs",
    "offsets_replication_factor": "offsets.topic.replication.factor",
    "transaction_replication_factor": "transaction.state.log.replication.factor",
    "transaction_min_isr": "transaction.state.log.min.isr",
    "replica_lag_time_max_ms": "replica.lag.time.max.ms",
    "controlled_shutdown": "controlled.shutdown.enable",
    "auto_leader_rebalance": "auto.leader.rebalance.enable",
    "leader_imbalance_percentage": "leader.imbalance.per.broker.percentage",
    "heartbeat_interval_ms": "broker.heartbeat.interval.ms",
    "flush_messages": "log.flush.interval.messages",
    "group_initial_rebalance_delay_ms": "group.initial.rebalance.delay.ms",
    "num_io_threads": "num.io.threads",
    "num_network_threads": "num.network.threads",
    "num_replica_fetchers": "num.replica.fetchers",
    "max_message_bytes": "message.max.bytes",
    "controller_quorum_fetch_timeout_ms": "controller.quorum.fetch.timeout.ms",
}
"""Column → the setting that it shows."""
_UNSET_IS_NONE = (
    "process.roles",
    "zookeeper.connect",
    "controller.quorum.voters",
    "controller.quorum.bootstrap.servers",
)


class KafkaBrokerConfig(Row):
    """What a broker says of itself."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    min_insync_replicas: Annotated[int | None, Cell("min.insync.replicas in force.", unit="replicas")]
    default_replication_factor: Annotated[int | None, Cell("default.replication.factor in force.", unit="replicas")]
    num_partitions: Annotated[int | None, Cell("num.partitions in force.", unit="partitions")]
    unclean_leader_election: Annotated[bool | None, Cell("unclean.leader.election.enable in force.")]
    auto_create_topics: Annotated[bool | None, Cell("auto.create.topics.enable in force.")]
    recovery_threads: Annotated[int | None, Cell("num.recovery.threads.per.data.dir in force.", unit="threads")]
    log_dirs: Annotated[list[str] | None, Cell("log.dirs in force; log.dir where log.dirs is not set.")]
    offsets_replication_factor: Annotated[
        int | None,
        Cell("offsets.topic.replication.factor in force.", unit="replicas"),
    ]
    transaction_replication_factor: Annotated[
        int | None,
        Cell("transaction.state.log.replication.factor in force.", unit="replicas"),
    ]
    transaction_min_isr: Annotated[int | None, Cell("transaction.state.log.min.isr in force.", unit="replicas")]
    replica_lag_time_max_ms: Annotated[Milliseconds | None, Cell("replica.lag.time.max.ms in force.")]
    controlled_shutdown: Annotated[bool | None, Cell("controlled.shutdown.enable in force.")]
    auto_leader_rebalance: Annotated[bool | None, Cell("auto.leader.rebalance.enable in force.")]
    leader_imbalance_percentage: Annotated[
        int | None,
        Cell("leader.imbalance.per.broker.percentage in force; unknown from Kafka 4.0 on."),
    ]
    heartbeat_interval_ms: Annotated[Milliseconds | None, Cell("broker.heartbeat.interval.ms in force.")]
    flush_messages: Annotated[
        int | None,
        Cell(f"log.flush.interval.messages in force; {NEVER} leaves it to the OS.", unit="records"),
    ]
    group_initial_rebalance_delay_ms: Annotated[Milliseconds | None, Cell("group.initial.rebalance.delay.ms in force.")]
    num_io_threads: Annotated[int | None, Cell("num.io.threads in force.", unit="threads")]
    num_network_threads: Annotated[int | None, Cell("num.network.threads in force.", unit="threads")]
    num_replica_fetchers: Annotated[int | None, Cell("num.replica.fetchers in force.", unit="threads")]
    max_message_bytes: Annotated[Bytes | None, Cell("message.max.bytes in force.")]
    controller_quorum_fetch_timeout_ms: Annotated[
        Milliseconds | None,
        Cell("controller.quorum.fetch.timeout.ms in force."),
    ]
    session_timeout: Annotated[
        Milliseconds | None,
        Cell(
            "Silence after which the broker counts as dead: broker.session.timeout.ms, in ZooKeeper mode "
            "zookeeper.session.timeout.ms."
        ),
    ]
    flush_ms: Annotated[Milliseconds | None, Cell(f"log.flush.interval.ms; {NEVER} when not set.")]
    process_roles: Annotated[list[str], Cell("process.roles; empty in ZooKeeper mode.")]
    zookeeper_connect: Annotated[str, Cell("zookeeper.connect; empty in KRaft mode.")]
    zookeeper_servers: Annotated[list[str], Cell("The servers of zookeeper.connect, in alphabetical order, once each.")]
    zookeeper_chroot: Annotated[str, Cell("The path at its end, / where there is none; empty in KRaft mode.")]
    controller_voters: Annotated[
        str,
        Cell(
            "controller.quorum.voters, or controller.quorum.bootstrap.servers where that is set instead; empty for "
            "neither."
        ),
    ]
    sources: Annotated[dict[str, str], Cell("Setting name to where its value comes from, for the settings above.")]


PROBE = Probe(
    connections=("kafka",),
    help="One row per broker that told its settings.",
    row=KafkaBrokerConfig,
    requests=("ApiVersions", "DescribeCluster", "DescribeConfigs", "Metadata"),
    rights=("DescribeConfigs on the cluster",),
)


def observe(kafka: "Kafka") -> Observed:
    """Observe the brokers' settings; a setting that a broker does not tell is None."""
    by_broker, gaps = kafka.broker_settings()
    return Observed(rows=[row(broker, settings) for broker, settings in by_broker.items()], gaps=gaps)


def row(broker: BrokerId, settings: Mapping[str, Setting]) -> KafkaBrokerConfig:
    """Turn a broker's settings into a row."""
    kinds = {column.name: column.type for column in columns_of(KafkaBrokerConfig)}
    cells = {name: _typed(kinds[name], _text(settings, setting)) for name, setting in _SETTINGS.items()}
    cells["log_dirs"] = cells["log_dirs"] or _typed("list[string]", _text(settings, "log.dir"))
    # not made up: a broker that does not know the setting is of before KRaft
    kraft = bool(_text(settings, "process.roles"))
    timeout = "broker.session.timeout.ms" if kraft else "zookeeper.session.timeout.ms"
    connect = _text(settings, "zookeeper.connect") or ""
    named = [*_SETTINGS.values(), *_UNSET_IS_NONE, timeout, "log.flush.interval.ms", "log.dir"]
    return KafkaBrokerConfig(
        broker=broker,
        session_timeout=_ms(_text(settings, timeout)),
        flush_ms=_flush_ms(settings),
        process_roles=_split(_text(settings, "process.roles") or ""),
        zookeeper_connect=connect,
        zookeeper_servers=sorted({*_split(connect.partition("/")[0])}),
        zookeeper_chroot=_chroot(connect),
        controller_voters=_text(settings, "controller.quorum.voters")
        or _text(settings, "controller.quorum.bootstrap.servers")
        or "",
        sources={name: settings[name].source for name in sorted(named) if name in settings},
        **cells,
    )


def _text(settings: Mapping[str, Setting], name: str) -> str | None:
    setting = settings.get(name)
    return None if setting is None or setting.sensitive else setting.value


def _typed(kind: ColumnType, value: str | None) -> Any:
    if value is None:
        return None
    if kind == "int":
        return int(value)
    if kind == "bool":
        return value.lower() == "true"
    return _split(value)


def _ms(value: str | None) -> Milliseconds | None:
    return None if value is None else Milliseconds(int(value))


def _split(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]


def _chroot(connect: str) -> str:
    """The path that stands once at the end of zookeeper.connect."""
    _, slash, path = connect.partition("/")
    return f"{slash}{path.rstrip('/')}" or ("/" if connect else "")


def _flush_ms(settings: Mapping[str, Setting]) -> Milliseconds | None:
    """log.flush.interval.ms falls back to log.flush.scheduler.interval.ms, whose default is never."""
    texts = (_text(settings, name) for name in ("log.flush.interval.ms", "log.flush.scheduler.interval.ms"))
    return _ms(next((value for value in texts if value is not None), None))
