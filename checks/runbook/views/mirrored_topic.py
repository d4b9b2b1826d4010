"""Each topic of a source cluster beside its mirror in the target cluster."""

from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.parameter import Parameter
from runbook.engine.view import View

_COPIED = ("partitions", "replication_factor", "min_insync_replicas", "cleanup_policy", "retention_ms")

VIEW = View(
    help="One row per topic of the source, with its mirror in the target.",
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
    ),
    of=(("name", *_COPIED), ("name", *_COPIED)),
    parameters={
        "prefix": Parameter(
            type="string",
            default="",
            help="what stands before the mirror's name: `us.` for MirrorMaker's default policy with the alias us; "
            "empty where names are kept",
        ),
    },
)


def compute(source: Fact, target: Fact, /, *, prefix: str = "") -> Observed:
    """Pair the topics of two kafka_topic facts by name.

    A mirror that is not seen is absent only if the target's list is complete; otherwise it is not known.
    """
    mirrors = {row["name"]: row for row in target.rows()}
    rows: list[tuple[Any, ...]] = []
    for topic in source.rows():
        name = prefix + topic["name"]
        mirror = mirrors.get(name)
        present = True if mirror else False if target.complete else None
        pairs = ((mirror[column] if mirror else None, topic[column]) for column in _COPIED)
        rows.append((topic["name"], name, present, *(cell for pair in pairs for cell in pair)))
    return Observed(rows=rows)
