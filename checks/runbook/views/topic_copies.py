"""How many copies each topic has and waits for, beside the brokers that could hold more."""

from typing import Annotated, NamedTuple

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class TopicCopies(Row):
    """A topic."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    internal: Annotated[bool | None, Cell("Whether Kafka marks it as internal.")]
    copies: Annotated[int | None, Cell("Replicas of the partition that has the fewest.", unit="replicas")]
    needs: Annotated[
        int | None, Cell("In-sync replicas that acks=all writes need, of the partition that needs fewest.")
    ]
    led: Annotated[bool | None, Cell("Whether each of its partitions has a leader.")]
    holders: Annotated[list[int] | None, Cell("Brokers that hold a copy.", entity="broker")]
    brokers: Annotated[int | None, Cell("Brokers in service.")]


VIEW = View(
    help="One row per topic: the copies it has, those it waits for, and the brokers that could hold them.",
    row=TopicCopies,
    inputs={
        "partition": Input("kafka_partition", columns=("topic", "internal", "replicas", "needs", "leader")),
        "broker": Input("kafka_broker", columns=("broker", "in_service")),
    },
)


def compute(*, partition: Fact, broker: Fact) -> Observed:
    """Work it out from kafka_partition and kafka_broker."""
    serving = broker.columns["in_service"]
    brokers = None if None in serving or not broker.complete else sum(serving)
    topics: dict[str, list[_Partition]] = {}
    for topic, *cells in zip(*(partition.columns[name] for name in ("topic", *_Partition._fields)), strict=True):
        topics.setdefault(topic, []).append(_Partition._make(cells))
    return Observed(rows=[_topic(topic, rows, brokers) for topic, rows in topics.items()])


class _Partition(NamedTuple):
    """What kafka_partition tells of one."""

    internal: bool | None
    replicas: list[int] | None
    needs: int | None
    leader: int | None


def _topic(topic: str, rows: list[_Partition], brokers: int | None) -> TopicCopies:
    held = [row.replicas for row in rows if row.replicas is not None]
    needs = [row.needs for row in rows if row.needs is not None]
    leaders = [row.leader for row in rows if row.leader is not None]
    led = None if len(leaders) < len(rows) else True
    return TopicCopies(
        topic=topic,
        internal=rows[0].internal,
        copies=min(map(len, held)) if len(held) == len(rows) else None,
        needs=min(needs) if len(needs) == len(rows) else None,
        led=False if any(leader < 0 for leader in leaders) else led,
        holders=sorted({node for each in held for node in each}) if len(held) == len(rows) else None,
        brokers=brokers,
    )
