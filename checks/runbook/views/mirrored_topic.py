"""Each topic of a source cluster beside its mirror in the target cluster."""

from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View
from runbook.views._mirrors import EXCLUDE, PREFIX, TOPICS, meant

_COPIED = (
    "partitions",
    "replication_factor",
    "min_insync_replicas",
    "cleanup_policy",
    "retention_ms",
    "max_message_bytes",
)

VIEW = View(
    help="One row per topic of the source that is meant to be mirrored, with its mirror in the target.",
    columns=(
        Column("topic", "string", "Topic of the source.", key=True, entity="topic"),
        Column("mirror", "string", "The name its mirror has or should have."),
        Column("present", "bool", "Whether the target has the mirror."),
        Column("partitions", "int", "Partitions of the mirror.", unit="partitions"),
        Column("source_partitions", "int", "Partitions of the source's topic.", unit="partitions"),
        Column("replication_factor", "int", "Replicas of the mirror.", unit="replicas"),
        Column("source_replication_factor", "int", "Replicas of the source's topic.", unit="replicas"),
        Column("min_insync_replicas", "int", "min.insync.replicas of the mirror.", unit="replicas"),
        Column("source_min_insync_replicas", "int", "min.insync.replicas of the source's topic.", unit="replicas"),
        Column("cleanup_policy", "string", "cleanup.policy of the mirror."),
        Column("source_cleanup_policy", "string", "cleanup.policy of the source's topic."),
        Column("retention_ms", "int", "retention.ms of the mirror.", unit="ms"),
        Column("source_retention_ms", "int", "retention.ms of the source's topic.", unit="ms"),
        Column("max_message_bytes", "int", "max.message.bytes of the mirror.", unit="bytes"),
        Column("source_max_message_bytes", "int", "max.message.bytes of the source's topic.", unit="bytes"),
    ),
    of=(("name", *_COPIED), ("name", *_COPIED)),
    version=2,
    parameters={"prefix": PREFIX, "topics": TOPICS, "exclude": EXCLUDE},
)


def compute(
    source: Fact,
    target: Fact,
    /,
    *,
    prefix: str | None = None,
    topics: list[str] | None = None,
    exclude: list[str] | None = None,
) -> Observed:
    """Pair the topics of two kafka_topic facts by name.

    A mirror that is not seen is absent only if the target's list is complete; otherwise it is not known.
    """
    wanted = meant(topics, exclude)
    mirrors = {row["name"]: row for row in target.rows()}
    rows: list[tuple[Any, ...]] = []
    for topic in source.rows():
        if not wanted(topic["name"]):
            continue
        name = (prefix or "") + topic["name"]
        mirror = mirrors.get(name)
        present = True if mirror else False if target.complete else None
        pairs = ((mirror[column] if mirror else None, topic[column]) for column in _COPIED)
        rows.append((topic["name"], name, present, *(cell for pair in pairs for cell in pair)))
    return Observed(rows=rows)
