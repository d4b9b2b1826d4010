"""Topics that kept everything have a bound; which, and what is left then, nobody has said."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put


def _topic(fact: Fact, situation: Situation) -> Fact:
    """That there is one is known: of time, as it is the usual one."""
    mine = chosen(fact, ["name"], lambda name: name in situation.given["topics"])
    return put(fact, mine, retention_ms=_SOME, overrides=None)


_SOME = 604_800_000  # log.retention.hours, 168 by default


def _offset(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["topic"], lambda topic: topic in situation.given["topics"])
    return put(fact, mine, begin=None, records=None, oldest=None)


def _size(fact: Fact, situation: Situation) -> Fact:
    return put(fact, chosen(fact, ["topic"], lambda topic: topic in situation.given["topics"]), size=None)


_SETS: dict[str, Change] = {"kafka_topic": _topic, "kafka_partition_offset": _offset, "kafka_replica_size": _size}

RECOVERY = Recovery(
    help="Topics that kept everything have the bound that is Kafka's default.",
    takes=("topics",),
    sets=_SETS,
    leaves=all_but({*_SETS, "kafka_log_dir", "kafka_replica_balance", "kafka_group_lag", "kafka_group_offset"}),
    entity="",
    of="",
    sources=("Apache Kafka documentation, broker configuration: log.retention.hours, 168 by default",),
)
