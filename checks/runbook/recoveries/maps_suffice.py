"""Processes of hosts may have more memory maps than they could; to which number it was raised nobody has said."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put


def _kernel(fact: Fact, situation: Situation) -> Fact:
    return put(fact, chosen(fact, ["host"], lambda host: host in situation.given["hosts"]), max_map_count=None)


def _sysctl(fact: Fact, situation: Situation) -> Fact:
    hosts = situation.given["hosts"]
    mine = chosen(fact, ["host", "setting"], lambda host, name: host in hosts and name == "vm.max_map_count")
    return put(fact, mine, live=None, persisted=None)


_SETS: dict[str, Change] = {"host_kernel": _kernel, "host_sysctl": _sysctl}

RECOVERY = Recovery(
    help="Processes of hosts may have more memory maps than they could.",
    takes=("hosts",),
    sets=_SETS,
    leaves=all_but(_SETS),
    entity="",
    of="",
    sources=("Linux kernel documentation, admin-guide/sysctl/vm: max_map_count holds from when it is set",),
)
