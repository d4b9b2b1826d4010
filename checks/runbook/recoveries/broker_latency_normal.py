"""Brokers that answer slowly answer as quickly as the slowest of the others."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._brokers import ENTITY, UNTOUCHED, brokers_of


def _broker(fact: Fact, situation: Situation) -> Fact:
    slow = brokers_of(situation)
    pairs = list(zip(fact.columns["broker"], fact.columns["greeting_ms"], strict=True))
    others = [took for node, took in pairs if node not in slow and took is not None]
    usual = max(others, default=None)
    return changed(fact, {"greeting_ms": [usual if node in slow else took for node, took in pairs]}, fact.gaps)


RECOVERY = Recovery(
    help="Brokers that answer slowly answer as the others do.",
    takes=("brokers",),
    sets={"kafka_broker": _broker},
    leaves=UNTOUCHED | {"kafka_cluster", "kafka_partition", "kafka_quorum", "kafka_replica", "kafka_replica_balance"},
    entity=ENTITY,
    of="brokers",
    sources=("the probe kafka_broker: greeting_ms is the time to connect, log in and be recognised",),
)
