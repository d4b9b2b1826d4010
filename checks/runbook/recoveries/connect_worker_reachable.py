"""Workers of Kafka Connect that were silent answer; what they are and what they would run was never seen."""

from runbook.model.fact import Fact, Gap
from runbook.model.gap_kind import OF_THE_RUN
from runbook.model.recovery import Recovery, Situation, changed, reveal, withhold, withhold_where
from runbook.recoveries._rows import all_but, chosen, put

_ENTITY = "server"


def _worker(fact: Fact, situation: Situation) -> Fact:
    """They answer. Work is handed out anew when they join: how many tasks each has then is not known."""
    mine = chosen(fact, ["worker"], lambda worker: worker in situation.given["workers"])
    there = put(fact, mine, answers=True, version=None, commit=None, kafka_cluster_id=None)
    unknown = [None] * len(fact)
    gaps = reveal(fact, _ENTITY, situation.given["workers"])
    return changed(there, {"connectors": unknown, "tasks": [*unknown]}, gaps)


def _task(fact: Fact, situation: Situation) -> Fact:
    """Tasks that they were said to run are where a worker answers."""
    ids = {
        row["id"]
        for row in situation.facts["connect_worker"].rows("worker", "id")
        if row["worker"] in situation.given["workers"]
    }
    there = put(fact, chosen(fact, ["worker"], lambda worker: worker in ids), worker_answers=True)
    return withhold(there, _ENTITY, situation.given["workers"])


def _of_workers(gap: Gap) -> bool:
    """Whether it is a worker that did not answer, or refused."""
    return gap.connection == "connect" and gap.kind not in OF_THE_RUN


def _of_any_worker(fact: Fact, situation: Situation) -> Fact:
    """What any worker tells was hidden by them if none of them answered; it was never seen, so it is not made up."""
    lost = situation.given["workers"]
    if any(row["worker"] not in lost for row in situation.facts["connect_worker"].rows("worker")):
        return fact
    return withhold_where(fact, _of_workers)


_OF_ANY_WORKER = ("connect_connector", "connect_plugin", "mirror_connector", "mirror_setting")
_SETS = {"connect_worker": _worker, "connect_task": _task} | dict.fromkeys(_OF_ANY_WORKER, _of_any_worker)

RECOVERY = Recovery(
    help="Workers of Kafka Connect that were silent answer.",
    takes=("workers",),
    sets=_SETS,
    leaves=all_but(_SETS),
    entity=_ENTITY,
    of="workers",
    sources=("KIP-415: when a worker joins, connectors and tasks are reassigned incrementally",),
)
