"""What would be lost while no controller elects: partitions led by what is lost stay without a leader.

Named and counted as in broker_loss, which assumes a working controller. Without a majority of the controllers nobody is
promoted and no in-sync set shrinks, so that acks=all waits in vain for every copy that is lost.
"""

from typing import NamedTuple

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View
from runbook.views import broker_loss
from runbook.views.broker_loss import WORST, Tally, Unit, describe, losses_of

VIEW = View(
    help="One row per thing that may be lost, named as in broker_loss: what follows if nobody is elected.",
    columns=(
        *(column for column in broker_loss.VIEW.columns if column.name in ("scenario", "kind", "brokers", "racks")),
        Column("partitions", "int", "Partitions that refuse writes or are offline then.", unit="partitions"),
        Column("topics", "int", "Topics of those partitions.", unit="topics"),
        Column(
            "refusing_writes",
            "int",
            "Partitions that refuse acks=all then: offline, too few in sync, or a lost copy still counts as in sync.",
            unit="partitions",
        ),
        Column(
            "offline", "int", "Partitions without a leader then: led by what is lost, or by nobody.", unit="partitions"
        ),
        Column(
            "acks_1_at_risk",
            "int",
            "Partitions led by what is lost, elections or not: records that only the leader has (acks=1) may be lost.",
            unit="partitions",
        ),
        Column("worst_topics", "list[string]", "Up to five of the topics; those with the most offline first."),
    ),
    of=(
        ("topic", "partition", "leader", "replicas", "isr", "needs"),
        ("broker", "rack", "fenced"),
    ),
    needs=((), ("fenced",)),
    version=2,
    parameters=broker_loss.VIEW.parameters,
)


class _Led(NamedTuple):
    """All that decides what a loss does to a partition while nobody is elected."""

    leader: int
    replicas: frozenset[int]
    isr: frozenset[int]
    needs: int

    def harm(self, lost: frozenset[int]) -> tuple[int, int, int, int, int]:
        """Say (1 or 0) whether it refuses acks=all, is offline, led by what is lost, offline, any of the first two."""
        led_by_lost = self.leader in lost
        offline = led_by_lost or self.leader < 0
        refusing = offline or bool(self.isr & lost) or len(self.isr) < self.needs
        return int(refusing), int(offline), int(led_by_lost), int(offline), int(refusing)

    @property
    def members(self) -> frozenset[int]:
        """The brokers whose loss may change something."""
        return self.replicas | self.isr | {self.leader}


def compute(partition: Fact, broker: Fact, /, *, brokers: int = 1, racks: bool = False) -> Observed:
    """Work out every scenario over kafka_partition and kafka_broker.

    Partitions of which something is not known are left out of the counts and named as a gap.
    """
    found = losses_of(partition, broker, ("leader", "replicas", "isr", "needs"), _led, most=brokers, racks=racks)
    return Observed(rows=[_row(lost, total) for lost, total in found.totals()], gaps=found.gaps)


def _led(leader: int, replicas: tuple[int, ...], isr: tuple[int, ...], needs: int) -> _Led:
    return _Led(leader, frozenset(replicas), frozenset(isr), needs)


def _row(lost: list[Unit], total: Tally) -> tuple[object, ...]:
    harmed = total.harmed()
    refusing, offline, acks_1, _, partitions = total.sums
    return (*describe(lost, "broker"), partitions, len(harmed), refusing, offline, acks_1, harmed[:WORST])
