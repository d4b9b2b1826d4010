"""Where share groups stand in their partitions, as their coordinators tell it (DescribeShareGroupOffsets, KIP-932).

Importing this module imports kafka-python.
"""

from collections.abc import Sequence
from typing import Any, Final

from kafka.protocol.api_message import ApiMessage

from runbook.answers.kafka import TopicPartition
from runbook.connections.kafka import group_messages
from runbook.connections.kafka.errors import from_code
from runbook.connections.kafka.offset_requests import GROUPS_AT_ONCE, GroupCommits
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.model.errors import CannotLook, Unsupported


class DescribeShareGroupOffsetsRequest(ApiMessage, load_json=group_messages):  # type: ignore[call-arg, misc]  # kafka-python is untyped
    """Request 90 (KIP-932); from version 1 on it is answered with lags (KIP-1226, Kafka 4.2)."""


class DescribeShareGroupOffsetsResponse(ApiMessage, load_json=group_messages):  # type: ignore[call-arg, misc]  # kafka-python is untyped
    """What it is answered with."""


_RIGHT: Final = "Describe on the group and on the topics that it reads"


def fetch_share_offsets(
    client: KafkaPythonClient, node: int, label: str, groups: Sequence[str]
) -> dict[str, GroupCommits | CannotLook]:
    """Ask a coordinator where its share groups stand, some of them at a time.

    The start offset of a partition stands for a commit: every record before it was acknowledged, rejected or given up.

    Raises:
        CannotLook: it does not answer, or is too old for the question.
    """
    if not client.knows(DescribeShareGroupOffsetsRequest):
        raise Unsupported("Kafka reports the offsets of share groups from 4.1 on")
    asked_of = DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup
    found: dict[str, GroupCommits | CannotLook] = {}
    for first in range(0, len(groups), GROUPS_AT_ONCE):
        asked = [asked_of(group_id=group, topics=None) for group in groups[first : first + GROUPS_AT_ONCE]]
        answer = client.ask(node, label, DescribeShareGroupOffsetsRequest(groups=asked))
        found |= {group.group_id: _of(group) for group in answer.groups}
    return found


def _of(group: Any) -> GroupCommits | CannotLook:
    if group.error_code:
        return from_code(group.error_code, f"group {group.group_id}", right=_RIGHT)
    told = GroupCommits({}, [])
    for topic in group.topics:
        for partition in topic.partitions:
            place = TopicPartition(topic.topic_name, partition.partition_index)
            if partition.error_code:
                subject = f"group {group.group_id} on {place.topic}-{place.partition}"
                told.refused.append(from_code(partition.error_code, subject, right=_RIGHT))
                continue
            told.lags[place] = partition.lag if partition.lag >= 0 else None
            if partition.start_offset >= 0:
                told.offsets[place] = partition.start_offset
    return told
