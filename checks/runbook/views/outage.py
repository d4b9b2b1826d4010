"""What has stopped for clients now, and what the loss of one more broker would stop, counted in partitions."""

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Literal

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views.broker_loss import losses_of_one

Mode = Literal["kraft", "zookeeper", "unknown"]
_NAMED = 3  # topics; our judgement: a sentence


class Outage(Row):
    """What does not work at a moment."""

    moment: Annotated[Literal["now", "next"], Cell("now, or next: after the worst loss of one more broker.", key=True)]
    mode: Annotated[Mode, Cell("Where the cluster keeps its metadata: in KRaft mode next_loss says what comes next.")]
    known: Annotated[bool, Cell("Whether all partitions and who serves them could be seen; else no count is known.")]
    partitions: Annotated[int, Cell("Partitions that could be seen.", unit="partitions")]
    refusing_writes: Annotated[
        int | None, Cell("Partitions that refuse acks=all writes, the offline ones included.", unit="partitions")
    ]
    offline: Annotated[int | None, Cell("Partitions without a leader.", unit="partitions")]
    topics: Annotated[
        list[str] | None,
        Cell("Up to three of the topics that refuse writes now, those with most such partitions first."),
    ]
    more_topics: Annotated[int | None, Cell("How many more topics do.", unit="topics")]
    led_by_silent: Annotated[
        int | None, Cell("Partitions of which the leader that is listed does not answer us.", unit="partitions")
    ]
    brokers: Annotated[
        list[BrokerId] | None, Cell("Brokers in service of which the loss of any one stops more than has stopped.")
    ]


VIEW = View(
    help="Two rows: what has stopped, and what the loss of one more broker would stop, a working controller assumed.",
    row=Outage,
    inputs={
        "partition": Input(
            "kafka_partition",
            columns=("topic", "partition", "leader", "replicas", "isr", "elr", "needs", "unclean_leader_election"),
        ),
        "broker": Input("kafka_broker", columns=("broker", "rack", "fenced", "answers"), needs=("fenced",)),
        "cluster": Input("kafka_cluster", columns=("mode",)),
    },
)


def compute(*, partition: Fact, broker: Fact, cluster: Fact) -> Observed:
    """Work it out over kafka_partition, kafka_broker and kafka_cluster, as broker_loss does for what may be lost."""
    mode: Mode = next((found for found in cluster.columns["mode"] if found), "unknown")
    found = losses_of_one(partition, broker)
    leaders = partition.columns["leader"]
    known = found.count_everything(partition, broker)
    now = found.before.sums
    worse = [(lost[0], total.sums) for lost, total in found.totals() if total.sums.stops_more_than(now)]
    brokers = sorted(BrokerId(node) for unit, _ in worse for node in unit.nodes)
    answers = dict(zip(broker.columns["broker"], broker.columns["answers"], strict=True))
    counted = None not in leaders and None not in answers.values()
    refuses = [*map(_refuses, leaders, partition.columns["isr"], partition.columns["needs"])]
    refusing = max(now.refusing, sum(refuses))
    topics = _most_hit(topic for topic, hit in zip(partition.columns["topic"], refuses, strict=True) if hit)
    silent = sum(answers.get(leader) is False for leader in leaders) if counted else None

    def row(moment: Literal["now", "next"], refusing: int, offline: int) -> Outage:
        return Outage(
            moment=moment,
            mode=mode,
            known=known,
            partitions=len(partition),
            refusing_writes=refusing if known else None,
            offline=offline if known else None,
            topics=topics[:_NAMED] if known else None,
            more_topics=len(topics[_NAMED:]) if known else None,
            led_by_silent=silent,
            brokers=brokers if known else None,
        )

    return Observed(
        rows=[
            row("now", refusing, sum(leader is not None and leader < 0 for leader in leaders)),
            row(
                "next",
                max([refusing, *(sums.refusing for _, sums in worse)]),
                max((sums.offline for _, sums in worse), default=now.offline),
            ),
        ]
    )


def _most_hit(topics: Iterable[str]) -> list[str]:
    """Topics by how often they come, the most frequent first; those of Kafka itself last."""
    return sorted(counts := Counter(topics), key=lambda topic: (topic.startswith("__"), -counts[topic], topic))


def _refuses(leader: int | None, isr: list[int] | None, needs: int | None) -> bool:
    """Whether a partition refuses acks=all writes as it is, by what the checks of it go by, too."""
    return (leader is not None and leader < 0) or (isr is not None and needs is not None and len(isr) < needs)
