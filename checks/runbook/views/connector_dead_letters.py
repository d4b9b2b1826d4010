"""Where connectors put records that they can't process, beside what Kafka says of those topics."""

from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Gap, Observed
from runbook.engine.view import View

_OF_TOPIC = ("partitions", "replication_factor", "min_insync_replicas", "cleanup_policy", "retention_ms")

VIEW = View(
    help="One row per sink with a topic for dead letters.",
    columns=(
        Column("connector", "string", "Its name.", key=True, entity="connector"),
        Column("topic", "string", "Its topic for dead letters.", entity="topic"),
        Column("exists", "bool", "Whether there is such a topic."),
        Column("partitions", "int", "Partitions of that topic.", unit="partitions"),
        Column("replication_factor", "int", "Replicas of that topic.", unit="replicas"),
        Column("min_insync_replicas", "int", "min.insync.replicas of that topic.", unit="replicas"),
        Column("cleanup_policy", "string", "cleanup.policy of that topic."),
        Column("retention_ms", "int", "retention.ms of that topic; -1 keeps for ever.", unit="ms"),
        Column("created_with", "int", "Replicas with which the connector creates it where it is missing."),
        Column(
            "source_replication_factor",
            "int",
            "Replicas of the topics that the sink reads, the fewest; unknown if it reads by pattern.",
            unit="replicas",
        ),
        Column("headers", "bool", "Whether dead letters carry where they come from, and why."),
    ),
    of=(
        ("connector", "dlq_topic", "dlq_replication_factor", "dlq_headers", "topics", "type"),
        ("name", *_OF_TOPIC),
    ),
    version=2,
)


def compute(connectors: Fact, topics: Fact, /) -> Observed:
    """Pair connect_connector and kafka_topic by name.

    A topic that is not seen is missing only if the list of topics is complete; otherwise it is not known.
    """
    seen = {row["name"]: row for row in topics.rows()}
    rows: list[tuple[Any, ...]] = []
    gaps: list[Gap] = []
    for one in connectors.rows():
        name, whose = one["dlq_topic"], one["connector"]
        if one["type"] is None and name != "":
            gaps.append(Gap(f"whether {whose} is a sink is not known", {"connector": whose}))
        if one["type"] != "sink" or name == "":
            continue
        topic = seen.get(name)
        exists = None if name is None else True if topic else False if topics.complete else None
        told = [topic[column] if topic else None for column in _OF_TOPIC]
        copies = [seen[source]["replication_factor"] for source in one["topics"] or () if source in seen]
        least = min(copies) if copies and len(copies) == len(one["topics"]) else None
        rows.append((whose, name, exists, *told, one["dlq_replication_factor"], least, one["dlq_headers"]))
    return Observed(rows=rows, gaps=gaps)
