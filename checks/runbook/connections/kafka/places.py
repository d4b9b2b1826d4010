"""Places in many partitions, each looked up by a time of its own: one request for each leader."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from runbook.connections.kafka.answers import Partition, TopicPartition
from runbook.connections.kafka.behind import ClientsBehind
from runbook.connections.kafka.errors import from_code
from runbook.connections.kafka.offset_requests import OffsetAndTimestamp
from runbook.connections.kafka.offsets import Places
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap

READ_COMMITTED: Final = 1
READ_UNCOMMITTED: Final = 0
_WITH_ISOLATION: Final = 2  # the first version of ListOffsets that asks for it (Kafka 0.11, KIP-98)


def places(
    behind: ClientsBehind,
    partitions: Mapping[TopicPartition, Partition],
    times: Mapping[TopicPartition, int],
    isolation: int = READ_UNCOMMITTED,
) -> Places:
    """Ask the leaders of partitions for a place in each.

    Args:
        behind: who asks.
        partitions: those that there are, with their leaders.
        times: partition → ms since 1970, or a constant of `offset_requests`; each at most once.
        isolation: READ_COMMITTED makes LATEST the last stable offset.

    Returns:
        What was told, and a gap for each leader that does not tell and each partition without a leader.
    """
    brokers = behind.brokers()
    led: dict[int, list[TopicPartition]] = {}
    gaps = []
    for spot in times:
        leader = partitions[spot].leader
        if leader < 0:
            gaps.append(Gap(f"{spot.topic}-{spot.partition} has no leader", {"topic": spot.topic}))
        else:
            led.setdefault(leader, []).append(spot)

    def one(node: int) -> dict[TopicPartition, OffsetAndTimestamp | CannotLook] | CannotLook:
        label = brokers[node].label if node in brokers else f"broker {node}"
        try:
            return _ask(behind.python, (node, label), led[node], times, isolation)
        except CannotLook as error:
            return error

    found: dict[TopicPartition, OffsetAndTimestamp] = {}
    for node, answer in zip(led, behind.pool.map(one, led), strict=True):
        if isinstance(answer, CannotLook):
            gaps.append(Gap(f"offsets of {len(led[node])} partitions are not known: {answer}", {"broker": node}))
            continue
        for spot in led[node]:
            told = answer.get(spot) or CannotLook(f"{spot.topic}-{spot.partition} was left out of the answer")
            if isinstance(told, CannotLook):
                gaps.append(Gap(str(told), {"topic": spot.topic}))
            else:
                found[spot] = told
    return found, gaps


def _ask(
    client: KafkaPythonClient,
    leader: tuple[int, str],
    spots: Sequence[TopicPartition],
    times: Mapping[TopicPartition, int],
    isolation: int,
) -> dict[TopicPartition, OffsetAndTimestamp | CannotLook]:
    from kafka.protocol.consumer import ListOffsetsRequest

    topic_type = ListOffsetsRequest.ListOffsetsTopic
    topics: dict[str, list[Any]] = {}
    for spot in spots:
        asked = topic_type.ListOffsetsPartition(partition_index=spot.partition, timestamp=times[spot])
        topics.setdefault(spot.topic, []).append(asked)
    special = [ListOffsetsRequest.min_version_for_timestamp(time) for time in times.values() if time < 0]
    request = ListOffsetsRequest(
        isolation_level=isolation,
        topics=[topic_type(name=name, partitions=partitions) for name, partitions in topics.items()],
        min_version=max([_WITH_ISOLATION, *special]),
    )
    return {
        TopicPartition(topic.name, one.partition_index): (
            from_code(one.error_code, f"{topic.name}-{one.partition_index}", right="Describe on the topic")
            if one.error_code
            else OffsetAndTimestamp(offset=one.offset, timestamp=one.timestamp)
        )
        for topic in client.ask(*leader, request).topics
        for one in topic.partitions
    }
