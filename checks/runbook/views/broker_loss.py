"""What would be lost: each broker, each rack, and one more broker on top of either, judged from live metadata.

The work is linear in the partitions: those in the same state are judged together, and only against what they touch.
What the loss of two things does is the sum of what each does, and a correction for partitions that touch both.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from heapq import nsmallest
from itertools import combinations
from operator import add, sub
from typing import Annotated, Any, NamedTuple, Protocol

from runbook.model.fact import Fact, Gap, Observed, by_first_alike
from runbook.model.parameter import Parameter
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.rules.election import fate


class Harmed(Row):
    """What a loss does, a working controller assumed."""

    partitions: Annotated[int, Cell("Partitions that refuse writes, are offline or at risk.", unit="partitions")]
    topics: Annotated[int, Cell("Topics of those partitions.", unit="topics")]
    refusing_writes: Annotated[int, Cell("Partitions with fewer in sync than acks=all writes need.", unit="partitions")]
    offline: Annotated[int, Cell("Offline partitions, a working controller assumed.", unit="partitions")]
    at_risk: Annotated[int, Cell("Partitions of which no copy with all acknowledged data is left.", unit="partitions")]
    worst_topics: Annotated[list[str], Cell("Up to five of the topics; those with the most offline or at risk first.")]
    already: Annotated[int, Cell("Partitions that refuse writes before anything is lost.", unit="partitions")]


class BrokerLoss(Harmed):
    """A loss, and what it does."""

    own_first = True

    scenario: Annotated[str, Cell("What is lost, such as `broker 2 + broker 4`.", key=True)]
    kind: Annotated[str, Cell("broker, rack, two brokers, or rack and broker.")]
    brokers: Annotated[list[BrokerId], Cell("The brokers that are lost.")]
    racks: Annotated[list[str], Cell("The racks that are lost as a whole.", entity="rack")]


VIEW = View(
    help="One row per thing that may be lost. Counts are of the state right after it, what is wrong already included.",
    row=BrokerLoss,
    inputs={
        "partition": Input(
            "kafka_partition",
            columns=("topic", "partition", "replicas", "isr", "elr", "needs", "unclean_leader_election"),
        ),
        "broker": Input("kafka_broker", columns=("broker", "rack", "fenced"), needs=("fenced",)),
    },
    version=3,
    parameters={
        "brokers": Parameter(
            type="int",
            default=1,
            min=1,
            max=2,
            help="1: one thing is lost; 2: also each two together, one planned and one unplanned",
        ),
        "racks": Parameter(type="bool", default=False, help="whether racks are lost too, not only brokers"),
    },
)

WORST = 5


class Harm(NamedTuple):
    """What a loss does to partitions: each a count of them, 1 or 0 for a single one, or a change of such a count."""

    refusing: int
    offline: int
    at_risk: int
    grave: int
    any: int

    def stops_more_than(self, before: "Harm") -> bool:
        """Whether it harms more partitions, or leaves more of them offline."""
        return self.any > before.any or self.offline > before.offline


def harm_of(*, refusing: bool, offline: bool, at_risk: bool) -> Harm:
    """The harm to one partition; offline or with data at risk is grave."""
    grave = offline or at_risk
    return Harm(int(refusing), int(offline), int(at_risk), grave=int(grave), any=int(refusing or grave))


class PartitionState(NamedTuple):
    """All that decides what a loss does to a partition; equal for most partitions of a cluster."""

    replicas: frozenset[int]
    isr: frozenset[int]
    elr: frozenset[int]
    needs: int
    unclean: bool

    def harm(self, lost: frozenset[int]) -> "Harm":
        """Say what a loss does, by Kafka's rules of election."""
        left = fate(
            in_sync=len(self.isr - lost),
            eligible=len((self.elr & self.replicas) - lost),
            copies=len(self.replicas - lost),
            needs=self.needs,
            unclean=self.unclean,
        )
        return harm_of(refusing=left.refusing, offline=left.offline, at_risk=left.at_risk)

    @property
    def members(self) -> frozenset[int]:
        """The brokers whose loss may change something."""
        return self.replicas


class Unit(NamedTuple):
    """Something that fails as one: a node, or a rack (then `rack` names it) with all of its nodes."""

    name: str
    rack: str
    nodes: frozenset[int]


class Tally:
    """Sums over partitions; differences too, so that sums may be corrected."""

    def __init__(self) -> None:
        self.sums = Harm(0, 0, 0, 0, 0)
        self.topics: Counter[str] = Counter()
        self.gone: Counter[str] = Counter()

    def add(self, harm: Harm, topics: Counter[str]) -> None:
        """Add the same harm (or difference) to this many partitions of these topics."""
        partitions = topics.total()
        self.sums = Harm._make([have + each * partitions for have, each in zip(self.sums, harm, strict=True)])
        for tally, each in ((self.gone, harm.grave), (self.topics, harm.any)):
            if each == 1:
                tally.update(topics)
            elif each:
                tally.update({topic: each * count for topic, count in topics.items()})

    def plus(self, other: "Tally") -> None:
        """Add another tally."""
        self.sums = Harm._make(map(add, self.sums, other.sums))
        self.gone.update(other.gone)
        self.topics.update(other.topics)

    def harmed(self) -> list[str]:
        """The topics with harmed partitions."""
        return [topic for topic, count in self.topics.items() if count > 0]

    def worst(self) -> list[str]:
        """Some of them: those with the most partitions offline or at risk first, then those with the most harmed."""
        ranks = [(-self.gone[topic], -count, topic) for topic, count in self.topics.items() if count > 0]
        return [topic for *_, topic in nsmallest(WORST, ranks)]


def compute(*, partition: Fact, broker: Fact, brokers: int = 1, racks: bool = False) -> Observed:
    """Work out every scenario over kafka_partition and kafka_broker.

    Partitions of which something is not known are left out of the counts and named as a gap.
    """
    found = losses_of(partition, broker, STATE, state_of_partition, most=brokers, racks=racks)
    rows = [_row(lost, total, already=found.before.sums.refusing) for lost, total in found.totals()]
    return Observed(rows=rows, gaps=found.gaps)


class LossesOfBrokers(NamedTuple):
    """What each scenario changes.

    Attributes:
        units: what may be lost.
        before: what is so before anything is lost.
        changes: scenario, as places in `units` → what it changes beside what each of its parts does.
        gaps: what was left out of it.
    """

    units: list[Unit]
    before: Tally
    changes: dict[tuple[int, ...], Tally]
    gaps: list[Gap]

    def count_everything(self, partition: Fact, broker: Fact) -> bool:
        """Whether all partitions and who serves them could be seen, so that nothing is left out of the counts."""
        return partition.complete and broker.complete and not self.gaps and None not in partition.columns["leader"]

    def totals(self) -> Iterator[tuple[list[Unit], Tally]]:
        """What is lost in each scenario, and what it comes to: what is so already, and what all its parts change."""
        for scenario in self.changes:
            total = Tally()
            total.plus(self.before)
            for part in {scenario, *((i,) for i in scenario)}:
                total.plus(self.changes[part])
            yield [self.units[i] for i in scenario], total


def losses_of_one(partition: Fact, broker: Fact) -> LossesOfBrokers:
    """Weigh the loss of each broker, a working controller assumed."""
    return losses_of(partition, broker, STATE, state_of_partition, most=1, racks=False)


def losses_of(
    partition: Fact,
    broker: Fact,
    names: tuple[str, ...],
    state_of: Callable[..., "Weighed"],
    *,
    most: int,
    racks: bool,
) -> LossesOfBrokers:
    """Weigh every scenario over kafka_partition and kafka_broker.

    Args:
        partition: kafka_partition.
        broker: kafka_broker.
        names: the columns of a partition that decide what a loss does to it.
        state_of: makes a state of their cells, by the names of their columns; lists are tuples.
        most: how many things are lost at once, 1 or 2.
        racks: whether racks are lost too.
    """
    down = down_of(broker)
    places = zip(broker.columns["broker"], broker.columns["rack"], strict=True)
    alive = {node: rack for node, rack in places if node not in down}
    gaps = racks_unknown(alive) if racks else []
    units = units_of(alive, racks=racks)
    before, changes = Tally(), {scenario: Tally() for scenario in scenarios_of(units, most=most)}
    for state, topics in _states(partition, names, state_of, gaps).items():
        weigh(state, topics, units, down, before, changes)
    return LossesOfBrokers(units, before, changes, gaps)


def _row(lost: list[Unit], total: Tally, *, already: int) -> BrokerLoss:
    what = described(lost, "broker")
    return BrokerLoss(
        scenario=what.name,
        kind=what.kind,
        brokers=what.nodes,
        racks=what.racks,
        partitions=total.sums.any,
        topics=len(total.harmed()),
        refusing_writes=total.sums.refusing,
        offline=total.sums.offline,
        at_risk=total.sums.at_risk,
        worst_topics=total.worst(),
        already=already,
    )


class LossScenario(NamedTuple):
    """What is lost together: name and kind of it, its nodes and its racks."""

    name: str
    kind: str
    nodes: list[BrokerId]
    racks: list[str]


def described(lost: list[Unit], noun: str) -> LossScenario:
    """Describe a scenario; `noun` is what its nodes are called."""
    if lost[0].rack:
        kind = "rack" if len(lost) == 1 else f"rack and {noun}"
    else:
        kind = noun if len(lost) == 1 else f"two {noun}s"
    nodes = sorted(BrokerId(node) for unit in lost for node in unit.nodes)
    return LossScenario(" + ".join(unit.name for unit in lost), kind, nodes, [unit.rack for unit in lost if unit.rack])


STATE = ("replicas", "isr", "elr", "needs", "unclean_leader_election")


def state_of_partition(
    replicas: tuple[int, ...],
    isr: tuple[int, ...],
    elr: tuple[int, ...],
    needs: int,
    unclean_leader_election: bool,  # noqa: FBT001 - a column's name
) -> PartitionState:
    """The state of the cells of `STATE`."""
    return PartitionState(frozenset(replicas), frozenset(isr), frozenset(elr), needs, unclean=unclean_leader_election)


def _states(
    partition: Fact, names: tuple[str, ...], state_of: Callable[..., "Weighed"], gaps: list[Gap]
) -> dict["Weighed", Counter[str]]:
    """Count the partitions of each state by topic; what is not fully known becomes a gap."""
    columns = [partition.columns[name] for name in names]
    seen: defaultdict[tuple[Any, ...], list[str]] = defaultdict(list)
    unknown: Counter[str] = Counter()
    for row, topics in by_first_alike(columns, partition.columns["topic"]).items():
        cells = tuple(_frozen(column[row]) for column in columns)
        if None in cells:
            unknown.update(topics)
        else:
            seen[cells] += topics
    gaps += [
        Gap(
            f"what a loss means for {unknown[topic]} partitions of {topic} is not known: "
            "their state or settings are not",
            {"topic": topic},
        )
        for topic in dict.fromkeys(partition.columns["topic"] if unknown else ())
        if topic in unknown
    ]
    states: defaultdict[Weighed, list[str]] = defaultdict(list)
    for cells, topics in seen.items():
        states[state_of(**dict(zip(names, cells, strict=True)))] += topics
    return {state: Counter(topics) for state, topics in states.items()}


def _frozen(cell: Any) -> Any:
    """A cell by which a dictionary can go."""
    return tuple(cell) if isinstance(cell, list) else cell


def down_of(broker: Fact) -> frozenset[int]:
    """Give the brokers that are out of service already."""
    pairs = zip(broker.columns["broker"], broker.columns["fenced"], strict=True)
    return frozenset(node for node, fenced in pairs if fenced)


def racks_unknown(alive: Mapping[int, str | None]) -> list[Gap]:
    """Give a gap for each node of which the rack is not known."""
    return [Gap(f"the rack of node {node} is not known", {"broker": node}) for node, r in alive.items() if r is None]


def units_of(alive: Mapping[int, str | None], *, racks: bool, controllers: Collection[int] = ()) -> list[Unit]:
    """List what may be lost: racks first, then nodes, those named in `controllers` called by that word."""
    names = sorted({rack for rack in alive.values() if rack}) if racks else []
    units = [Unit(f"rack {rack}", rack, frozenset(n for n in alive if alive[n] == rack)) for rack in names]
    nouns = {node: "controller" if node in controllers else "broker" for node in sorted(alive)}
    return units + [Unit(f"{noun} {node}", "", frozenset([node])) for node, noun in nouns.items()]


def scenarios_of(units: list[Unit], *, most: int) -> Iterator[tuple[int, ...]]:
    """Yield what is lost together, as places in `units`: one, and any two that are no two racks and do not overlap."""
    yield from ((i,) for i in range(len(units)))
    if most > 1:
        for i, j in combinations(range(len(units)), 2):
            if not units[j].rack and not units[i].nodes & units[j].nodes:
                yield i, j


class Weighed(Protocol):
    """A state that partitions share, of which it can be said what a loss does to it."""

    def harm(self, lost: frozenset[int], /) -> Harm:
        """Say what a loss does to one partition."""

    @property
    def members(self) -> frozenset[int]:
        """The brokers whose loss may change something."""


def weigh(
    state: Weighed,
    topics: Counter[str],
    units: list[Unit],
    down: frozenset[int],
    before: Tally,
    losses: dict[tuple[int, ...], Tally],
) -> None:
    """Add what each loss changes for partitions of this state, compared with now."""
    now = state.harm(down)
    before.add(now, topics)
    touched = [i for i, unit in enumerate(units) if unit.nodes & state.members]
    alone = {i: state.harm(down | units[i].nodes) for i in touched}
    for i in touched:
        _change(losses[(i,)], Harm._make(map(sub, alone[i], now)), topics)
    for i, j in combinations(touched, 2):
        if (i, j) in losses:
            both = state.harm(down | units[i].nodes | units[j].nodes)
            change = [ab - a - b + n for ab, a, b, n in zip(both, alone[i], alone[j], now, strict=True)]
            _change(losses[i, j], Harm._make(change), topics)


def _change(loss: Tally, change: Harm, topics: Counter[str]) -> None:
    if any(change):
        loss.add(change, topics)
