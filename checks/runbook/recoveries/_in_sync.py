"""What recoveries after which replicas follow their leader have in common."""

from collections.abc import Sequence

from runbook.model.fact import Fact
from runbook.model.recovery import Situation, changed
from runbook.recoveries._brokers import down_in, out_of_sync


def partitions_in_sync(fact: Fact, mine: Sequence[bool], situation: Situation) -> Fact:
    """kafka_partition where the replicas on brokers that serve are in sync in these rows, as far as somebody leads."""
    down = down_in(situation)
    columns = {name: list(fact.columns[name]) for name in ("isr", "elr", "out_of_sync")}
    for place, row in enumerate(fact.rows("leader", "replicas", "isr")):
        if mine[place] and row["leader"] >= 0:
            isr = [node for node in row["replicas"] if node in row["isr"] or node not in down]
            columns["isr"][place] = isr
            columns["out_of_sync"][place] = out_of_sync(row["replicas"], isr)
            columns["elr"][place] = [] if len(isr) == len(row["replicas"]) else None
    return changed(fact, columns, fact.gaps)


def replicas_in_sync(fact: Fact, mine: Sequence[bool], situation: Situation) -> Fact:
    """kafka_replica where those on brokers that serve are in sync in these rows."""
    down = down_in(situation)
    in_sync = [
        True if chosen and node not in down else known
        for chosen, node, known in zip(mine, fact.columns["broker"], fact.columns["in_sync"], strict=True)
    ]
    return changed(fact, {"in_sync": in_sync}, fact.gaps)
