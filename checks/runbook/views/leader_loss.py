"""What would be lost while no controller elects: partitions led by what is lost stay without a leader.

Named and counted as in broker_loss, which assumes a working controller. Without a majority of the controllers nobody is
promoted and no in-sync set shrinks, so that acks=all waits in vain for every copy that is lost.
"""

from typing import Annotated, NamedTuple

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views import broker_loss
from runbook.views.broker_loss import Harm, Tally, Unit, described, harm_of, losses_of


class LeaderLoss(Row):
    """What a loss does while nobody is elected."""

    scenario: Annotated[str, Cell("What is lost, such as `broker 2 + broker 4`.", key=True)]
    kind: Annotated[str, Cell("broker, rack, two brokers, or rack and broker.")]
    brokers: Annotated[list[BrokerId], Cell("The brokers that are lost.")]
    racks: Annotated[list[str], Cell("The racks that are lost as a whole.", entity="rack")]
    partitions: Annotated[int, Cell("Partitions that refuse writes or are offline then.", unit="partitions")]
    topics: Annotated[int, Cell("Topics of those partitions.", unit="topics")]
    refusing_writes: Annotated[
        int,
        Cell(
            "Partitions that refuse acks=all then: offline, too few in sync, or a lost copy still counts as in sync.",
            unit="partitions",
        ),
    ]
    offline: Annotated[
        int, Cell("Partitions without a leader then: led by what is lost, or offline already.", unit="partitions")
    ]
    acks_1_at_risk: Annotated[
        int,
        Cell(
            "Partitions led by what is lost, elections or not: records that only the leader has (acks=1) may be lost.",
            unit="partitions",
        ),
    ]
    worst_topics: Annotated[list[str], Cell("Up to five of the topics; those with the most offline first.")]


VIEW = View(
    help="One row per thing that may be lost, named as in broker_loss: what follows if no leader is elected.",
    row=LeaderLoss,
    inputs={
        "partition": Input("kafka_partition", columns=("topic", "partition", "leader", "replicas", "isr", "needs")),
        "broker": Input("kafka_broker", columns=("broker", "rack", "fenced"), needs=("fenced",)),
    },
    version=2,
    parameters=broker_loss.VIEW.parameters,
)


class _Led(NamedTuple):
    """All that decides what a loss does to a partition while nobody is elected."""

    leader: int
    replicas: frozenset[int]
    isr: frozenset[int]
    needs: int

    def harm(self, lost: frozenset[int]) -> Harm:
        """Say what a loss does; at risk is what only a leader that is lost has, which alone is not counted as harm."""
        led_by_lost = self.leader in lost
        offline = led_by_lost or self.leader < 0
        refusing = offline or bool(self.isr & lost) or len(self.isr) < self.needs
        return harm_of(refusing=refusing, offline=offline, at_risk=led_by_lost)

    @property
    def members(self) -> frozenset[int]:
        """The brokers whose loss may change something."""
        return self.replicas | self.isr | {self.leader}


def compute(*, partition: Fact, broker: Fact, brokers: int = 1, racks: bool = False) -> Observed:
    """Work out every scenario over kafka_partition and kafka_broker.

    Partitions of which something is not known are left out of the counts and named as a gap.
    """
    found = losses_of(partition, broker, STATE, state_of_partition, most=brokers, racks=racks)
    return Observed(rows=[_row(lost, total) for lost, total in found.totals()], gaps=found.gaps)


STATE = ("leader", "replicas", "isr", "needs")


def state_of_partition(leader: int, replicas: tuple[int, ...], isr: tuple[int, ...], needs: int) -> _Led:
    """The state of the cells of `STATE`."""
    return _Led(leader, frozenset(replicas), frozenset(isr), needs)


def _row(lost: list[Unit], total: Tally) -> LeaderLoss:
    what = described(lost, "broker")
    return LeaderLoss(
        scenario=what.name,
        kind=what.kind,
        brokers=what.nodes,
        racks=what.racks,
        partitions=total.sums.any,
        topics=len(total.harmed()),
        refusing_writes=total.sums.refusing,
        offline=total.sums.offline,
        acks_1_at_risk=total.sums.at_risk,
        worst_topics=total.worst(),
    )
