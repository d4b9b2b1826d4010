"""Topics that kept everything have a bound; which, and what is left then, nobody has said."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation
from runbook.recoveries._elsewhere import chosen, put
from runbook.recoveries._expired import EXPIRED, LEFT_ALONE

_SOME = 604_800_000  # log.retention.hours, 168 by default


def _topic(fact: Fact, situation: Situation) -> Fact:
    """That there is one is known: of time, as it is the usual one."""
    mine = chosen(fact, ["name"], lambda name: name in situation.given["topics"])
    return put(fact, mine, retention_ms=_SOME, overrides=None)


_SETS: dict[str, Change] = {"kafka_topic": _topic, **EXPIRED}

RECOVERY = Recovery(
    help="Topics that kept everything have the bound that is Kafka's default.",
    takes=("topics",),
    sets=_SETS,
    leaves=LEFT_ALONE,
    entity="",
    of="",
    sources=("Apache Kafka documentation, broker configuration: log.retention.hours, 168 by default",),
)
