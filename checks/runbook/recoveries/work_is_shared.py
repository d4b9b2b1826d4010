"""Members of groups that had nothing to do have partitions; who has which then was never seen."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put


def _group(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["group"], lambda group: group in situation.given["groups"])
    return put(fact, mine, idle=0, assignor=None)


def _member(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["group"], lambda group: group in situation.given["groups"])
    return put(fact, mine, partitions=None, topics=None)


_SETS = {"kafka_group": _group, "kafka_group_member": _member}
_TELLS_WHO = ("kafka_consumer_group", "kafka_group_lag", "kafka_group_offset")

RECOVERY = Recovery(
    help="Members of groups that had nothing to do have partitions.",
    takes=("groups",),
    sets=_SETS,
    leaves=all_but({*_SETS, *_TELLS_WHO}),
    entity="",
    of="",
    sources=("Apache Kafka documentation, consumer configs: partition.assignment.strategy",),
)
