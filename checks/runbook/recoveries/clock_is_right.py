"""Clocks of hosts show what ours shows, as near as can be asked."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put


def _clock(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["host"], lambda host: host in situation.given["hosts"])
    return put(fact, mine, offset_ms=0.0)


_SETS = {"host_clock": _clock}

RECOVERY = Recovery(
    help="Clocks of hosts show what ours shows.",
    takes=("hosts",),
    sets=_SETS,
    leaves=all_but(_SETS),
    entity="",
    of="",
    sources=("RFC 5905: a host under NTP is within some milliseconds",),
)
