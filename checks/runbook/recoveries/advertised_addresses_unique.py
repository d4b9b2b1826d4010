"""Brokers that shared an address have one each, and are reached there; which those are nobody has said."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries._brokers import broker_seen, brokers_of
from runbook.recoveries._rows import chosen, put
from runbook.recoveries.broker_reachable import RECOVERY as REACHABLE


def _broker(fact: Fact, situation: Situation) -> Fact:
    mine = brokers_of(situation)
    seen = broker_seen(fact, situation)
    return put(seen, chosen(seen, ["broker"], lambda node: node in mine), host=None, port=None)


RECOVERY = Recovery(
    help="Brokers that shared an address have one each, and are reached there.",
    takes=("brokers",),
    sets={**REACHABLE.sets, "kafka_broker": _broker},
    leaves=REACHABLE.leaves - {"kafka_listener", "kafka_entry", "kafka_broker_setting"},
    entity="broker",
    of="brokers",
    of_sight=True,
    sources=("Apache Kafka documentation: clients connect to the address in advertised.listeners", *REACHABLE.sources),
)
