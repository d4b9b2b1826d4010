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
from runbook.rules.election import Fate, fate
from runbook.views.broker_loss import STATE, PartitionState, state_of_partition


class VoluntaryDisruption(Row):
    """A disruption budget over brokers."""

    budget: Annotated[str, Cell("Name of the budget; `no budget` for brokers under none.", key=True)]
    brokers: Annotated[list[BrokerId], Cell("Brokers that may be chosen.")]
    pods: Annotated[list[str], Cell("Their pods.", entity="pod")]
    allowed: Annotated[int | None, Cell("How many of them may be evicted at the same time, right now.", unit="pods")]
    refusing_writes: Annotated[int, Cell("Partitions that would refuse acks=all writes.", unit="partitions")]
    offline: Annotated[int, Cell("Partitions that would be offline.", unit="partitions")]
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
    version=3,
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
            gaps.append(Gap(f"which broker pod {row['pod']} is unknown", {"pod": row["pod"]}))
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


def _harm(state: PartitionState, evictions: _Evictions, unplanned: int) -> Fate:
    """Say whether the worst choice makes a partition refuse writes, go offline, lose its last complete copy."""

    def left(members: frozenset[int]) -> int:
        # not made up: a budget of which this is not known is a gap before
        chosen = min(evictions.allowed or 0, len(members & evictions.brokers))
        return max(0, len(members) - chosen - unplanned)

    return fate(
        in_sync=left(state.isr),
        eligible=left(state.isr | (state.elr & state.replicas)),
        copies=left(state.replicas),
        needs=state.needs,
        unclean=state.unclean,
    )


def _partitions(partition: Fact) -> tuple[dict[PartitionState, Counter[str]], list[Gap]]:
    states: dict[PartitionState, Counter[str]] = {}
    unknown: Counter[str] = Counter()
    for row in partition.rows("topic", *STATE):
        if None in row.values():
            unknown[row["topic"]] += 1
            continue
        topic, *cells = row.values()
        state = state_of_partition(*cells)
        states.setdefault(state, Counter())[topic] += 1
    gaps = [
        Gap(f"what an eviction means for {count} partitions of {topic} is not known", {"topic": topic})
        for topic, count in unknown.items()
    ]
    return states, gaps


def _row(evictions: _Evictions, partitions: dict[PartitionState, Counter[str]], unplanned: int) -> VoluntaryDisruption:
    sums, topics, already = [0, 0, 0], Counter[str](), 0
    for state, counted in partitions.items():
        count = counted.total()
        harm = _harm(state, evictions, unplanned)
        sums = [have + count * each for have, each in zip(sums, harm, strict=True)]
        already += count * (len(state.isr) < state.needs)
        if any(harm):
            topics.update(counted)
    total = Fate._make(sums)
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
