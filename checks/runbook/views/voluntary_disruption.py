"""What evictions would do to Kafka: as many brokers at once as the disruption budgets let go, and their partitions.

A drain, an upgrade of nodes or an autoscaler may take any pods that a budget lets go, so each partition is judged by
the choice that is worst for it. The work is linear in the partitions.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, NamedTuple

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class VoluntaryDisruption(Row):
    """A disruption budget over brokers."""

    budget: Annotated[str, Cell("Name of the budget; `no budget` for brokers under none.", key=True)]
    brokers: Annotated[list[BrokerId], Cell("Brokers that may be chosen.")]
    pods: Annotated[list[str], Cell("Their pods.", entity="pod")]
    allowed: Annotated[int | None, Cell("How many of them may be evicted at the same time, right now.", unit="pods")]
    refusing_writes: Annotated[int, Cell("Partitions that would refuse acks=all writes.", unit="partitions")]
    offline: Annotated[int, Cell("Partitions that nobody could lead.", unit="partitions")]
    at_risk: Annotated[int, Cell("Partitions of which no copy with all acknowledged data is left.", unit="partitions")]
    already: Annotated[int, Cell("Partitions that refuse writes before anything is evicted.", unit="partitions")]
    worst_topics: Annotated[list[str], Cell("Up to five topics with the most of these partitions.")]


VIEW = View(
    help="One row per disruption budget over brokers, and one for the brokers that no budget protects.",
    row=VoluntaryDisruption,
    inputs={
        "budget": Input("kubernetes_disruption_budget", columns=("budget", "pods", "allowed"), needs=("pods",)),
        "pod": Input("kubernetes_pod", columns=("pod", "broker", "roles"), needs=("roles",)),
        "partition": Input(
            "kafka_partition", columns=("topic", "replicas", "isr", "elr", "needs", "unclean_leader_election")
        ),
    },
    version=2,
    parameters={
        "unplanned": Parameter(
            type="int", default=0, min=0, max=2, help="brokers, any of all, that fail while the others are evicted"
        )
    },
)

_NO_BUDGET = "no budget"
_WORST = 5


class _Evictions(NamedTuple):
    """A choice of evictions: up to `allowed` of these brokers."""

    budget: str
    pods: list[str]
    brokers: frozenset[BrokerId]
    allowed: int | None


def compute(*, budget: Fact, pod: Fact, partition: Fact, unplanned: int = 0) -> Observed:
    """Work out each budget's worst case from kubernetes_disruption_budget, kubernetes_pod and kafka_partition.

    A pod under two budgets can't be evicted at all (the eviction API refuses it), so it is in no row.
    """
    brokers, gaps = _brokers(pod)
    gaps += _strangers(partition, frozenset(brokers.values()))
    partitions, unknown = _partitions(partition)
    gaps += unknown
    rows = []
    for evictions in _choices(budget, brokers):
        if evictions.allowed is None:
            gaps.append(
                Gap(f"how many pods budget {evictions.budget} lets go is not known: its numbers are out of date")
            )
            continue
        rows.append(_row(evictions, partitions, unplanned))
    return Observed(rows=rows, gaps=gaps)


def _brokers(pod: Fact) -> tuple[dict[str, BrokerId], list[Gap]]:
    """Give the node id of each broker's pod, and the pods for which it can't be told."""
    found: dict[str, BrokerId] = {}
    gaps = []
    for row in pod.rows():
        if "broker" not in (row["roles"] or ()):
            continue
        if row["broker"] is None:
            gaps.append(Gap(f"which broker pod {row['pod']} is can't be told", {"pod": row["pod"]}))
        else:
            found[row["pod"]] = row["broker"]
    return found, gaps


def _strangers(partition: Fact, known: frozenset[int]) -> list[Gap]:
    """Name the brokers with replicas that no pod is known to be: ids may be counted differently there and here."""
    holding = {broker for replicas in partition.columns["replicas"] for broker in replicas or ()}
    return [
        Gap(f"broker {broker} holds replicas and no pod is known to be it", {"broker": broker})
        for broker in sorted(holding - known)
    ]


def _choices(budget: Fact, brokers: dict[str, BrokerId]) -> Iterator[_Evictions]:
    rows = list(budget.rows())
    counts = Counter(pod for row in rows for pod in row["pods"] or ())
    for row in rows:
        ours = [pod for pod in row["pods"] or () if pod in brokers and counts[pod] == 1]
        if ours:
            yield _Evictions(row["budget"], ours, frozenset(brokers[pod] for pod in ours), row["allowed"])
    bare = sorted(pod for pod in brokers if pod not in counts)
    if bare and budget.complete:  # a budget that was not seen may protect them
        yield _Evictions(_NO_BUDGET, bare, frozenset(brokers[pod] for pod in bare), len(bare))


class _Harm(NamedTuple):
    refusing: int
    offline: int
    at_risk: int


class _State(NamedTuple):
    """All of a partition that decides what a loss does to it; equal for most partitions of a cluster."""

    replicas: frozenset[int]
    isr: frozenset[int]
    elr: frozenset[int]
    needs: int
    unclean: bool

    def harm(self, evictions: _Evictions, unplanned: int) -> _Harm:
        """Say whether the worst choice makes it refuse writes, go offline, lose its last complete copy."""

        def lost(members: frozenset[int]) -> int:
            # not made up: a budget of which this is not known is a gap before
            chosen = min(evictions.allowed or 0, len(members & evictions.brokers))
            return min(len(members), chosen + unplanned)

        complete = self.isr | self.elr
        at_risk = lost(complete) == len(complete)
        offline = at_risk and not (self.unclean and lost(self.replicas) < len(self.replicas))
        # Where nobody in sync is left, the one elected is in sync alone.
        refusing = offline or max(len(self.isr) - lost(self.isr), 1) < self.needs
        return _Harm(refusing=refusing, offline=offline, at_risk=at_risk)


def _partitions(partition: Fact) -> tuple[dict[_State, Counter[str]], list[Gap]]:
    states: dict[_State, Counter[str]] = {}
    unknown: Counter[str] = Counter()
    names = ("topic", "replicas", "isr", "elr", "needs", "unclean_leader_election")
    for row in partition.rows(*names):
        if None in row.values():
            unknown[row["topic"]] += 1
            continue
        state = _State(
            replicas=frozenset(row["replicas"]),
            isr=frozenset(row["isr"]),
            elr=frozenset(row["elr"]),
            needs=row["needs"],
            unclean=row["unclean_leader_election"],
        )
        states.setdefault(state, Counter())[row["topic"]] += 1
    gaps = [
        Gap(f"what an eviction means for {count} partitions of {topic} is not known", {"topic": topic})
        for topic, count in unknown.items()
    ]
    return states, gaps


def _row(evictions: _Evictions, partitions: dict[_State, Counter[str]], unplanned: int) -> VoluntaryDisruption:
    sums, topics, already = [0, 0, 0], Counter[str](), 0
    for state, counted in partitions.items():
        count = counted.total()
        harm = state.harm(evictions, unplanned)
        sums = [have + count * each for have, each in zip(sums, harm, strict=True)]
        already += count * (len(state.isr) < state.needs)
        if any(harm):
            topics.update(counted)
    total = _Harm(*sums)
    return VoluntaryDisruption(
        budget=evictions.budget,
        brokers=sorted(evictions.brokers),
        pods=evictions.pods,
        allowed=evictions.allowed,
        refusing_writes=total.refusing,
        offline=total.offline,
        at_risk=total.at_risk,
        already=already,
        worst_topics=sorted(topics, key=lambda topic: (-topics[topic], topic))[:_WORST],
    )
