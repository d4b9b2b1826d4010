"""What Kafka tells of a platform whose Kubernetes is played: brokers in zones, one topic with three copies."""

from collections.abc import Mapping, Sequence
from typing import Any

from runbook.model.fact import Fact
from runbook.plugins.catalog import catalog


def fact_of(probe: str, cells: Mapping[str, Sequence[Any]]) -> Fact:
    """A fact of Kafka's; what no check of kubernetes.md reads is unknown."""
    columns = catalog("probes").load(probe).PROBE.columns
    count = len(next(iter(cells.values())))
    return Fact(probe, {column.name: list(cells.get(column.name, [None] * count)) for column in columns})


def facts(hosts: Mapping[int, str], zones: Mapping[int, str], folder: str, *, port: int = 9093) -> dict[str, Fact]:
    """The facts by probe.

    Args:
        hosts: broker → the name that it advertises.
        zones: broker → its rack.
        folder: where its log directories are; {broker} stands for the number.
        port: that it advertises.
    """
    brokers = sorted(hosts)
    count = len(brokers)
    replicas = [[brokers[(at + step) % count] for step in range(3)] for at in range(count)]
    return {
        "kafka_broker": fact_of(
            "kafka_broker",
            {
                "broker": brokers,
                "host": [hosts[broker] for broker in brokers],
                "port": [port] * count,
                "rack": [zones[broker] for broker in brokers],
                "fenced": [False] * count,
                "answers": [True] * count,
                "silence": [""] * count,
                "failure": [""] * count,
                "in_service": [True] * count,
            },
        ),
        "kafka_broker_latency": fact_of(
            "kafka_broker_latency",
            {"broker": brokers, "silence": [""] * count, "answers_ms": [[12]] * count, "slowest_ms": [12] * count},
        ),
        "kafka_log_dir": fact_of(
            "kafka_log_dir", {"broker": brokers, "path": [folder.format(broker=broker) for broker in brokers]}
        ),
        "kafka_partition": fact_of(
            "kafka_partition",
            {
                "topic": ["orders"] * count,
                "partition": list(range(count)),
                "leader": [replica[0] for replica in replicas],
                "preferred_leader": [replica[0] for replica in replicas],
                "racks": [sorted({zones[number] for number in replica}) for replica in replicas],
                "unclean_leader_election": [False] * count,
                "replicas": replicas,
                "isr": replicas,
                "out_of_sync": [[]] * count,
                "min_insync_replicas": [2] * count,
                "needs": [2] * count,
                "elr": [[]] * count,
                "internal": [False] * count,
            },
        ),
    }
