"""A heap is large enough for what the broker does: what its collections would be then was never seen."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put

_KEYS = ("broker", "host", "file", "collector")


def _log(fact: Fact, situation: Situation) -> Fact:
    """A log remembers what the heap was; what it would hold is not known."""
    mine = chosen(fact, ["broker"], lambda broker: broker in situation.given["brokers"])
    return put(fact, mine, **dict.fromkeys(name for name in fact.columns if name not in _KEYS))


_SETS: dict[str, Change] = {"jvm_gc_log": _log}

RECOVERY = Recovery(
    help="The heaps of brokers are large enough for what they do.",
    takes=("brokers",),
    sets=_SETS,
    leaves=all_but({*_SETS, "jvm_gc", "jvm_gc_pause", "jvm_memory", "jvm_memory_pool"}),
    entity="",
    of="",
    sources=(
        "HotSpot Virtual Machine Garbage Collection Tuning Guide: a collection of all is what a full heap ends in",
    ),
)
