"""A transaction that was left open has ended: readers of committed records have read what was behind it."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._elsewhere import all_but, chosen
from runbook.recoveries.group_reads_on import read_to_the_end


def _lag(fact: Fact, situation: Situation) -> Fact:
    """Rows of these topics in which a transaction is open; who was held by it has read on, others are as they were."""

    def is_open(topic: str, stable: int | None, end: int | None) -> bool:
        return topic in situation.given["topics"] and stable is not None and end is not None and stable < end

    there = chosen(fact, ["topic", "stable", "end"], is_open)
    at_it = chosen(fact, ["committed", "stable"], lambda place, stable: None not in (place, stable) and place >= stable)
    read = read_to_the_end(fact, [known and other for known, other in zip(there, at_it, strict=True)])
    columns = {"stable": list(fact.columns["stable"]), "open_least": list(fact.columns["open_least"])}
    for row, over in enumerate(there):
        if over:
            columns["stable"][row] = fact.columns["end"][row]
            columns["open_least"][row] = 0.0
    return changed(read, columns, fact.gaps)


_SETS = {"kafka_group_lag": _lag}

RECOVERY = Recovery(
    help="A transaction that was left open has ended.",
    takes=("topics",),
    sets=_SETS,
    leaves=all_but({*_SETS, "kafka_group", "kafka_group_member", "kafka_group_offset", "kafka_consumer_group"}),
    entity="",
    of="",
    sources=("KIP-98: readers of committed records get no further than the first open transaction",),
)
