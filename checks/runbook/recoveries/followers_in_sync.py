"""Followers can fetch from leaders again: what those lead is in sync on all brokers that serve."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries._brokers import SERVING, UNTOUCHED, brokers_of, partitions_in_sync, replicas_in_sync


def _partition(fact: Fact, situation: Situation) -> Fact:
    leaders = brokers_of(situation)
    return partitions_in_sync(fact, [leader in leaders for leader in fact.columns["leader"]], situation)


def _replica(fact: Fact, situation: Situation) -> Fact:
    leaders = brokers_of(situation)
    partition = situation.facts.get("kafka_partition")
    rows = [] if partition is None else partition.rows("topic", "partition", "leader")
    led = {(row["topic"], row["partition"]) for row in rows if row["leader"] in leaders}
    names = zip(fact.columns["topic"], fact.columns["partition"], strict=True)
    return replicas_in_sync(fact, [name in led for name in names], situation)


RECOVERY = Recovery(
    help="Followers can fetch from leaders again, and have caught up.",
    takes=("brokers",),
    sets={"kafka_partition": _partition, "kafka_replica": _replica},
    leaves=UNTOUCHED | SERVING | {"kafka_quorum", "kafka_reassignment", "kafka_replica_balance"},
    entity="",
    of="",
    sources=("KIP-497: the leader adds a replica that has caught up to those in sync",),
)
