"""Where connectors put records that they can't process, beside what Kafka says of those topics."""

from typing import Annotated

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.quantity import Milliseconds
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_OF_TOPIC = ("partitions", "replication_factor", "min_insync_replicas", "cleanup_policy", "retention_ms")


class ConnectorDeadLetters(Row):
    """A sink with a topic for dead letters."""

    connector: Annotated[str, Cell("Its name.", key=True, entity="connector")]
    topic: Annotated[str | None, Cell("Its topic for dead letters.", entity="topic")]
    exists: Annotated[bool | None, Cell("Whether there is such a topic.")]
    partitions: Annotated[int | None, Cell("Partitions of that topic.", unit="partitions")]
    replication_factor: Annotated[int | None, Cell("Replicas of that topic.", unit="replicas")]
    min_insync_replicas: Annotated[int | None, Cell("min.insync.replicas of that topic.", unit="replicas")]
    cleanup_policy: Annotated[str | None, Cell("cleanup.policy of that topic.")]
    retention_ms: Annotated[Milliseconds | None, Cell("retention.ms of that topic; -1 keeps records forever.")]
    created_with: Annotated[int | None, Cell("Replicas with which the connector creates it where it is missing.")]
    source_replication_factor: Annotated[
        int | None,
        Cell(
            "Replicas of the topics that the sink reads, the fewest; unknown if it reads by pattern.", unit="replicas"
        ),
    ]
    headers: Annotated[bool | None, Cell("Whether dead letters carry where they come from, and why.")]


VIEW = View(
    help="One row per sink with a topic for dead letters.",
    row=ConnectorDeadLetters,
    leaves_out="connectors that name no topic for dead letters",
    inputs={
        "connector": Input(
            "connect_connector",
            columns=("connector", "dlq_topic", "dlq_replication_factor", "dlq_headers", "topics", "type"),
        ),
        "topic": Input("kafka_topic", columns=("name", *_OF_TOPIC)),
    },
    version=2,
)


def compute(*, connector: Fact, topic: Fact) -> Observed:
    """Pair connect_connector and kafka_topic by name.

    A topic that is not seen is missing only if the list of topics is complete; otherwise it is not known.
    """
    seen = {row["name"]: row for row in topic.rows()}
    rows: list[ConnectorDeadLetters] = []
    gaps: list[Gap] = []
    for row in connector.rows():
        name, whose = row["dlq_topic"], row["connector"]
        if row["type"] is None and name != "":
            gaps.append(Gap(f"whether {whose} is a sink is not known", {"connector": whose}))
        if row["type"] != "sink" or name == "":
            continue
        dead = seen.get(name)
        exists = None if name is None else topic.presence(found=dead)
        copies = [seen[source]["replication_factor"] for source in row["topics"] or () if source in seen]
        rows.append(
            ConnectorDeadLetters(
                connector=whose,
                topic=name,
                exists=exists,
                partitions=dead["partitions"] if dead else None,
                replication_factor=dead["replication_factor"] if dead else None,
                min_insync_replicas=dead["min_insync_replicas"] if dead else None,
                cleanup_policy=dead["cleanup_policy"] if dead else None,
                retention_ms=dead["retention_ms"] if dead else None,
                created_with=row["dlq_replication_factor"],
                source_replication_factor=min(copies) if copies and len(copies) == len(row["topics"]) else None,
                headers=row["dlq_headers"],
            )
        )
    return Observed(rows=rows, gaps=gaps)
