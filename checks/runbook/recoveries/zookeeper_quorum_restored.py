"""ZooKeeper servers that were silent come back, and with all of them there is a majority."""

from typing import Any

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed, withhold
from runbook.recoveries._brokers import SERVING, UNTOUCHED
from runbook.rules.quorum import majority

_ENTITY = "server"


def _away(situation: Situation) -> list[str]:
    """Servers that do not answer, or serve nobody, as far as their fact tells."""
    fact = situation.facts["zookeeper_server"]
    rows = fact.rows("server", "answers", "state")
    return [row["server"] for row in rows if not row["answers"] or row["state"] == "idle"]


def _answers(fact: Fact, situation: Situation) -> Fact:
    away = _away(situation)
    gaps = [gap for gap in fact.gaps if gap.keys.get(_ENTITY) not in away]
    state = [None if cell == "idle" else cell for cell in fact.columns["state"]]
    return changed(fact, {"answers": [True] * len(fact), "state": state}, gaps)


def _ensemble(fact: Fact, situation: Situation) -> Fact:
    """All serve then: as many may be lost as leave a majority, where votes are not counted by groups."""
    away = _away(situation)
    columns: dict[str, list[Any]] = {
        "silent": [[] for _ in fact.columns["silent"]],
        "closing": [[] for _ in fact.columns["silent"]],
        "quorum": [True] * len(fact),
        "serving": [*fact.columns["voters"]],
        "spare": [
            None if voters is None or grouped is not False else voters - majority(voters)
            for voters, grouped in zip(fact.columns["voters"], fact.columns["hierarchical"], strict=True)
        ],
    }
    return changed(fact, columns, [gap for gap in fact.gaps if gap.keys.get(_ENTITY) not in away])


def _withheld(fact: Fact, situation: Situation) -> Fact:
    return withhold(fact, _ENTITY, _away(situation))


RECOVERY = Recovery(
    help="ZooKeeper servers that were silent come back, and with all of them there is a majority.",
    takes=(),
    sets={
        "zookeeper_server": _answers,
        "zookeeper_ensemble": _ensemble,
        "zookeeper_client": _withheld,
        "zookeeper_member": _withheld,
    },
    leaves=UNTOUCHED
    | SERVING
    | {"kafka_partition", "kafka_quorum", "kafka_reassignment", "kafka_replica", "kafka_replica_balance"},
    entity="",
    of="",
    sources=("ZooKeeper Administrator's Guide: a majority of the servers with a vote serves",),
)
