"""Replicas are spread over all brokers that serve; which of them is where then was never seen."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation
from runbook.recoveries._brokers import SERVING, UNTOUCHED
from runbook.recoveries._rows import put

_WHERE = ("leader", "preferred_leader", "replicas", "isr", "out_of_sync", "elr", "racks")


def _partition(fact: Fact, _: Situation) -> Fact:
    """How many copies there are stays, and which of them lead is not known."""
    return put(fact, [True] * len(fact), **dict.fromkeys(_WHERE))


def _balance(fact: Fact, _: Situation) -> Fact:
    return put(fact, [True] * len(fact), leaders=None, replicas=None, preferred_leaders=None, bytes=None)


_SETS: dict[str, Change] = {"kafka_partition": _partition, "kafka_replica_balance": _balance}

RECOVERY = Recovery(
    help="Replicas are spread over all brokers that serve.",
    takes=(),
    sets=_SETS,
    leaves=(UNTOUCHED - {"kafka_log_dir"}) | SERVING | {"kafka_quorum"},
    entity="",
    of="",
    sources=("KIP-455: replicas are moved by reassignment",),
)
