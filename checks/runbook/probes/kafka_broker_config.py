"""The brokers' settings in force, one typed column for each that runbooks judge."""

from collections.abc import Mapping

from runbook.connections.kafka import Kafka
from runbook.connections.kafka.answers import Setting
from runbook.engine.column import Column, ColumnType
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

NEVER = 2**63 - 1
"""Kafka's way to say "never" or "no bound" in a 64 bit setting."""

_SETTINGS: tuple[tuple[str, ColumnType, str, str | None, str], ...] = (
    ("min_insync_replicas", "int", "min.insync.replicas", "replicas", ""),
    ("default_replication_factor", "int", "default.replication.factor", "replicas", ""),
    ("num_partitions", "int", "num.partitions", "partitions", ""),
    ("unclean_leader_election", "bool", "unclean.leader.election.enable", None, ""),
    ("auto_create_topics", "bool", "auto.create.topics.enable", None, ""),
    ("recovery_threads", "int", "num.recovery.threads.per.data.dir", "threads", ""),
    ("log_dirs", "list[string]", "log.dirs", None, "log.dir where log.dirs is not set"),
    ("offsets_replication_factor", "int", "offsets.topic.replication.factor", "replicas", ""),
    ("transaction_replication_factor", "int", "transaction.state.log.replication.factor", "replicas", ""),
    ("transaction_min_isr", "int", "transaction.state.log.min.isr", "replicas", ""),
    ("replica_lag_time_max_ms", "int", "replica.lag.time.max.ms", "ms", ""),
    ("controlled_shutdown", "bool", "controlled.shutdown.enable", None, ""),
    ("auto_leader_rebalance", "bool", "auto.leader.rebalance.enable", None, ""),
    ("leader_imbalance_percentage", "int", "leader.imbalance.per.broker.percentage", None, "unknown from Kafka 4.0 on"),
    ("heartbeat_interval_ms", "int", "broker.heartbeat.interval.ms", "ms", ""),
    ("flush_messages", "int", "log.flush.interval.messages", "records", f"{NEVER} leaves it to the OS"),
    ("group_initial_rebalance_delay_ms", "int", "group.initial.rebalance.delay.ms", "ms", ""),
    ("num_io_threads", "int", "num.io.threads", "threads", ""),
    ("num_network_threads", "int", "num.network.threads", "threads", ""),
    ("num_replica_fetchers", "int", "num.replica.fetchers", "threads", ""),
    ("max_message_bytes", "int", "message.max.bytes", "bytes", ""),
    ("controller_quorum_fetch_timeout_ms", "int", "controller.quorum.fetch.timeout.ms", "ms", ""),
)
_UNSET_IS_NONE = (
    "process.roles",
    "zookeeper.connect",
    "controller.quorum.voters",
    "controller.quorum.bootstrap.servers",
)

PROBE = Probe(
    connections=("kafka",),
    help="One row per broker that told its settings.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        *(
            Column(name, kind, f"{setting} in force{f'; {remark}' if remark else ''}.", unit=unit)
            for name, kind, setting, unit, remark in _SETTINGS
        ),
        Column(
            "session_timeout",
            "int",
            "Silence after which the broker counts as dead: broker.session.timeout.ms, in ZooKeeper mode "
            "zookeeper.session.timeout.ms.",
            unit="ms",
        ),
        Column("flush_ms", "int", f"log.flush.interval.ms; {NEVER} when not set.", unit="ms"),
        Column("process_roles", "list[string]", "process.roles; empty in ZooKeeper mode."),
        Column("zookeeper_connect", "string", "zookeeper.connect; empty in KRaft mode."),
        Column(
            "zookeeper_servers", "list[string]", "The servers of zookeeper.connect, in alphabetical order, once each."
        ),
        Column("zookeeper_chroot", "string", "The path at its end, / where there is none; empty in KRaft mode."),
        Column(
            "controller_voters",
            "string",
            "controller.quorum.voters, or controller.quorum.bootstrap.servers where that is set instead; empty for "
            "neither.",
        ),
        Column("sources", "map[string]", "Setting name to where its value comes from, for the settings above."),
    ),
    requests=("ApiVersions", "DescribeCluster", "DescribeConfigs", "Metadata"),
    rights=("DescribeConfigs on the cluster",),
)


def observe(kafka: Kafka) -> Observed:
    """Observe the brokers' settings; a setting that a broker does not tell is None."""
    told, gaps = kafka.broker_settings()
    return Observed(rows=[row(broker, settings) for broker, settings in told.items()], gaps=gaps)


def row(broker: int, settings: Mapping[str, Setting]) -> tuple[object, ...]:
    """Turn a broker's settings into a row."""
    typed = [_typed(kind, _text(settings, setting)) for _, kind, setting, _, _ in _SETTINGS]
    place = [name for name, *_ in _SETTINGS].index("log_dirs")
    typed[place] = typed[place] or _typed("list[string]", _text(settings, "log.dir"))
    kraft = bool(_text(settings, "process.roles"))
    timeout = "broker.session.timeout.ms" if kraft else "zookeeper.session.timeout.ms"
    named = [setting for *_, setting, _, _ in _SETTINGS]
    named += [*_UNSET_IS_NONE, timeout, "log.flush.interval.ms", "log.dir"]
    return (
        broker,
        *typed,
        _typed("int", _text(settings, timeout)),
        _flush_ms(settings),
        _split(_text(settings, "process.roles") or ""),
        *_zookeeper(_text(settings, "zookeeper.connect") or ""),
        _text(settings, "controller.quorum.voters") or _text(settings, "controller.quorum.bootstrap.servers") or "",
        {name: settings[name].source for name in sorted(named) if name in settings},
    )


def _text(settings: Mapping[str, Setting], name: str) -> str | None:
    setting = settings.get(name)
    return None if setting is None or setting.sensitive else setting.value


def _typed(kind: str, value: str | None) -> object:
    if value is None:
        return None
    if kind == "int":
        return int(value)
    if kind == "bool":
        return value.lower() == "true"
    return _split(value)


def _split(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]


def _zookeeper(connect: str) -> tuple[str, list[str], str]:
    """zookeeper.connect, its servers, and its chroot, which stands once at the end."""
    servers, slash, path = connect.partition("/")
    return connect, sorted({*_split(servers)}), f"{slash}{path.rstrip('/')}" or ("/" if connect else "")


def _flush_ms(settings: Mapping[str, Setting]) -> int | None:
    """log.flush.interval.ms falls back to log.flush.scheduler.interval.ms, whose default is never."""
    for name in ("log.flush.interval.ms", "log.flush.scheduler.interval.ms"):
        if (value := _text(settings, name)) is not None:
            return int(value)
    return None
