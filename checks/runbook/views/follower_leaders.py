"""Followers that fetch from nobody: out of sync in all that others lead, while everybody else is in sync."""

from collections import Counter
from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class FollowerLeaders(Row):
    """A broker that follows."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    follows: Annotated[
        int | None, Cell("Partitions that it is to follow, but for those whose replicas are moved.", unit="partitions")
    ]
    behind: Annotated[int | None, Cell("Those of them in which it is out of sync.", unit="partitions")]
    others: Annotated[
        int | None, Cell("Partitions in which another broker is out of sync that is to follow.", unit="partitions")
    ]
    leaders: Annotated[list[BrokerId], Cell("Brokers that it is to follow.")]
    live: Annotated[bool | None, Cell("Whether it and all of these serve.")]


_PARTITION = ("topic", "partition", "leader", "replicas", "isr")
VIEW = View(
    help="One row per broker that is to follow others: in how many partitions it does not.",
    row=FollowerLeaders,
    inputs={
        "partition": Input("kafka_partition", columns=_PARTITION, needs=_PARTITION),
        "broker": Input("kafka_broker", columns=("broker", "in_service"), needs=("broker",)),
        "moved": Input("kafka_reassignment", columns=("topic", "partition")),
    },
)


def compute(*, partition: Fact, broker: Fact, moved: Fact) -> Observed:
    """Work it out over kafka_partition and kafka_broker; what kafka_reassignment lists is left out."""
    moving = {*zip(moved.columns["topic"], moved.columns["partition"], strict=True)}
    pairs: Counter[tuple[BrokerId, BrokerId, bool]] = Counter()  # follower, leader, whether it is behind
    for topic, number, leader, replicas, isr in zip(*(partition.columns[name] for name in _PARTITION), strict=True):
        if (topic, number) not in moving:
            for node in replicas:
                if node != leader:
                    pairs[node, leader, node not in isr] += 1
    serves = dict(zip(broker.columns["broker"], broker.columns["in_service"], strict=True))
    known = partition.complete and moved.complete
    behind = sum(count for (_, _, late), count in pairs.items() if late)
    rows = []
    for node in sorted({follower for follower, _, _ in pairs}):
        own = [(leader, late, count) for (follower, leader, late), count in pairs.items() if follower == node]
        leaders = sorted({leader for leader, _, _ in own})
        late = sum(count for _, behind_it, count in own if behind_it)
        there = [serves.get(one) for one in (node, *leaders)]
        rows.append(
            FollowerLeaders(
                broker=node,
                follows=sum(count for _, _, count in own) if known else None,
                behind=late if known else None,
                others=behind - late if known else None,
                leaders=leaders,
                live=False if False in there else None if None in there else True,
            )
        )
    return Observed(rows=rows, gaps=[*partition.gaps, *moved.gaps])
