"""Throttles of topics are gone: what they held back has caught up."""

from typing import Final

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._brokers import SERVING, UNTOUCHED, partitions_in_sync, replicas_in_sync

_NAMES_REPLICAS: Final = ".replication.throttled.replicas"
"""With this end the two settings of a topic that name what is held back, of leaders and of followers."""


def _topic(fact: Fact, situation: Situation) -> Fact:
    overrides = [
        {name: value for name, value in overrides.items() if not name.endswith(_NAMES_REPLICAS)}
        if overrides is not None and topic in situation.given["topics"]
        else overrides
        for topic, overrides in zip(fact.columns["name"], fact.columns["overrides"], strict=True)
    ]
    return changed(fact, {"overrides": overrides}, fact.gaps)


def _partition(fact: Fact, situation: Situation) -> Fact:
    mine = [topic in situation.given["topics"] for topic in fact.columns["topic"]]
    return partitions_in_sync(fact, mine, situation)


def _replica(fact: Fact, situation: Situation) -> Fact:
    mine = [topic in situation.given["topics"] for topic in fact.columns["topic"]]
    return replicas_in_sync(fact, mine, situation)


RECOVERY = Recovery(
    help="Throttles of topics are gone, and what they held back has caught up.",
    takes=("topics",),
    sets={"kafka_topic": _topic, "kafka_partition": _partition, "kafka_replica": _replica},
    leaves=(UNTOUCHED - {"kafka_topic"}) | SERVING | {"kafka_quorum", "kafka_reassignment", "kafka_replica_balance"},
    entity="",
    of="",
    sources=("KIP-73: a throttle holds back what copies and is out of sync; without it replicas copy at full rate",),
)
