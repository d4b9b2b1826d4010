"""Replicas that are being moved have arrived: those being added are in sync, those being removed are gone."""

from typing import Any

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._brokers import SERVING, UNTOUCHED, down_in
from runbook.rules.election import out_of_sync


def _none(fact: Fact, _: Situation) -> Fact:
    return changed(fact, {name: [] for name in fact.columns}, fact.gaps)


def _partition(fact: Fact, situation: Situation) -> Fact:
    """Partitions that are being moved; what else is out of sync stays so."""
    moving = {
        (row["topic"], row["partition"]): row
        for row in situation.facts["kafka_reassignment"].rows("topic", "partition", "adding", "removing")
    }
    down = down_in(situation)
    columns: dict[str, list[Any]] = {
        name: list(fact.columns[name]) for name in ("leader", "preferred_leader", "replicas", "isr", "elr", "racks")
    }
    columns["out_of_sync"] = list(fact.columns["out_of_sync"])
    for place, row in enumerate(fact.rows("topic", "partition", "replicas", "isr", "leader", "out_of_sync")):
        move = moving.get((row["topic"], row["partition"]))
        if move is None:
            continue
        replicas = [node for node in row["replicas"] if node not in move["removing"]]
        isr = [node for node in replicas if node in row["isr"] or (node in move["adding"] and node not in down)]
        columns["replicas"][place] = replicas
        columns["isr"][place] = isr
        columns["out_of_sync"][place] = out_of_sync(replicas, isr)
        columns["elr"][place] = [] if len(isr) == len(replicas) else None
        if move["removing"]:  # who leads then, and where it lies, is not known
            for name in ("leader", "preferred_leader", "racks"):
                columns[name][place] = None
    return changed(fact, columns, fact.gaps)


RECOVERY = Recovery(
    help="Replicas that are being moved have arrived.",
    takes=(),
    sets={"kafka_reassignment": _none, "kafka_partition": _partition},
    leaves=UNTOUCHED | SERVING | {"kafka_quorum"},
    entity="",
    of="",
    sources=("KIP-455: a reassignment ends when all replicas that are added are in sync",),
)
