"""How large each replica is: DescribeLogDirs, replica by replica.

A module of its own, and no method of `Kafka`, so that what was kept of probes that need no sizes stays fresh.
"""

from typing import Any, NamedTuple

from msgspec import Struct

from runbook.connections.kafka.answers import Broker
from runbook.connections.kafka.cluster_requests import check
from runbook.connections.kafka.errors import from_code
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.connections.kafka.reader import Kafka
from runbook.model.errors import Denied
from runbook.model.fact import Gap
from runbook.model.quantity import BrokerId, Bytes, PartitionNumber


class ReplicaSize(Struct, frozen=True, kw_only=True, gc=False):
    """A replica on a broker; `path` is its log directory."""

    topic: str
    partition: PartitionNumber
    path: str
    size: Bytes


class _BrokerSizes(NamedTuple):
    sizes: list[ReplicaSize]
    gaps: list[Gap]


def replica_sizes(kafka: Kafka) -> tuple[dict[BrokerId, list[ReplicaSize]], list[Gap]]:
    """Return the replicas of each broker, none that is still being moved there, and a gap for what is not told.

    Raises:
        CannotLook: nothing can be asked of the cluster.
    """
    python = kafka._python_or_raise()  # noqa: SLF001 - of this package; in `Kafka` it would make all kept evidence stale
    answers, gaps = kafka.of_each_broker(lambda broker: _of_broker(python, broker))
    lost = [gap for sizes in answers.values() for gap in sizes.gaps]
    return {broker: sizes.sizes for broker, sizes in answers.items()}, [*gaps, *lost]


def _of_broker(python: KafkaPythonClient, broker: Broker) -> _BrokerSizes:
    """What a broker holds.

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
    return _BrokerSizes(sizes, gaps)
