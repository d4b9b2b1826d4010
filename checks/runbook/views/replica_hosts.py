"""On which hosts the replicas of each partition are: copies on one host share its memory, power and disks."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class ReplicaHosts(Row):
    """A partition."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number within its topic.", key=True)]
    replicas: Annotated[list[BrokerId] | None, Cell("Brokers that hold a replica.")]
    hosts: Annotated[list[str] | None, Cell("Distinct hosts of those brokers, as far as known.", entity="host")]
    host_count: Annotated[int | None, Cell("How many hosts; unknown while one of its brokers was seen on none.")]
    unplaced: Annotated[list[BrokerId] | None, Cell("Brokers among them that no host was seen to run.")]


VIEW = View(
    help="One row per partition: the hosts that hold its replicas.",
    row=ReplicaHosts,
    inputs={
        "partition": Input("kafka_partition", columns=("topic", "partition", "replicas")),
        "process": Input("host_process", columns=("host", "broker")),
    },
)


def compute(*, partition: Fact, process: Fact) -> Observed:
    """Work it out from kafka_partition and host_process."""
    host_of = {
        broker: host
        for host, broker in zip(process.columns["host"], process.columns["broker"], strict=True)
        if broker is not None
    }
    rows: list[ReplicaHosts] = []
    topics, numbers = partition.columns["topic"], partition.columns["partition"]
    for place, replicas in enumerate(partition.columns["replicas"]):  # a mapping for each row would take longer
        known = replicas is not None
        hosts = sorted({host_of[node] for node in replicas or () if node in host_of})
        unplaced = [node for node in replicas or () if node not in host_of]
        rows.append(
            ReplicaHosts(
                topic=topics[place],
                partition=numbers[place],
                replicas=replicas,
                hosts=hosts if known else None,
                host_count=len(hosts) if known and not unplaced else None,
                unplaced=unplaced if known else None,
            )
        )
    return Observed(rows=rows)
