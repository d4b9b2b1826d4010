"""On which hosts the replicas of each partition are: copies on one host share its memory, power and disks."""

from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View

VIEW = View(
    help="One row per partition: the hosts that hold its replicas.",
    columns=(
        Column("topic", "string", "Topic.", key=True, entity="topic"),
        Column("partition", "int", "Number within its topic.", key=True, entity="partition"),
        Column("replicas", "list[int]", "Brokers that hold a replica.", entity="broker"),
        Column("hosts", "list[string]", "Distinct hosts of those brokers, as far as known.", entity="host"),
        Column("unplaced", "list[int]", "Brokers among them that no host was seen to run.", entity="broker"),
    ),
    of=(("topic", "partition", "replicas"), ("host", "broker")),
)


def compute(partition: Fact, process: Fact, /) -> Observed:
    """Work it out from kafka_partition and host_process."""
    host_of = {
        broker: host
        for host, broker in zip(process.columns["host"], process.columns["broker"], strict=True)
        if broker is not None
    }
    rows: list[tuple[Any, ...]] = []
    for topic, number, replicas in zip(
        *(partition.columns[name] for name in ("topic", "partition", "replicas")), strict=True
    ):
        if replicas is None:
            rows.append((topic, number, None, None, None))
            continue
        hosts = sorted({host_of[node] for node in replicas if node in host_of})
        rows.append((topic, number, replicas, hosts, [node for node in replicas if node not in host_of]))
    return Observed(rows=rows)
