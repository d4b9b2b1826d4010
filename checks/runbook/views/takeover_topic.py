"""Whether the topics to which producers will write after a failover stand at the target, and are like the mirrors."""

from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._mirrors import EXCLUDE, PREFIX, TOPICS, meant, policy

_COMPARED = ("partitions", "replication_factor", "cleanup_policy", "max_message_bytes")


class TakeoverTopic(Row):
    """A mirror, and the topic of the target's own that has the name by which producers write."""

    topic: Annotated[str, Cell("Name by which producers write, at either site.", key=True, entity="topic")]
    mirror: Annotated[str, Cell("Mirror of the source's topic of that name.", entity="topic")]
    present: Annotated[bool | None, Cell("Whether the target has the topic.")]
    partitions: Annotated[int | None, Cell("Partitions of the topic.", unit="partitions")]
    mirror_partitions: Annotated[int, Cell("Partitions of the mirror.", unit="partitions")]
    replication_factor: Annotated[int | None, Cell("Replicas of the topic.", unit="replicas")]
    mirror_replication_factor: Annotated[int, Cell("Replicas of the mirror.", unit="replicas")]
    cleanup_policy: Annotated[str | None, Cell("cleanup.policy of the topic.")]
    mirror_cleanup_policy: Annotated[str | None, Cell("cleanup.policy of the mirror.")]
    max_message_bytes: Annotated[Bytes | None, Cell("max.message.bytes of the topic.")]
    mirror_max_message_bytes: Annotated[Bytes | None, Cell("max.message.bytes of the mirror.")]


VIEW = View(
    help="One row per mirror of a topic that is meant to be mirrored, with the topic to which producers will write.",
    row=TakeoverTopic,
    leaves_out="topics that are no mirrors, or not meant to be mirrored",
    inputs={
        "target": Input("kafka_topic", columns=("name", *_COMPARED), at="target"),
    },
    version=2,
    parameters={"prefix": PREFIX, "topics": TOPICS, "exclude": EXCLUDE},
)


def compute(
    *,
    target: Fact,
    prefix: str | None = None,
    topics: list[str] | None = None,
    exclude: list[str] | None = None,
) -> Observed:
    """Work it out from kafka_topic of the target alone, as the source may be dark.

    A topic that is not seen is absent only if the target's list is complete; otherwise it is not known.
    """
    if not prefix:
        return Observed(
            inapplicable="mirrors keep the names of their topics: producers write to the mirrors themselves"
        )
    wanted = meant(topics, exclude)
    there = {row["name"]: row for row in target.rows()}
    rows: list[TakeoverTopic] = []
    for name, mirror in there.items():
        topic = name.removeprefix(prefix)
        if not name.startswith(prefix) or not wanted(topic):
            continue
        own = there.get(topic)
        has: dict[str, Any] = own or dict.fromkeys(_COMPARED)
        rows.append(
            TakeoverTopic(
                topic=topic,
                mirror=name,
                present=target.presence(found=own),
                partitions=has["partitions"],
                mirror_partitions=mirror["partitions"],
                replication_factor=has["replication_factor"],
                mirror_replication_factor=mirror["replication_factor"],
                cleanup_policy=policy(has["cleanup_policy"]),
                mirror_cleanup_policy=policy(mirror["cleanup_policy"]),
                max_message_bytes=has["max_message_bytes"],
                mirror_max_message_bytes=mirror["max_message_bytes"],
            )
        )
    return Observed(rows=rows)
