"""Topics whose records need one order have one partition, as topics that were made anew; the rest was never seen."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put

_ITS_PARTITIONS = (
    "kafka_group_lag",
    "kafka_group_member",
    "kafka_group_offset",
    "kafka_partition",
    "kafka_partition_offset",
    "kafka_record",
    "kafka_record_of_age",
    "kafka_replica",
    "kafka_replica_balance",
    "kafka_replica_size",
)


def _topic(fact: Fact, situation: Situation) -> Fact:
    return put(fact, chosen(fact, ["name"], lambda name: name in situation.given["topics"]), partitions=1)


_SETS = {"kafka_topic": _topic}

RECOVERY = Recovery(
    help="Topics whose records need one order have one partition.",
    takes=("topics",),
    sets=_SETS,
    leaves=all_but({*_SETS, *_ITS_PARTITIONS}),
    entity="",
    of="",
    sources=("Apache Kafka documentation, design: order is of one partition",),
)
