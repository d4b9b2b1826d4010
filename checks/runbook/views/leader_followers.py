"""Leaders from which nobody can fetch: what shrank has them alone in sync, and what others lead is whole."""

from collections import Counter
from typing import Annotated

from runbook.model.fact import Fact, Observed, by_first_alike
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class LeaderFollowers(Row):
    """A broker that leads."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    led: Annotated[int | None, Cell("Partitions with followers that it leads.", unit="partitions")]
    alone: Annotated[int | None, Cell("Those of them in which it alone is in sync.", unit="partitions")]
    shrunken: Annotated[int | None, Cell("Those of them in which a replica is out of sync.", unit="partitions")]
    topics: Annotated[int | None, Cell("Topics of those in which it alone is in sync.", unit="topics")]
    elsewhere: Annotated[
        int | None, Cell("Partitions led by others in which a replica is out of sync.", unit="partitions")
    ]
    followers: Annotated[list[BrokerId], Cell("Brokers that are to follow it.")]
    live: Annotated[bool | None, Cell("Whether it and all brokers that are to follow it serve.")]


VIEW = View(
    help="One row per broker that leads partitions with followers: how many of them follow only it.",
    row=LeaderFollowers,
    inputs={
        "partition": Input(
            "kafka_partition",
            columns=("topic", "leader", "replicas", "isr"),
            needs=("topic", "leader", "replicas", "isr"),
        ),
        "broker": Input("kafka_broker", columns=("broker", "in_service"), needs=("broker",)),
    },
    version=2,
)


def compute(*, partition: Fact, broker: Fact) -> Observed:
    """Work it out over kafka_partition and kafka_broker."""
    led: Counter[BrokerId] = Counter()
    alone: Counter[BrokerId] = Counter()
    shrunken: Counter[BrokerId] = Counter()
    followers: dict[BrokerId, set[BrokerId]] = {}
    topics: dict[BrokerId, set[str]] = {}
    columns = [partition.columns[name] for name in ("leader", "replicas", "isr")]
    for row, names in by_first_alike(columns, partition.columns["topic"]).items():
        leader, replicas, isr = (column[row] for column in columns)
        if others := {*replicas} - {leader}:
            led[leader] += len(names)
            if isr == [leader]:
                alone[leader] += len(names)
                topics.setdefault(leader, set()).update(names)
            shrunken[leader] += len(names) * (len(isr) < len(replicas))
            followers.setdefault(leader, set()).update(others)
    serves = dict(zip(broker.columns["broker"], broker.columns["in_service"], strict=True))
    known = partition.complete
    return Observed(
        rows=[
            LeaderFollowers(
                broker=leader,
                led=led[leader] if known else None,
                alone=alone[leader] if known else None,
                shrunken=shrunken[leader] if known else None,
                topics=len(topics.get(leader, ())) if known else None,
                elsewhere=shrunken.total() - shrunken[leader] if known else None,
                followers=sorted(followers[leader]),
                live=_all([serves.get(node) for node in (leader, *followers[leader])]),
            )
            for leader in sorted(followers)
            if leader >= 0
        ],
        gaps=partition.gaps,
    )


def _all(serve: list[bool | None]) -> bool | None:
    return False if False in serve else None if None in serve else True
