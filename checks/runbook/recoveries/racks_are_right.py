"""Brokers name the racks in which they stand; which those are nobody has said."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation
from runbook.recoveries._brokers import UNTOUCHED, brokers_of
from runbook.recoveries._elsewhere import chosen, put


def _broker(fact: Fact, situation: Situation) -> Fact:
    mine = brokers_of(situation)
    return put(fact, chosen(fact, ["broker"], lambda node: node in mine), rack=None)


def _partition(fact: Fact, situation: Situation) -> Fact:
    mine = {*brokers_of(situation)}
    there = chosen(fact, ["replicas"], lambda replicas: replicas is None or not mine.isdisjoint(replicas))
    return put(fact, there, racks=None)


_SETS: dict[str, Change] = {"kafka_broker": _broker, "kafka_partition": _partition}

RECOVERY = Recovery(
    help="Brokers name the racks in which they stand.",
    takes=("brokers",),
    sets=_SETS,
    leaves=UNTOUCHED
    | {"kafka_cluster", "kafka_quorum", "kafka_reassignment", "kafka_replica", "kafka_replica_balance"},
    entity="",
    of="",
    sources=("KIP-36: a broker's rack is what broker.rack of its file says",),
)
