"""The brokers' settings in force, one typed column for each that runbooks judge."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from msgspec import structs

from runbook.answers.kafka import Setting
from runbook.formats.declared import setting, settings_of
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Bytes, Milliseconds
from runbook.model.row import Cell, Row, row_of

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka

NEVER = 2**63 - 1
"""Kafka's way to say "never" or "no bound" in a 64 bit setting."""


_FLUSH = ("log.flush.interval.ms", "log.flush.scheduler.interval.ms")
"""The former falls back to the latter, whose default is never."""
_VOTERS = ("controller.quorum.voters", "controller.quorum.bootstrap.servers")
_BESIDE = ("log.dirs", "log.dir", "log.flush.interval.ms", *_VOTERS)
"""What cells are worked out from, beside the settings that are cells themselves."""


_APART_DECIDE = "controllers run apart: their files have broker.session.timeout.ms, and brokers do not know it"
_APART = "controllers run apart and have settings of their own, which decide when they create topics or elect leaders"


class KafkaBrokerConfig(Row):
    """What a broker says of itself."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    min_insync_replicas: Annotated[int | None, Cell("min.insync.replicas in force.", unit="replicas")] = setting(
        "min.insync.replicas"
    )
    default_replication_factor: Annotated[int | None, Cell("default.replication.factor in force.", unit="replicas")] = (
        setting("default.replication.factor")
    )
    num_partitions: Annotated[int | None, Cell("num.partitions in force.", unit="partitions")] = setting(
        "num.partitions"
    )
    unclean_leader_election: Annotated[bool | None, Cell("unclean.leader.election.enable in force.")] = setting(
        "unclean.leader.election.enable"
    )
    auto_create_topics: Annotated[bool | None, Cell("auto.create.topics.enable in force.")] = setting(
        "auto.create.topics.enable"
    )
    recovery_threads: Annotated[int | None, Cell("num.recovery.threads.per.data.dir in force.", unit="threads")] = (
        setting("num.recovery.threads.per.data.dir")
    )
    log_dirs: Annotated[list[str] | None, Cell("log.dirs in force; log.dir where log.dirs is not set.")]
    offsets_replication_factor: Annotated[
        int | None,
        Cell("offsets.topic.replication.factor in force.", unit="replicas"),
    ] = setting("offsets.topic.replication.factor")
    transaction_replication_factor: Annotated[
        int | None,
        Cell("transaction.state.log.replication.factor in force.", unit="replicas"),
    ] = setting("transaction.state.log.replication.factor")
    transaction_min_isr: Annotated[int | None, Cell("transaction.state.log.min.isr in force.", unit="replicas")] = (
        setting("transaction.state.log.min.isr")
    )
    replica_lag_time_max_ms: Annotated[Milliseconds | None, Cell("replica.lag.time.max.ms in force.")] = setting(
        "replica.lag.time.max.ms"
    )
    controlled_shutdown: Annotated[bool | None, Cell("controlled.shutdown.enable in force.")] = setting(
        "controlled.shutdown.enable"
    )
    auto_leader_rebalance: Annotated[bool | None, Cell("auto.leader.rebalance.enable in force.")] = setting(
        "auto.leader.rebalance.enable"
    )
    leader_imbalance_percentage: Annotated[
        int | None,
        Cell("leader.imbalance.per.broker.percentage in force; unknown from Kafka 4.0 on."),
    ] = setting("leader.imbalance.per.broker.percentage")
    heartbeat_interval_ms: Annotated[Milliseconds | None, Cell("broker.heartbeat.interval.ms in force.")] = setting(
        "broker.heartbeat.interval.ms"
    )
    flush_messages: Annotated[
        int | None,
        Cell(f"log.flush.interval.messages in force; {NEVER} leaves it to the OS.", unit="records"),
    ] = setting("log.flush.interval.messages")
    group_initial_rebalance_delay_ms: Annotated[
        Milliseconds | None, Cell("group.initial.rebalance.delay.ms in force.")
    ] = setting("group.initial.rebalance.delay.ms")
    num_io_threads: Annotated[int | None, Cell("num.io.threads in force.", unit="threads")] = setting("num.io.threads")
    num_network_threads: Annotated[int | None, Cell("num.network.threads in force.", unit="threads")] = setting(
        "num.network.threads"
    )
    num_replica_fetchers: Annotated[int | None, Cell("num.replica.fetchers in force.", unit="threads")] = setting(
        "num.replica.fetchers"
    )
    max_message_bytes: Annotated[Bytes | None, Cell("message.max.bytes in force.")] = setting("message.max.bytes")
    controller_quorum_fetch_timeout_ms: Annotated[
        Milliseconds | None,
        Cell("controller.quorum.fetch.timeout.ms in force."),
    ] = setting("controller.quorum.fetch.timeout.ms")
    session_timeout: Annotated[
        Milliseconds | None,
        Cell(
            "Silence after which the broker counts as dead: broker.session.timeout.ms, in ZooKeeper mode "
            "zookeeper.session.timeout.ms. The controllers' file decides in KRaft (kafka.server.ControllerServer): "
            "unknown where they run apart.",
            untold=_APART_DECIDE,
        ),
    ]
    flush_ms: Annotated[Milliseconds | None, Cell(f"log.flush.interval.ms; {NEVER} when not set.")]
    process_roles: Annotated[list[str], Cell("process.roles; empty in ZooKeeper mode.")] = setting("process.roles")
    zookeeper_connect: Annotated[str, Cell("zookeeper.connect; empty in KRaft mode.")] = setting("zookeeper.connect")
    zookeeper_servers: Annotated[list[str], Cell("The servers of zookeeper.connect, in alphabetical order, once each.")]
    zookeeper_chroot: Annotated[str, Cell("The path at its end, / where there is none; empty in KRaft mode.")]
    controller_voters: Annotated[
        str,
        Cell(
            "controller.quorum.voters, or controller.quorum.bootstrap.servers where that is set instead; empty for "
            "neither."
        ),
    ]
    apart: Annotated[str, Cell("What controllers that run apart decide by settings of their own; else empty.")]
    sources: Annotated[dict[str, str], Cell("Setting name to where its value comes from, for the settings above.")]


PROBE = Probe(
    connections=("kafka",),
    help="One row per broker that reported its settings.",
    row=KafkaBrokerConfig,
    requests=("ApiVersions", "DescribeCluster", "DescribeConfigs", "Metadata"),
    rights=("DescribeConfigs on the cluster",),
)


def observe(kafka: "Kafka") -> Observed:
    """Observe the brokers' settings; a setting that a broker does not tell is None."""
    by_broker, gaps = kafka.broker_settings()
    return Observed(rows=decided([row(broker, settings) for broker, settings in by_broker.items()]), gaps=gaps)


def decided(rows: list[KafkaBrokerConfig]) -> list[KafkaBrokerConfig]:
    """The rows; where some brokers are controllers too, these tell what decides about the others, if they agree."""
    controllers = {one.session_timeout for one in rows if "controller" in one.process_roles}
    if not controllers:
        return rows
    decides = next(iter(controllers)) if len(controllers) == 1 else None
    return [structs.replace(one, session_timeout=decides, apart="") if one.apart else one for one in rows]


def row(broker: BrokerId, settings: Mapping[str, Setting]) -> KafkaBrokerConfig:
    """Turn a broker's settings into a row."""
    said = {name: one.value for name, one in settings.items() if not one.sensitive}
    # not made up: a broker that does not know the setting is of before KRaft
    kraft = bool(said.get("process.roles"))
    apart = said.get("process.roles") == "broker"
    timeout = "broker.session.timeout.ms" if kraft else "zookeeper.session.timeout.ms"
    connect = said.get("zookeeper.connect") or ""
    log_dirs = said.get("log.dirs") or said.get("log.dir")
    flush = next((said[name] for name in _FLUSH if said.get(name) is not None), None)
    named = {*settings_of(KafkaBrokerConfig), *_BESIDE, timeout}
    return row_of(
        KafkaBrokerConfig,
        said,
        broker=broker,
        log_dirs=None if log_dirs is None else _split(log_dirs),
        session_timeout=None if apart else _ms(said.get(timeout)),
        flush_ms=_ms(flush),
        zookeeper_servers=sorted({*_split(connect.partition("/")[0])}),
        zookeeper_chroot=_chroot(connect),
        controller_voters=said.get(_VOTERS[0]) or said.get(_VOTERS[1]) or "",
        apart=_APART if apart else "",
        sources={name: settings[name].source for name in sorted(named) if name in settings},
    )


def _ms(value: str | None) -> Milliseconds | None:
    return None if value is None else Milliseconds(int(value))


def _split(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]


def _chroot(connect: str) -> str:
    """The path that stands once at the end of zookeeper.connect."""
    _, slash, path = connect.partition("/")
    return f"{slash}{path.rstrip('/')}" or ("/" if connect else "")
