"""What acks=all promises to who writes a topic: min.insync.replicas, replicas and leader elections taken together."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class AcksPromise(Row):
    """A topic."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    internal: Annotated[bool, Cell("Whether Kafka marks it as internal.")]
    replicas: Annotated[int | None, Cell("Replicas of the partition that has the fewest.", unit="replicas")]
    promised: Annotated[
        int | None,
        Cell("Replicas that have a record at least when acks=all acknowledges it.", unit="replicas"),
    ]
    in_sync: Annotated[
        int | None,
        Cell("Replicas that have it now, in the partition with the fewest in sync.", unit="replicas", moves=True),
    ]
    unclean: Annotated[bool | None, Cell("Whether a replica that lacks it may be elected leader.")]


VIEW = View(
    help="One row per topic: how many replicas have a record that acks=all acknowledged, at least and now.",
    row=AcksPromise,
    inputs={
        "partition": Input(
            "kafka_partition",
            columns=("topic", "internal", "replicas", "isr", "needs", "unclean_leader_election"),
            needs=("internal",),
        ),
    },
)


def compute(*, partition: Fact) -> Observed:
    """Work it out from kafka_partition: the leader waits for all in sync, and refuses below what it needs."""
    topics: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in partition.rows():
        topics[row["topic"]].append(row)
    return Observed(rows=[_row(topic, of) for topic, of in topics.items()])


def _row(topic: str, of: Sequence[Mapping[str, Any]]) -> AcksPromise:
    replicas, needs = _fewest(map(_count, (row["replicas"] for row in of))), _fewest(row["needs"] for row in of)
    unclean = [row["unclean_leader_election"] for row in of]
    return AcksPromise(
        topic=topic,
        internal=of[0]["internal"],
        replicas=replicas,
        promised=None if replicas is None or needs is None else min(replicas, needs),
        in_sync=_fewest(map(_count, (row["isr"] for row in of))),
        unclean=None if None in unclean else any(unclean),
    )


def _count(nodes: Sequence[int] | None) -> int | None:
    return None if nodes is None else len(nodes)


def _fewest(counts: Any) -> int | None:
    values: list[int | None] = [*counts]
    known = [count for count in values if count is not None]
    return min(known) if len(known) == len(values) else None
