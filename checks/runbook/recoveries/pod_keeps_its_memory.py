"""Containers that the kernel killed for their memory had not been killed; other starts were never counted apart."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put


def _pod(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["pod"], lambda pod: pod in situation.given["pods"])
    return put(fact, mine, last_exit="", last_exit_code=0, minutes_since_exit=-1, restarts=None)


_SETS = {"kubernetes_pod": _pod}

RECOVERY = Recovery(
    help="Containers that the kernel killed for their memory had not been killed.",
    takes=("pods",),
    sets=_SETS,
    leaves=all_but(_SETS),
    entity="",
    of="",
    sources=(
        "Kubernetes documentation: a container that exceeds its memory limit is terminated with reason OOMKilled",
    ),
)
