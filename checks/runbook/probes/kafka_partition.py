"""The partitions: who leads, who follows, who is in sync, and how many must be."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

from runbook.answers.kafka import EligibleLeaders, Partition, TopicPartition, TopicSettings
from runbook.model.errors import CannotLook, Unsupported
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.probes.kafka_topic import INTERNAL, number, switch
from runbook.rules.election import copies_needed, out_of_sync

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaPartition(Row):
    """A partition."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number within its topic.", key=True)]
    internal: Annotated[bool, Cell("Whether Kafka marks the topic as internal.")]
    leader: Annotated[BrokerId, Cell("Broker that leads; -1 for none.")]
    preferred_leader: Annotated[BrokerId, Cell("First of the replicas; -1 for none.")]
    replicas: Annotated[list[BrokerId], Cell("Brokers that hold a replica, in order of preference.")]
    isr: Annotated[list[BrokerId], Cell("Replicas in sync with the leader.")]
    out_of_sync: Annotated[list[BrokerId], Cell("Replicas that are not in sync.")]
    elr: Annotated[list[BrokerId] | None, Cell("Eligible leader replicas (KIP-966); empty where the feature is off.")]
    last_leader: Annotated[
        BrokerId | None,
        Cell("Broker that led last, of a partition without a leader, as the controllers keep it (KIP-966); else -1."),
    ]
    racks: Annotated[
        list[str] | None, Cell("Distinct racks of the replicas, of the brokers that have one.", entity="rack")
    ]
    min_insync_replicas: Annotated[int | None, Cell("min.insync.replicas as set for the topic.", unit="replicas")]
    needs: Annotated[
        int | None,
        Cell(
            "In-sync replicas that acks=all writes need: min.insync.replicas, from Kafka 3.7 at most the replicas.",
            unit="replicas",
        ),
    ]
    unclean_leader_election: Annotated[bool | None, Cell("unclean.leader.election.enable in force for the topic.")]


PROBE = Probe(
    connections=("kafka",),
    help="One row per partition.",
    row=KafkaPartition,
    requests=(
        "ApiVersions",
        "DescribeAcls",
        "DescribeCluster",
        "DescribeConfigs",
        "DescribeTopicPartitions",
        "Metadata",
    ),
    rights=(
        "Describe on all topics",
        "DescribeConfigs on topics",
        "Describe on the cluster, to see that no ACL hides topics",
    ),
    parameters={"internal": INTERNAL},
)

_Eligible = dict[TopicPartition, EligibleLeaders]
_NO_BROKER = BrokerId(-1)
_NOBODY: list[BrokerId] = []


def observe(kafka: "Kafka", *, internal: bool | None = None) -> Observed:
    """Observe the partitions; settings and eligible leaders that could not be read are None."""
    marked = kafka.internal_topics()
    settings = kafka.topic_settings()
    eligible = _eligible(kafka)
    racks = _Racks(kafka)
    release = kafka.release()
    rows = []
    for topic, partitions in kafka.lasting_topics().items():
        if internal is not None and (topic in marked) != internal:
            continue
        seen = settings.get(topic)
        minimum = number(seen, "min.insync.replicas")
        unclean = switch(seen, "unclean.leader.election.enable") if isinstance(seen, TopicSettings) else None
        for listed in partitions:
            seen_with = _with_elr(topic, listed, eligible)
            partition, replicas = seen_with.partition, seen_with.partition.replicas
            rows.append(
                KafkaPartition(
                    topic=topic,
                    partition=partition.number,
                    internal=topic in marked,
                    leader=partition.leader,
                    preferred_leader=replicas[0] if replicas else _NO_BROKER,
                    replicas=replicas,
                    isr=partition.isr,
                    out_of_sync=out_of_sync(replicas, partition.isr) or _NOBODY,
                    elr=seen_with.eligible,
                    last_leader=seen_with.last_leader,
                    racks=racks.of(replicas),
                    min_insync_replicas=minimum,
                    needs=copies_needed(minimum, len(replicas), release),
                    unclean_leader_election=unclean,
                )
            )
    return Observed(rows=rows, gaps=[*kafka.topics_gaps(), *stale_metadata_gaps(kafka)])


def stale_metadata_gaps(kafka: "Kafka") -> list[Gap]:
    """Return a gap for each broker that counts as in sync and does not answer us.

    Brokers tell what they last heard from the controllers. Until a dead broker is fenced, and for ever where the
    controllers have no majority, that still names it as in sync. Where nobody leads any more the controllers know: the
    last one in sync is kept as such, for it may come back.
    """
    led = (partition for _, partition in kafka.each_partition() if partition.leader >= 0)
    counted = Counter(node for partition in led for node in partition.isr)
    brokers = [broker for broker in kafka.brokers() if counted[broker.id]]
    return [
        Gap.of(error, {"broker": broker.id}, f"{error}, yet counts as in sync for {counted[broker.id]} partitions")
        for broker, error in zip(brokers, kafka.silences(brokers), strict=True)
        if error is not None
    ]


def _eligible(kafka: "Kafka") -> _Eligible | None:
    try:
        return kafka.eligible_leaders()
    except Unsupported:
        return None
    except CannotLook:
        return {}


class _PartitionWithElr(NamedTuple):
    """A partition with its eligible leaders and who led last, all of the same moment; None where they were not told."""

    partition: Partition
    eligible: list[BrokerId] | None
    last_leader: BrokerId | None


def _with_elr(topic: str, listed: Partition, eligible: _Eligible | None) -> _PartitionWithElr:
    if eligible is None or len(listed.isr) >= len(listed.replicas):
        return _PartitionWithElr(listed, _NOBODY, _NO_BROKER)
    described = eligible.get(TopicPartition(topic, listed.number))
    return (
        _PartitionWithElr(listed, None, None)
        if described is None
        else _PartitionWithElr(described.partition, described.eligible, described.last_leader)
    )


class _Racks:
    """Racks of replica lists, worked out once per distinct list; None when a broker's rack is not known."""

    def __init__(self, kafka: "Kafka") -> None:
        self._rack: dict[int, str | None] = {broker.id: broker.rack for broker in kafka.brokers()}
        self._known: dict[tuple[int, ...], list[str] | None] = {}

    def of(self, replicas: Sequence[int]) -> list[str] | None:
        key = tuple(replicas)
        if key not in self._known:
            racks = [self._rack.get(node) for node in replicas]
            named = {rack for rack in racks if rack}
            self._known[key] = None if None in racks else sorted(named)
        return self._known[key]
