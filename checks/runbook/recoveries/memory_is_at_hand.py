"""No memory of processes of hosts is in swap; how much is free then was never seen."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put


def _process(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["host"], lambda host: host in situation.given["hosts"])
    return put(fact, mine, swapped=0, resident=None)


def _kernel(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["host"], lambda host: host in situation.given["hosts"])
    return put(fact, mine, **dict.fromkeys(("available", "swap_used", "swapped_in", "swapped_out")))


_SETS = {"host_process": _process, "host_kernel": _kernel}

RECOVERY = Recovery(
    help="No memory of processes of hosts is in swap.",
    takes=("hosts",),
    sets=_SETS,
    leaves=all_but({*_SETS, "jvm_gc", "jvm_gc_log"}),
    entity="",
    of="",
    sources=("proc_pid_status(5): VmSwap is 0 of a process that was started anew where memory is free",),
)
