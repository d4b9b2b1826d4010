"""Brokers that answer slowly answer as quickly as the slowest of the others."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries._brokers import ENTITY, UNTOUCHED, brokers_of
from runbook.recoveries._rows import chosen, put


def _latency(fact: Fact, situation: Situation) -> Fact:
    slow = chosen(fact, ["broker"], brokers_of(situation).__contains__)
    took = zip(slow, fact.columns["slowest_ms"], strict=True)
    usual = max((each for is_slow, each in took if not is_slow and each is not None), default=None)
    return put(fact, slow, slowest_ms=usual, answers_ms=None)


RECOVERY = Recovery(
    help="Brokers that answer slowly answer as the others do.",
    takes=("brokers",),
    sets={"kafka_broker_latency": _latency},
    leaves=UNTOUCHED
    | {"kafka_broker", "kafka_cluster", "kafka_partition", "kafka_quorum", "kafka_replica", "kafka_replica_balance"},
    entity=ENTITY,
    of="brokers",
    sources=("the probe kafka_broker_latency times connecting, logging in, and small requests after that",),
)
