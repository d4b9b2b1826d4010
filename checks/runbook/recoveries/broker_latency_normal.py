"""Brokers that answer slowly answer as quickly as the slowest of the others."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._brokers import ENTITY, UNTOUCHED, brokers_of


def _latency(fact: Fact, situation: Situation) -> Fact:
    slow = [node in brokers_of(situation) for node in fact.columns["broker"]]
    took = list(zip(slow, fact.columns["slowest_ms"], strict=True))
    usual = max((each for is_slow, each in took if not is_slow and each is not None), default=None)
    answers = zip(slow, fact.columns["answers_ms"], strict=True)
    columns = {
        "slowest_ms": [usual if is_slow else each for is_slow, each in took],
        "answers_ms": [None if is_slow else each for is_slow, each in answers],
    }
    return changed(fact, columns, fact.gaps)


RECOVERY = Recovery(
    help="Brokers that answer slowly answer as the others do.",
    takes=("brokers",),
    sets={"kafka_broker_latency": _latency},
    leaves=UNTOUCHED
    | {"kafka_broker", "kafka_cluster", "kafka_partition", "kafka_quorum", "kafka_replica", "kafka_replica_balance"},
    entity=ENTITY,
    of="brokers",
    sources=("the probe kafka_broker_latency: the time to connect and log in, and of small requests after it",),
)
