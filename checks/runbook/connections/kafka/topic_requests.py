"""Requests about topics, made through kafka-python, and what their responses mean."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from runbook.answers.kafka import (
    Broker,
    EligibleLeaders,
    Partition,
    Reassignment,
    Setting,
    TopicPartition,
    TopicSettings,
)
from runbook.connections.kafka.cluster_requests import CONTROLLER, check, describe_cluster, is_kraft
from runbook.connections.kafka.errors import from_code
from runbook.connections.kafka.identity import metadata_request
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.model.errors import CannotLook, Unsupported
from runbook.model.quantity import BrokerId

KEPT: Final = frozenset(
    {
        "cleanup.policy",
        "compression.type",
        "flush.messages",
        "flush.ms",
        "max.message.bytes",
        "message.timestamp.type",
        "min.insync.replicas",
        "retention.bytes",
        "retention.ms",
        "segment.bytes",
        "segment.ms",
        "unclean.leader.election.enable",
    }
)
"""The topic settings that probes give as columns of their own."""

_SET_ON_TOPIC = "DYNAMIC_TOPIC_CONFIG"
_SOURCES = {
    1: _SET_ON_TOPIC,
    2: "DYNAMIC_BROKER_CONFIG",
    3: "DYNAMIC_DEFAULT_BROKER_CONFIG",
    4: "STATIC_BROKER_CONFIG",
    5: "DEFAULT_CONFIG",
    8: "GROUP_CONFIG",
}
_TOPIC_RESOURCE = 2
_PARTITIONS_PER_PAGE = 2000
_UNKNOWN_TOPIC = 3  # UNKNOWN_TOPIC_OR_PARTITION (org.apache.kafka.common.protocol.Errors)


def describe_topic_settings(client: KafkaPythonClient, names: list[str]) -> dict[str, TopicSettings | CannotLook]:
    """Return the settings of topics; `None` as the list of keys asks for all, which overrides need."""
    from kafka.protocol.admin import DescribeConfigsRequest

    def build() -> Any:
        return DescribeConfigsRequest(
            resources=[(_TOPIC_RESOURCE, name, None) for name in names],
            include_synonyms=False,
            include_documentation=False,
            min_version=1,
        )

    found: dict[str, TopicSettings | CannotLook] = {}
    shared: dict[tuple[str | None, int, bool], Setting] = {}
    # In ZooKeeper mode the broker reads them there each time.
    for result in client.ask_any(build, waits_for="" if is_kraft(client) else "ZooKeeper").results:
        if result.error_code:
            label = f"topic {result.resource_name}"
            found[result.resource_name] = from_code(result.error_code, label, right="DescribeConfigs on the topic")
            continue
        values, overrides = {}, {}
        for entry in result.configs:
            on_topic = entry.config_source == 1
            if on_topic and entry.value is not None:
                overrides[entry.name] = entry.value
            if entry.name in KEPT:
                key = (entry.value, entry.config_source, entry.is_sensitive)
                if key not in shared:
                    source = _SOURCES.get(entry.config_source, "UNKNOWN_CONFIG")
                    shared[key] = Setting(entry.value, source, entry.is_sensitive)
                values[entry.name] = shared[key]
        found[result.resource_name] = TopicSettings(values, overrides)
    return found


def describe_topics(client: KafkaPythonClient) -> dict[str, list[Partition] | CannotLook]:
    """Return every topic that we may see, with its partitions (Metadata), or why a topic can't be told."""
    from kafka.protocol.metadata import MetadataRequest as Request

    found: dict[str, list[Partition] | CannotLook] = {}
    answer = client.ask_any(lambda: Request(topics=Request.ALL_TOPICS, allow_auto_topic_creation=False))
    for topic in sorted(answer.topics, key=lambda one: str(one.name)):
        if topic.error_code:
            found[topic.name] = from_code(topic.error_code, f"topic {topic.name}")
            continue
        partitions = sorted(topic.partitions, key=lambda one: int(one.partition_index))
        found[topic.name] = [_partition(partition) for partition in partitions]
    return found


def unknown_to(client: KafkaPythonClient, broker: Broker, names: Iterable[str]) -> set[str]:
    """Return which of these topics a broker does not know (Metadata)."""
    topics = client.ask(broker.id, broker.label, metadata_request(names)).topics
    return {topic.name for topic in topics if topic.error_code == _UNKNOWN_TOPIC}


def keep_settings(settings: dict[str, Setting]) -> TopicSettings:
    """Return of a topic's settings what probes need."""
    return TopicSettings(
        values={name: setting for name, setting in settings.items() if name in KEPT},
        overrides={
            name: setting.value
            for name, setting in settings.items()
            if setting.source == _SET_ON_TOPIC and setting.value is not None
        },
    )


def describe_topic_partitions(client: KafkaPythonClient, topics: list[str]) -> dict[TopicPartition, EligibleLeaders]:
    """Return leader, replicas, ISR and eligible leader replicas.

    Raises:
        Unsupported: the brokers do not know the request.
    """
    from kafka.protocol.admin import DescribeTopicPartitionsRequest as Request

    if not client.knows(Request):
        raise Unsupported("the brokers know no eligible leader replicas")
    found: dict[TopicPartition, EligibleLeaders] = {}
    cursor: Any = None
    while True:
        answer = client.ask_any(_page(Request, topics, cursor))
        for topic in answer.topics:
            for p in topic.partitions:
                last = list(p.last_known_elr or ())
                found[TopicPartition(topic.name, p.partition_index)] = EligibleLeaders(
                    partition=_partition(p),
                    eligible=list(p.eligible_leader_replicas or ()),
                    last_leader=last[0] if len(last) == 1 and p.leader_id < 0 else BrokerId(-1),
                )
        if answer.next_cursor is None:
            return found
        cursor = (answer.next_cursor.topic_name, answer.next_cursor.partition_index)
        topics = [name for name in topics if name >= cursor[0]]


def _partition(answer: Any) -> Partition:
    """A partition as Metadata and DescribeTopicPartitions tell it."""
    return Partition(
        number=answer.partition_index,
        leader=answer.leader_id,
        replicas=list(answer.replica_nodes),
        isr=list(answer.isr_nodes),
    )


def _page(request: Any, topics: list[str], cursor: tuple[str, int] | None) -> Callable[[], Any]:
    def build() -> Any:
        return request(
            topics=[request.TopicRequest(name=name) for name in topics],
            response_partition_limit=_PARTITIONS_PER_PAGE,
            cursor=None if cursor is None else request.Cursor(topic_name=cursor[0], partition_index=cursor[1]),
        )

    return build


def list_reassignments(client: KafkaPythonClient) -> list[Reassignment]:
    """Return the partitions on the move; brokers in ZooKeeper mode know them at the controller only."""
    from kafka.protocol.admin import ListPartitionReassignmentsRequest

    def build() -> Any:
        return ListPartitionReassignmentsRequest(timeout_ms=2000, topics=None)

    if is_kraft(client):
        answer = client.ask_any(build, waits_for=CONTROLLER)
    else:
        controller = describe_cluster(client).controller
        answer = client.ask(controller, f"broker {controller}", build())
    check(answer.error_code, "the cluster")
    return [
        Reassignment(
            topic=topic.name,
            partition=partition.partition_index,
            replicas=list(partition.replicas),
            adding=list(partition.adding_replicas),
            removing=list(partition.removing_replicas),
        )
        for topic in answer.topics
        for partition in topic.partitions
    ]
