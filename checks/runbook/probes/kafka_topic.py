"""The topics with the settings that decide whether their data survives."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from runbook.answers.kafka import Partition, TopicSettings
from runbook.formats.declared import setting
from runbook.model.errors import CannotLook
from runbook.model.fact import Observed
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import Bytes, Milliseconds
from runbook.model.row import Cell, Row, row_of

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka

INTERNAL = Parameter(type="bool", help="true: only Kafka's internal topics; false: all others; not given: both")


class KafkaTopic(Row):
    """A topic."""

    name: Annotated[str, Cell("Name.", key=True, entity="topic")]
    internal: Annotated[bool, Cell("Whether Kafka itself marks it as internal.")]
    partitions: Annotated[int, Cell("Number of partitions.", unit="partitions")]
    replication_factor: Annotated[int, Cell("Replicas of the partition that has the fewest.", unit="replicas")]
    min_insync_replicas: Annotated[int | None, Cell("min.insync.replicas in force for the topic.", unit="replicas")] = (
        setting("min.insync.replicas")
    )
    min_insync_replicas_source: Annotated[str | None, Cell("Where that comes from, such as DYNAMIC_TOPIC_CONFIG.")]
    unclean_leader_election: Annotated[bool | None, Cell("unclean.leader.election.enable in force for the topic.")] = (
        setting("unclean.leader.election.enable")
    )
    cleanup_policy: Annotated[str | None, Cell("cleanup.policy: delete, compact, or both.")] = setting("cleanup.policy")
    retention_ms: Annotated[Milliseconds | None, Cell("retention.ms; -1 keeps records forever.")] = setting(
        "retention.ms"
    )
    retention_bytes: Annotated[Bytes | None, Cell("retention.bytes per partition; -1 is no bound.")] = setting(
        "retention.bytes"
    )
    segment_bytes: Annotated[Bytes | None, Cell("segment.bytes.")] = setting("segment.bytes")
    segment_ms: Annotated[Milliseconds | None, Cell("segment.ms.")] = setting("segment.ms")
    max_message_bytes: Annotated[Bytes | None, Cell("max.message.bytes: largest record batch.")] = setting(
        "max.message.bytes"
    )
    flush_messages: Annotated[
        int | None, Cell("flush.messages; 9223372036854775807 leaves it to the OS.", unit="records")
    ] = setting("flush.messages")
    flush_ms: Annotated[Milliseconds | None, Cell("flush.ms; 9223372036854775807 leaves it to the OS.")] = setting(
        "flush.ms"
    )
    compression_type: Annotated[str | None, Cell("compression.type.")] = setting("compression.type")
    timestamp_type: Annotated[
        str | None, Cell("message.timestamp.type: CreateTime (the writer's) or LogAppendTime.")
    ] = setting("message.timestamp.type")
    overrides: Annotated[dict[str, str] | None, Cell("Settings set on the topic itself.")]


PROBE = Probe(
    connections=("kafka",),
    help="One row per topic.",
    row=KafkaTopic,
    requests=("DescribeCluster", "DescribeConfigs", "Metadata"),
    rights=(
        "Describe on all topics",
        "DescribeConfigs on topics",
        "Describe on the cluster, to see that no ACL hides topics",
    ),
    parameters={"internal": INTERNAL},
)


def observe(kafka: "Kafka", *, internal: bool | None = None) -> Observed:
    """Observe the topics; settings that could not be read are None."""
    marked = kafka.internal_topics()
    settings = kafka.topic_settings()
    rows = []
    for name, partitions in kafka.lasting_topics().items():
        if internal is not None and (name in marked) != internal:
            continue
        seen = settings.get(name)
        known = seen if isinstance(seen, TopicSettings) else None
        rows.append(_row(name, partitions, known, internal=name in marked))
    return Observed(rows=rows, gaps=kafka.topics_gaps())


def _row(name: str, partitions: Sequence[Partition], seen: TopicSettings | None, *, internal: bool) -> KafkaTopic:
    minimum = seen.values.get("min.insync.replicas") if seen else None
    return row_of(
        KafkaTopic,
        {name: one.value for name, one in seen.values.items()} if seen else {},
        name=name,
        internal=internal,
        partitions=len(partitions),
        replication_factor=min((len(partition.replicas) for partition in partitions), default=0),
        min_insync_replicas_source=minimum.source if minimum else None,
        overrides=seen.overrides if seen else None,
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
