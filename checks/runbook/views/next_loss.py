"""What the loss of one more broker would stop, in KRaft mode: with what it takes from the controllers' majority."""

from typing import Annotated, Literal

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views import leader_loss, quorum_loss
from runbook.views.broker_loss import Harm, losses_of, losses_of_one

Majority = Literal["kept", "lost", "unknown"]


class NextLoss(Row):
    """What the worst loss of one more broker does, of those that leave the controllers alike."""

    majority: Annotated[
        Majority, Cell("What the loss leaves of the controllers' majority: kept, lost or unknown.", key=True)
    ]
    known: Annotated[bool, Cell("Whether all partitions and who serves them could be seen; else no count is known.")]
    brokers: Annotated[
        list[BrokerId] | None,
        Cell("Brokers in service of which the loss of any one stops more than has stopped, or takes the majority."),
    ]
    refusing_writes: Annotated[
        int | None,
        Cell(
            "Partitions that refuse acks=all writes then; at least, where the majority is unknown.", unit="partitions"
        ),
    ]
    offline: Annotated[int | None, Cell("Partitions without a leader then, as above.", unit="partitions")]


VIEW = View(
    help="What the loss of one more broker would stop, by what becomes of the controllers' majority.",
    row=NextLoss,
    inputs={
        "partition": Input(
            "kafka_partition",
            columns=("topic", "partition", "leader", "replicas", "isr", "elr", "needs", "unclean_leader_election"),
        ),
        "broker": Input("kafka_broker", columns=("broker", "rack", "fenced", "answers"), needs=("fenced",)),
        "quorum": Input("kafka_quorum", columns=quorum_loss.QUORUM, needs=("voter",)),
    },
)


def compute(*, partition: Fact, broker: Fact, quorum: Fact) -> Observed:
    """Work it out over kafka_partition, kafka_broker and kafka_quorum, by the rules of what-if."""
    elected = losses_of_one(partition, broker)
    unelected = losses_of(partition, broker, leader_loss.STATE, leader_loss.state_of_partition, most=1, racks=False)
    known = elected.count_everything(partition, broker)
    before = elected.before.sums
    stuck = {lost[0].name: total.sums for lost, total in unelected.totals()}
    votes = {
        row.scenario: row.survives for row in quorum_loss.compute(quorum=quorum, broker=broker).rows if quorum.complete
    }
    found: dict[Majority, dict[BrokerId, Harm]] = {"lost": {}, "unknown": {}, "kept": {}}
    for [unit], total in elected.totals():
        survives = votes.get(unit.name)
        [node] = unit.nodes
        if survives is False:
            found["lost"][BrokerId(node)] = stuck[unit.name]
        elif total.sums.stops_more_than(before):
            found["unknown" if survives is None else "kept"][BrokerId(node)] = total.sums
    worse = {majority: harms for majority, harms in found.items() if harms} or {"kept": {}}
    return Observed(
        rows=[
            NextLoss(
                majority=majority,
                known=known,
                brokers=sorted(harms) if known else None,
                refusing_writes=max((harm.refusing for harm in harms.values()), default=before.refusing)
                if known
                else None,
                offline=max((harm.offline for harm in harms.values()), default=before.offline) if known else None,
            )
            for majority, harms in worse.items()
        ]
    )
