"""Requests about the cluster, its brokers and groups, made through kafka-python, and what their responses mean."""

from base64 import urlsafe_b64encode
from typing import Any, Final, NamedTuple
from uuid import UUID

from runbook.answers.kafka import Broker, Cluster, ConsumerGroup, Feature, LogDir, Quorum, ReplicaSize, Voter
from runbook.answers.kafka.errors import NoController
from runbook.connections.kafka.errors import from_code
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.model.errors import Denied
from runbook.model.fact import Gap
from runbook.model.quantity import Bytes, Timestamp

CONTROLLER: Final = "the controller"
"""What brokers wait for that pass a request on to it."""

_DESCRIBE_CLUSTER = "Describe on the cluster"
_DESCRIBE_CONFIGS = "DescribeConfigs on the cluster"
_LOGGERS = 8  # the code of the kind of resource (ConfigResource.Type.BROKER_LOGGER)
_DESCRIBE = 8  # the code of the operation (AclOperation)
_REQUEST_TIMED_OUT = 7  # Kafka's error code
_CONSUMER_TYPES = {"classic", "consumer", ""}
_CONSUMER_PROTOCOLS = {"consumer", ""}


def describe_cluster(client: KafkaPythonClient) -> Cluster:
    """Return brokers and rights; brokers older than 2.8 lack DescribeCluster and answer Metadata instead."""
    from kafka.protocol.admin import DescribeClusterRequest
    from kafka.protocol.metadata import MetadataRequest

    if client.knows(DescribeClusterRequest):

        def build() -> Any:
            return DescribeClusterRequest(include_cluster_authorized_operations=True, include_fenced_brokers=True)
    else:

        def build() -> Any:
            return MetadataRequest(
                topics=[], allow_auto_topic_creation=False, include_cluster_authorized_operations=True
            )

    answer = client.ask_any(build)
    # not made up: old versions of the answer have no field for an error
    check(getattr(answer, "error_code", 0) or 0, "the cluster")
    brokers = tuple(
        Broker(
            id=broker.broker_id if hasattr(broker, "broker_id") else broker.node_id,
            host=broker.host,
            port=broker.port,
            rack=broker.rack or "",
            # not made up: Metadata has no such field, and lists no broker that is fenced
            fenced=bool(getattr(broker, "is_fenced", False)),
        )
        for broker in answer.brokers
    )
    rights = answer.authorized_operations
    return Cluster(
        id=answer.cluster_id,
        brokers=tuple(sorted(brokers, key=lambda broker: broker.id)),
        controller=answer.controller_id,
        describes_all=None if rights is None else _DESCRIBE in rights,
    )


def is_kraft(client: KafkaPythonClient) -> bool:
    """Say whether the brokers know DescribeQuorum, which they do in KRaft mode only."""
    from kafka.protocol.admin import DescribeQuorumRequest

    return client.knows(DescribeQuorumRequest)


def describe_log_dirs(client: KafkaPythonClient, broker: Broker) -> list[LogDir]:
    """Return a broker's log directories.

    Raises:
        CannotLook: it did not tell; without rights Kafka answers an empty list and, before 3.2, no error.
    """
    from kafka.protocol.admin import DescribeLogDirsRequest

    answer = client.ask(broker.id, broker.label, DescribeLogDirsRequest(topics=None))
    # not made up: old versions of the answer have no field for an error
    check(getattr(answer, "error_code", 0) or 0, broker.label)
    if not answer.results:
        said = f"{broker.label} shows none of its log directories: it needs {_DESCRIBE_CLUSTER}"
        raise Denied(said, _DESCRIBE_CLUSTER)
    return [_log_dir(result, broker) for result in answer.results]


def describe_loggers(client: KafkaPythonClient, broker: Broker) -> dict[str, str]:
    """Return the level of each logger of a broker, by its name.

    Raises:
        CannotLook: it did not tell.
    """
    from kafka.protocol.admin import DescribeConfigsRequest

    wanted = [(_LOGGERS, str(broker.id), None)]
    request = DescribeConfigsRequest(resources=wanted, include_synonyms=False, include_documentation=False)
    (answer,) = client.ask(broker.id, broker.label, request).results
    if answer.error_code:
        raise from_code(answer.error_code, broker.label, message=answer.error_message, right=_DESCRIBE_CONFIGS)
    return {config.name: config.value for config in answer.configs}


def _log_dir(result: Any, broker: Broker) -> LogDir:
    error = str(from_code(result.error_code, broker.label)) if result.error_code else ""
    partitions = [partition for topic in result.topics for partition in topic.partitions]
    return LogDir(
        path=result.log_dir,
        error=error,
        total_bytes=_known(getattr(result, "total_bytes", None)),
        usable_bytes=_known(getattr(result, "usable_bytes", None)),
        # Of one that failed Kafka tells the error alone: that it names no replica does not mean that it has none.
        replica_bytes=None if error else Bytes(sum(partition.partition_size for partition in partitions)),
        replicas=None if error else sum(not partition.is_future_key for partition in partitions),
    )


def describe_quorum(client: KafkaPythonClient) -> Quorum:
    """Return the metadata quorum as its leader sees it.

    Raises:
        NoController: the broker that was asked says that no controller answers it.
    """
    from kafka.protocol.admin import DescribeQuorumRequest as Request

    def build() -> Any:
        partition = Request.TopicData.PartitionData(partition_index=0)
        return Request(topics=[Request.TopicData(topic_name="__cluster_metadata", partitions=[partition])])

    answer = client.ask_any(build, waits_for=CONTROLLER)
    if answer.error_code == _REQUEST_TIMED_OUT:
        raise NoController("the quorum did not answer in its time: no active controller answered the broker")
    check(answer.error_code, "the quorum")
    (partition,) = answer.topics[0].partitions
    check(partition.error_code, "the quorum")
    return Quorum(
        leader=partition.leader_id,
        nodes=tuple(
            Voter(
                node=replica.replica_id,
                # before Kafka 3.9 the answer has no such field, and every quorum is static
                directory=_directory(getattr(replica, "replica_directory_id", None)),
                voter=voter,
                end_offset=replica.log_end_offset,
                caught_up_at=Timestamp(getattr(replica, "last_caught_up_timestamp", None) or -1),
                fetched_at=Timestamp(getattr(replica, "last_fetch_timestamp", None) or -1),
            )
            for voter, replicas in ((True, partition.current_voters), (False, partition.observers))
            for replica in replicas
        ),
    )


def _directory(told: UUID | None) -> str:
    """The id of a directory as Kafka's tools write it; "" for the zeros of a static quorum."""
    return urlsafe_b64encode(told.bytes).decode().rstrip("=") if told is not None and told.int else ""


def describe_features(client: KafkaPythonClient) -> dict[str, Feature]:
    """Return the versioned features: what the answering broker supports and what is finalized."""
    from kafka.protocol.metadata import ApiVersionsRequest

    answer = client.ask_any(
        lambda: ApiVersionsRequest(client_software_name="runbook", client_software_version="1", min_version=3)
    )
    check(answer.error_code, "the cluster")
    finalized = {feature.name: feature.max_version_level for feature in answer.finalized_features or ()}
    supported = {feature.name: feature for feature in answer.supported_features or ()}
    return {
        name: Feature(
            name=name,
            # not made up: 0 is off: a feature that is supported and not finalized
            finalized=finalized.get(name, 0),
            least=supported[name].min_version if name in supported else 0,
            greatest=supported[name].max_version if name in supported else 0,
        )
        for name in sorted(finalized.keys() | supported.keys())
    }


def list_groups(client: KafkaPythonClient, broker: Broker) -> list[ConsumerGroup]:
    """Return the consumer groups that a broker coordinates."""
    from kafka.protocol.admin import ListGroupsRequest

    answer = client.ask(broker.id, broker.label, ListGroupsRequest(states_filter=[], types_filter=[]))
    check(answer.error_code, broker.label)
    return [
        ConsumerGroup(
            name=group.group_id,
            state=(getattr(group, "group_state", "") or "unknown").lower(),
            type=(getattr(group, "group_type", "") or "classic").lower(),
            coordinator=broker.id,
        )
        for group in answer.groups
        if (getattr(group, "group_type", "") or "").lower() in _CONSUMER_TYPES
        and group.protocol_type in _CONSUMER_PROTOCOLS
    ]


def check(code: int, subject: str) -> None:
    """Raise what an error code stands for, if it is one."""
    if code:
        raise from_code(code, subject, right=_DESCRIBE_CLUSTER)


def _known(count: int | None) -> Bytes | None:
    return None if count is None or count < 0 else Bytes(count)


class BrokerSizes(NamedTuple):
    """The replicas of a broker, and what it does not tell of them."""

    sizes: list[ReplicaSize]
    gaps: list[Gap]


def describe_replicas(python: KafkaPythonClient, broker: Broker) -> BrokerSizes:
    """What a broker holds, without replicas that are still being moved there.

    Raises:
        CannotLook: it did not tell; without rights Kafka answers an empty list and, before 3.2, no error.
    """
    from kafka.protocol.admin import DescribeLogDirsRequest

    answer: Any = python.ask(broker.id, broker.label, DescribeLogDirsRequest(topics=None))
    # not made up: old versions of the answer have no field for an error, and an empty list is refused below
    check(getattr(answer, "error_code", 0) or 0, broker.label)
    if not answer.results:
        needs = "Describe on the cluster"
        raise Denied(f"{broker.label} shows none of its log directories: it needs {needs}", needs)
    sizes = [
        ReplicaSize(
            topic=topic.name, partition=partition.partition_index, path=folder.log_dir, size=partition.partition_size
        )
        for folder in answer.results
        for topic in folder.topics
        for partition in topic.partitions
        if not partition.is_future_key
    ]
    gaps = [
        Gap.of(from_code(folder.error_code, f"{folder.log_dir} of {broker.label}"), {"broker": broker.id})
        for folder in answer.results
        if folder.error_code
    ]
    return BrokerSizes(sizes, gaps)
