"""Names that Kafka's classes know, which decide what becomes of a key.

From the ConfigDefs in org.apache.kafka:connect-mirror 4.3.0 and what it brings: the connectors' CONNECTOR_CONFIG_DEF,
MirrorMakerConfig, DistributedConfig, ConsumerConfig, ProducerConfig and AdminClientConfig; without `ssl.` and `sasl.`,
which every client has.
"""

from typing import Final

CONNECTOR: Final = frozenset(
    """
    admin.timeout.ms checkpoints.topic.replication.factor config.action.reload config.properties.exclude
    config.property.filter.class config.providers connector.class connector.plugin.version
    consumer.poll.timeout.ms emit.checkpoints.enabled emit.checkpoints.interval.seconds emit.heartbeats.enabled
    emit.heartbeats.interval.seconds emit.offset-syncs.enabled enabled errors.log.enable
    errors.log.include.messages errors.retry.delay.max.ms errors.retry.timeout errors.tolerance
    forwarding.admin.class group.filter.class groups groups.exclude header.converter
    header.converter.plugin.version heartbeats.replication.enabled heartbeats.topic.replication.factor
    key.converter key.converter.plugin.version metric.names.formats metric.reporters name
    offset-syncs.topic.location offset-syncs.topic.replication.factor offset.lag.max predicates
    refresh.groups.enabled refresh.groups.interval.seconds refresh.topics.enabled refresh.topics.interval.seconds
    replication.factor replication.policy.class replication.policy.internal.topic.separator.enabled
    replication.policy.separator security.protocol source.cluster.alias sync.group.offsets.enabled
    sync.group.offsets.interval.seconds sync.topic.acls.enabled sync.topic.acls.interval.seconds
    sync.topic.configs.enabled sync.topic.configs.interval.seconds target.cluster.alias tasks.max
    tasks.max.enforce topic.filter.class topics topics.exclude transforms value.converter
    value.converter.plugin.version
    """.split()  # noqa: SIM905 - one name a line would be two hundred lines
)

CONSUMER: Final = frozenset(
    """
    allow.auto.create.topics auto.commit.interval.ms auto.offset.reset bootstrap.servers check.crcs
    client.dns.lookup client.id client.rack connections.max.idle.ms default.api.timeout.ms
    enable.auto.commit enable.metrics.push exclude.internal.topics fetch.max.bytes fetch.max.wait.ms
    fetch.min.bytes group.id group.instance.id group.protocol group.remote.assignor heartbeat.interval.ms
    interceptor.classes isolation.level key.deserializer max.partition.fetch.bytes max.poll.interval.ms
    max.poll.records metadata.max.age.ms metadata.recovery.rebootstrap.trigger.ms metadata.recovery.strategy
    metric.reporters metrics.num.samples metrics.recording.level metrics.sample.window.ms
    partition.assignment.strategy receive.buffer.bytes reconnect.backoff.max.ms reconnect.backoff.ms
    request.timeout.ms retry.backoff.max.ms retry.backoff.ms security.protocol security.providers
    send.buffer.bytes session.timeout.ms socket.connection.setup.timeout.max.ms
    socket.connection.setup.timeout.ms value.deserializer
    """.split()  # noqa: SIM905 - one name a line would be two hundred lines
)

PRODUCER: Final = frozenset(
    """
    acks batch.size bootstrap.servers buffer.memory client.dns.lookup client.id compression.gzip.level
    compression.lz4.level compression.type compression.zstd.level connections.max.idle.ms
    delivery.timeout.ms enable.idempotence enable.metrics.push interceptor.classes key.serializer linger.ms
    max.block.ms max.in.flight.requests.per.connection max.request.size metadata.max.age.ms metadata.max.idle.ms
    metadata.recovery.rebootstrap.trigger.ms metadata.recovery.strategy metric.reporters metrics.num.samples
    metrics.recording.level metrics.sample.window.ms partitioner.adaptive.partitioning.enable
    partitioner.availability.timeout.ms partitioner.class partitioner.ignore.keys receive.buffer.bytes
    reconnect.backoff.max.ms reconnect.backoff.ms request.timeout.ms retries retry.backoff.max.ms
    retry.backoff.ms security.protocol security.providers send.buffer.bytes
    socket.connection.setup.timeout.max.ms socket.connection.setup.timeout.ms transaction.timeout.ms
    transactional.id value.serializer
    """.split()  # noqa: SIM905 - one name a line would be two hundred lines
)

ADMIN: Final = frozenset(
    """
    bootstrap.controllers bootstrap.servers client.dns.lookup client.id connections.max.idle.ms
    default.api.timeout.ms metadata.max.age.ms request.timeout.ms retries retry.backoff.max.ms retry.backoff.ms
    security.protocol
    """.split()  # noqa: SIM905 - one name a line would be two hundred lines
)

WORKER: Final = frozenset(
    """
    access.control.allow.methods access.control.allow.origin admin.listeners bootstrap.servers client.dns.lookup
    client.id connect.protocol connections.max.idle.ms connector.client.config.override.policy
    exactly.once.source.support group.id heartbeat.interval.ms listeners metadata.max.age.ms
    metadata.recovery.rebootstrap.trigger.ms metadata.recovery.strategy metric.reporters metrics.num.samples
    metrics.recording.level metrics.sample.window.ms offset.flush.interval.ms offset.flush.timeout.ms
    plugin.discovery plugin.path rebalance.timeout.ms receive.buffer.bytes reconnect.backoff.max.ms
    reconnect.backoff.ms request.timeout.ms response.http.headers.config rest.extension.classes
    retry.backoff.max.ms retry.backoff.ms scheduled.rebalance.max.delay.ms security.protocol send.buffer.bytes
    session.timeout.ms socket.connection.setup.timeout.max.ms socket.connection.setup.timeout.ms
    topic.creation.enable topic.tracking.allow.reset topic.tracking.enable
    """.split()  # noqa: SIM905 - one name a line would be two hundred lines
)

OF_WORKER_ONLY: Final = (WORKER - CONSUMER - PRODUCER) | {"group.id", "session.timeout.ms", "heartbeat.interval.ms"}
"""What means the workers when it stands alone: MirrorMaker's consumers are in no group."""

OF_FILE: Final = frozenset(
    """
    access.control.allow.methods access.control.allow.origin admin.listeners clusters
    dedicated.mode.enable.internal.rest listeners response.http.headers.config rest.advertised.host.name
    rest.advertised.listener rest.advertised.port
    """.split()  # noqa: SIM905 - one name a line would be two hundred lines
)
"""What a dedicated MirrorMaker reads itself, at the top of its file."""

WORKERS_PREFIXES: Final = (
    "offset.storage",
    "config.storage",
    "status.storage",
    "key.converter",
    "value.converter",
    "header.converter",
    "task",
    "worker",
    "replication.policy",
    "config.providers",
)
"""What a dedicated MirrorMaker hands on to its workers from the top of its file: MirrorMakerConfig.workerConfig."""

EARLIER: Final = {
    "whitelist": "topics",
    "blacklist": "topics.exclude",
    "num.streams": "tasks.max",
    "fetch.message.max.bytes": "max.partition.fetch.bytes",
    "abort.on.send.failure": "errors.tolerance",
    "topics.blacklist": "topics.exclude",
    "groups.blacklist": "groups.exclude",
    "config.properties.blacklist": "config.properties.exclude",
    "zookeeper.connect": "bootstrap.servers",
    "producer.type": "",
    "queue.buffering.max.messages": "buffer.memory",
    "compression.codec": "compression.type",
    "request.required.acks": "acks",
}
"""Names of MirrorMaker 1, of clients of its time, and of MirrorMaker 2 before 4.0 -> what took their place."""


def is_connection(name: str) -> bool:
    """Whether a setting says how to reach a cluster: MirrorClientConfig.CLIENT_CONFIG_DEF, which all clients get."""
    return name in ("bootstrap.servers", "security.protocol") or name.startswith(("ssl.", "sasl."))
