"""Brokers lead again the partitions whose preferred leader they are, as far as they are in sync there."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation, changed
from runbook.recoveries._brokers import SERVING, UNTOUCHED, brokers_of
from runbook.recoveries._rows import put


def _partition(fact: Fact, situation: Situation) -> Fact:
    mine = brokers_of(situation)
    leaders = [
        first if first in mine and isr is not None and first in isr else leader
        for first, isr, leader in zip(
            *(fact.columns[name] for name in ("preferred_leader", "isr", "leader")), strict=True
        )
    ]
    return changed(fact, {"leader": leaders}, fact.gaps)


def _replica(fact: Fact, situation: Situation) -> Fact:
    """Where the preferred one is theirs and in sync it leads, and no other; else it stays as it is."""
    mine, rows = brokers_of(situation), list(fact.rows("topic", "partition", "broker", "in_sync", "leads", "preferred"))
    home = {
        (row["topic"], row["partition"])
        for row in rows
        if row["preferred"] and row["in_sync"] and row["broker"] in mine
    }
    leads = [row["preferred"] if (row["topic"], row["partition"]) in home else row["leads"] for row in rows]
    return changed(fact, {"leads": leads}, fact.gaps)


def _balance(fact: Fact, _: Situation) -> Fact:
    """How many are in sync there is not told here: who leads how many then is not known."""
    return put(fact, [True] * len(fact), leaders=None)


_SETS: dict[str, Change] = {"kafka_partition": _partition, "kafka_replica": _replica, "kafka_replica_balance": _balance}

RECOVERY = Recovery(
    help="Brokers lead again the partitions whose preferred leader they are.",
    takes=("brokers",),
    sets=_SETS,
    leaves=UNTOUCHED | SERVING | {"kafka_quorum", "kafka_reassignment", "kafka_replica_size"},
    entity="",
    of="",
    sources=("KIP-460: an election of preferred leaders makes the first replica the leader where it is in sync",),
)
