"""How large each replica is: DescribeLogDirs, replica by replica."""

from typing import Any, NamedTuple

from runbook.answers.kafka import Broker, ReplicaSize
from runbook.connections.kafka.cluster_requests import check
from runbook.connections.kafka.errors import from_code
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.model.errors import Denied
from runbook.model.fact import Gap


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
