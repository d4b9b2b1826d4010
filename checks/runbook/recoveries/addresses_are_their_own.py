"""Brokers that shared an address have one each, and are reached there; which those are nobody has said."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries._brokers import broker_seen, brokers_of
from runbook.recoveries._elsewhere import chosen, put
from runbook.recoveries.broker_in_sight import RECOVERY as IN_SIGHT


def _broker(fact: Fact, situation: Situation) -> Fact:
    mine = brokers_of(situation)
    seen = broker_seen(fact, situation)
    return put(seen, chosen(seen, ["broker"], lambda node: node in mine), host=None, port=None)


RECOVERY = Recovery(
    help="Brokers that shared an address have one each, and are reached there.",
    takes=("brokers",),
    sets={**IN_SIGHT.sets, "kafka_broker": _broker},
    leaves=IN_SIGHT.leaves - {"kafka_listener", "kafka_entry", "kafka_broker_setting"},
    entity="broker",
    of="brokers",
    of_sight=True,
    sources=("Apache Kafka documentation: clients connect to what advertised.listeners says", *IN_SIGHT.sources),
)
