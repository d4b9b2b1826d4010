"""The topics with the settings that decide whether their data survives."""

from runbook.connections.kafka import Kafka
from runbook.connections.kafka.answers import TopicSettings
from runbook.engine.column import Column
from runbook.engine.errors import CannotLook
from runbook.engine.fact import Observed
from runbook.engine.parameter import Parameter
from runbook.engine.probe import Probe

INTERNAL = Parameter(type="bool", help="true: only Kafka's internal topics; false: all others; not given: both")

PROBE = Probe(
    connections=("kafka",),
    help="One row per topic.",
    columns=(
        Column("name", "string", "Name.", key=True, entity="topic"),
        Column("internal", "bool", "Whether Kafka itself marks it as internal."),
        Column("partitions", "int", "Number of partitions.", unit="partitions"),
        Column("replication_factor", "int", "Replicas of the partition that has the fewest.", unit="replicas"),
        Column("min_insync_replicas", "int", "min.insync.replicas in force for the topic.", unit="replicas"),
        Column("min_insync_replicas_source", "string", "Where that comes from, such as DYNAMIC_TOPIC_CONFIG."),
        Column("unclean_leader_election", "bool", "unclean.leader.election.enable in force for the topic."),
        Column("cleanup_policy", "string", "cleanup.policy: delete, compact, or both."),
        Column("retention_ms", "int", "retention.ms; -1 keeps for ever.", unit="ms"),
        Column("retention_bytes", "int", "retention.bytes per partition; -1 is no bound.", unit="bytes"),
        Column("segment_bytes", "int", "segment.bytes.", unit="bytes"),
        Column("segment_ms", "int", "segment.ms.", unit="ms"),
        Column("max_message_bytes", "int", "max.message.bytes: largest record batch.", unit="bytes"),
        Column("flush_messages", "int", "flush.messages; 9223372036854775807 leaves it to the OS.", unit="records"),
        Column("flush_ms", "int", "flush.ms; 9223372036854775807 leaves it to the OS.", unit="ms"),
        Column("compression_type", "string", "compression.type."),
        Column("timestamp_type", "string", "message.timestamp.type: CreateTime (the writer's) or LogAppendTime."),
        Column("overrides", "map[string]", "Settings set on the topic itself."),
    ),
    requests=("DescribeCluster", "DescribeConfigs", "Metadata"),
    rights=(
        "Describe on all topics",
        "DescribeConfigs on topics",
        "Describe on the cluster, to see that no ACL hides topics",
    ),
    parameters={"internal": INTERNAL},
)

_NUMBERS = (
    "retention.ms",
    "retention.bytes",
    "segment.bytes",
    "segment.ms",
    "max.message.bytes",
    "flush.messages",
    "flush.ms",
)


def observe(kafka: Kafka, *, internal: bool | None = None) -> Observed:
    """Observe the topics; settings that could not be read are None."""
    marked = kafka.internal_topics()
    settings = kafka.topic_settings()
    rows = []
    for name, partitions in kafka.lasting_topics().items():
        if internal is not None and (name in marked) != internal:
            continue
        seen = settings.get(name)
        least = min((len(partition.replicas) for partition in partitions), default=0)
        known = seen if isinstance(seen, TopicSettings) else None
        rows.append((name, name in marked, len(partitions), least, *_settings(known)))
    return Observed(rows=rows, gaps=kafka.topics_gaps())


def _settings(seen: TopicSettings | None) -> tuple[object, ...]:
    minimum = seen.values.get("min.insync.replicas") if seen else None
    return (
        number(seen, "min.insync.replicas"),
        minimum.source if minimum else None,
        switch(seen, "unclean.leader.election.enable"),
        _text(seen, "cleanup.policy"),
        *(number(seen, name) for name in _NUMBERS),
        _text(seen, "compression.type"),
        _text(seen, "message.timestamp.type"),
        seen.overrides if seen else None,
    )


def _text(seen: TopicSettings | CannotLook | None, name: str) -> str | None:
    setting = seen.values.get(name) if isinstance(seen, TopicSettings) else None
    return None if setting is None else setting.value


def number(seen: TopicSettings | CannotLook | None, name: str) -> int | None:
    """Return a topic's setting as a number, None if it could not be read."""
    value = _text(seen, name)
    return None if value is None else int(value)


def switch(seen: TopicSettings | CannotLook | None, name: str) -> bool | None:
    """Return a topic's setting as a truth value, None if it could not be read."""
    value = _text(seen, name)
    return None if value is None else value.lower() == "true"
