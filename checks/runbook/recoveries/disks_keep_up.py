"""Disks of hosts keep up with what is written; how much waits for them then was never seen."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put


def _kernel(fact: Fact, situation: Situation) -> Fact:
    return put(fact, chosen(fact, ["host"], lambda host: host in situation.given["hosts"]), dirty=None)


_SETS = {"host_kernel": _kernel}

RECOVERY = Recovery(
    help="Disks of hosts keep up with what is written.",
    takes=("hosts",),
    sets=_SETS,
    leaves=all_but({*_SETS, "broker_load", "broker_replication", "broker_request"}),
    entity="",
    of="",
    sources=("Linux kernel documentation, admin-guide/sysctl/vm: writers are held back while too much is dirty",),
)
