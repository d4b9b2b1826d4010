"""Members of groups that have no partition have left; those that have one keep what they have."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._elsewhere import all_but, chosen


def _group(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["group"], lambda group: group in situation.given["groups"])
    columns = {"members": list(fact.columns["members"]), "idle": list(fact.columns["idle"])}
    for row, wanted in enumerate(mine):
        members, idle = columns["members"][row], columns["idle"][row]
        if wanted and None not in (members, idle):
            columns["members"][row], columns["idle"][row] = members - idle, 0
    return changed(fact, columns, fact.gaps)


_SETS = {"kafka_group": _group}

RECOVERY = Recovery(
    help="Members of groups that have no partition have left.",
    takes=("groups",),
    sets=_SETS,
    leaves=all_but({*_SETS, "kafka_group_member", "kafka_group_offset", "kafka_consumer_group", "kafka_group_lag"}),
    entity="",
    of="",
    sources=("Apache Kafka documentation, design: a partition is read by one member of each consumer group",),
)
