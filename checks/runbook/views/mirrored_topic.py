"""Each topic of a source cluster beside its mirror in the target cluster."""

from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import Bytes, Milliseconds
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._mirrors import EXCLUDE, PREFIX, TOPICS, meant, policy

_COPIED = (
    "partitions",
    "replication_factor",
    "min_insync_replicas",
    "cleanup_policy",
    "retention_bytes",
    "retention_ms",
    "max_message_bytes",
)


class MirroredTopic(Row):
    """A topic of the source that is meant to be mirrored."""

    topic: Annotated[str, Cell("Topic of the source.", key=True, entity="topic")]
    mirror: Annotated[str, Cell("The name its mirror has or should have.")]
    present: Annotated[bool | None, Cell("Whether the target has the mirror.")]
    partitions: Annotated[int | None, Cell("Partitions of the mirror.", unit="partitions")]
    source_partitions: Annotated[int, Cell("Partitions of the source's topic.", unit="partitions")]
    replication_factor: Annotated[int | None, Cell("Replicas of the mirror.", unit="replicas")]
    source_replication_factor: Annotated[int, Cell("Replicas of the source's topic.", unit="replicas")]
    min_insync_replicas: Annotated[int | None, Cell("min.insync.replicas of the mirror.", unit="replicas")]
    source_min_insync_replicas: Annotated[
        int | None, Cell("min.insync.replicas of the source's topic.", unit="replicas")
    ]
    cleanup_policy: Annotated[str | None, Cell("cleanup.policy of the mirror, in alphabetical order.")]
    source_cleanup_policy: Annotated[str | None, Cell("cleanup.policy of the source's topic, in the same order.")]
    retention_bytes: Annotated[Bytes | None, Cell("retention.bytes of the mirror; -1: no limit.")]
    source_retention_bytes: Annotated[Bytes | None, Cell("retention.bytes of the source's topic; -1: no limit.")]
    retention_ms: Annotated[Milliseconds | None, Cell("retention.ms of the mirror.")]
    source_retention_ms: Annotated[Milliseconds | None, Cell("retention.ms of the source's topic.")]
    max_message_bytes: Annotated[Bytes | None, Cell("max.message.bytes of the mirror.")]
    source_max_message_bytes: Annotated[Bytes | None, Cell("max.message.bytes of the source's topic.")]


VIEW = View(
    help="One row per topic of the source that is meant to be mirrored, with its mirror in the target.",
    row=MirroredTopic,
    leaves_out="topics that are not meant to be mirrored",
    inputs={
        "source": Input("kafka_topic", columns=("name", *_COPIED), at="source"),
        "target": Input("kafka_topic", columns=("name", *_COPIED), at="target"),
    },
    version=3,
    parameters={"prefix": PREFIX, "topics": TOPICS, "exclude": EXCLUDE},
)


def compute(
    *,
    source: Fact,
    target: Fact,
    prefix: str | None = None,
    topics: list[str] | None = None,
    exclude: list[str] | None = None,
) -> Observed:
    """Pair the topics of two kafka_topic facts by name.

    A mirror that is not seen is absent only if the target's list is complete; otherwise it is not known.
    """
    wanted = meant(topics, exclude)
    mirrors = {row["name"]: row for row in target.rows()}
    rows: list[MirroredTopic] = []
    for topic in source.rows():
        if not wanted(topic["name"]):
            continue
        name = (prefix or "") + topic["name"]
        mirror = mirrors.get(name)
        present = target.presence(found=mirror)
        there: dict[str, Any] = mirror or dict.fromkeys(_COPIED)
        rows.append(
            MirroredTopic(
                topic=topic["name"],
                mirror=name,
                present=present,
                partitions=there["partitions"],
                source_partitions=topic["partitions"],
                replication_factor=there["replication_factor"],
                source_replication_factor=topic["replication_factor"],
                min_insync_replicas=there["min_insync_replicas"],
                source_min_insync_replicas=topic["min_insync_replicas"],
                cleanup_policy=policy(there["cleanup_policy"]),
                source_cleanup_policy=policy(topic["cleanup_policy"]),
                retention_bytes=there["retention_bytes"],
                source_retention_bytes=topic["retention_bytes"],
                retention_ms=there["retention_ms"],
                source_retention_ms=topic["retention_ms"],
                max_message_bytes=there["max_message_bytes"],
                source_max_message_bytes=topic["max_message_bytes"],
            )
        )
    return Observed(rows=rows)
