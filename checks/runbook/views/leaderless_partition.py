"""Partitions that nobody leads: which of their replicas may be elected, and what it takes."""

from typing import Annotated, Literal

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.quantity import BrokerId, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.rules.election import NOBODY, may_lead

Way = Literal["start", "elect", "start and elect"]


class LeaderlessPartition(Row):
    """A partition without a leader."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number within its topic.", key=True)]
    may_lead: Annotated[list[BrokerId], Cell("Replicas of which one is elected without loss once it serves.")]
    eligible: Annotated[list[BrokerId], Cell("Brokers that are in sync or eligible, with a replica or without.")]
    serving: Annotated[list[BrokerId], Cell("Replicas on brokers in service.")]
    next: Annotated[BrokerId, Cell("The replica that an unclean election would choose now; -1 for none.")]
    last_leader: Annotated[BrokerId | None, Cell("Broker that led last, where the controllers keep it; else -1.")]
    way: Annotated[
        Way,
        Cell(
            "What gives it a leader: start (one that may lead), elect (uncleanly, as none may lead and a replica "
            "serves), or start and elect (none may lead, and none serves)."
        ),
    ]


_PARTITION = ("topic", "partition", "leader", "replicas", "isr", "elr", "last_leader")
VIEW = View(
    help="One row per partition without a leader: who may lead it, and what it takes.",
    leaves_out="partitions that have a leader",
    row=LeaderlessPartition,
    inputs={
        "partition": Input("kafka_partition", columns=_PARTITION),
        "broker": Input("kafka_broker", columns=("broker", "in_service")),
    },
)


def compute(*, partition: Fact, broker: Fact) -> Observed:
    """Work it out over kafka_partition and kafka_broker, by Kafka's rules of election."""
    service = dict(zip(broker.columns["broker"], broker.columns["in_service"], strict=True))
    rows, gaps = [], []
    for row in partition.rows(*_PARTITION):
        if row["leader"] is None or row["leader"] >= 0:
            continue
        replicas, isr = row["replicas"], row["isr"]
        unseen = [node for node in replicas if service.get(node) is None]
        if unseen or (row["elr"] is None and not isr):
            what = f"who may lead partition {row['partition']} of {row['topic']} is not known"
            gaps.append(Gap(what, {"topic": row["topic"]}))
            continue
        heirs = may_lead(replicas, isr, row["elr"] or ())
        serving = [node for node in replicas if service[node]]
        rows.append(
            LeaderlessPartition(
                topic=row["topic"],
                partition=row["partition"],
                may_lead=heirs,
                eligible=isr or row["elr"],
                serving=serving,
                next=serving[0] if serving else BrokerId(NOBODY),
                last_leader=row["last_leader"],
                way="start" if heirs else "elect" if serving else "start and elect",
            )
        )
    return Observed(rows=rows, gaps=gaps)
