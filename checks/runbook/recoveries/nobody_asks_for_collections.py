"""Nobody asks JVMs for collections of all of their heap: how often and how long they would stop then was never seen."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put

_STAYS = frozenset(
    {"broker", "host", "file", "collector", "heap_max", "forced", "degenerated", "evacuation_failures", "stalls"}
)


def _log(fact: Fact, situation: Situation) -> Fact:
    """What was for want of room stays; whatever counts pauses, or the heap after them, is not known."""
    mine = chosen(fact, ["broker"], lambda broker: broker in situation.given["brokers"])
    unknown = dict.fromkeys(name for name in fact.columns if name not in _STAYS)
    return put(fact, mine, **{**unknown, "asked_for": 0})


_SETS: dict[str, Change] = {"jvm_gc_log": _log}

RECOVERY = Recovery(
    help="Nobody asks the JVMs of brokers for collections of all of their heap.",
    takes=("brokers",),
    sets=_SETS,
    leaves=all_but({*_SETS, "jvm_gc", "jvm_gc_pause", "jvm_memory", "jvm_memory_pool"}),
    entity="",
    of="",
    sources=("HotSpot Virtual Machine Garbage Collection Tuning Guide: explicit garbage collection",),
)
