"""Records of topics have the times at which they were written; which they would be was never seen."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put


def _offset(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["topic"], lambda topic: topic in situation.given["topics"])
    return put(fact, mine, begin=None, records=None, oldest=None, newest=None)


def _size(fact: Fact, situation: Situation) -> Fact:
    return put(fact, chosen(fact, ["topic"], lambda topic: topic in situation.given["topics"]), size=None)


_SETS: dict[str, Change] = {"kafka_partition_offset": _offset, "kafka_replica_size": _size}
_TIMED = ("kafka_log_dir", "kafka_record", "kafka_record_of_age", "kafka_replica_balance", "kafka_group_lag")

RECOVERY = Recovery(
    help="Records of topics have the times at which they were written.",
    takes=("topics",),
    sets=_SETS,
    leaves=all_but({*_SETS, *_TIMED}),
    entity="",
    of="",
    sources=("Kafka's UnifiedLog: retention goes by the largest time of a segment",),
)
