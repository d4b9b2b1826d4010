"""Topics that asked for all of their copies ask for one less: who is in sync stays as it is."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._elsewhere import all_but


def _partition(fact: Fact, situation: Situation) -> Fact:
    """What acks=all writes need is at most all copies but one; a single copy is needed still."""
    columns = {name: list(fact.columns[name]) for name in ("needs", "min_insync_replicas")}
    for row, (topic, replicas) in enumerate(zip(fact.columns["topic"], fact.columns["replicas"], strict=True)):
        if topic in situation.given["topics"]:
            for cells in columns.values():
                cells[row] = None if cells[row] is None else min(cells[row], max(1, len(replicas) - 1))
    return changed(fact, columns, fact.gaps)


def _topic(fact: Fact, situation: Situation) -> Fact:
    rows = fact.rows("name", "min_insync_replicas", "replication_factor")
    least = [
        min(row["min_insync_replicas"], max(1, row["replication_factor"] - 1))
        if row["name"] in situation.given["topics"] and None not in row.values()
        else row["min_insync_replicas"]
        for row in rows
    ]
    return changed(fact, {"min_insync_replicas": least}, fact.gaps)


_SETS = {"kafka_partition": _partition, "kafka_topic": _topic}

RECOVERY = Recovery(
    help="Topics that asked for all of their copies ask for one less.",
    takes=("topics",),
    sets=_SETS,
    leaves=all_but({*_SETS, "kafka_broker_config", "kafka_broker_setting", "kafka_replica_size", "kafka_log_dir"}),
    entity="",
    of="",
    sources=("Apache Kafka documentation, Topic configs: min.insync.replicas",),
)
