"""Brokers know what the controllers have decided: their copy of the metadata log ends where the leader's does."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._brokers import SERVING, UNTOUCHED, brokers_of
from runbook.recoveries._rows import put


def _quorum(fact: Fact, situation: Situation) -> Fact:
    """When each had last caught up is about when it last fetched."""
    mine = [node in brokers_of(situation) for node in fact.columns["node"]]
    there = put(fact, mine, lag=0, log_end_offset=None)
    pairs = zip(mine, fact.columns["last_caught_up_ms"], fact.columns["last_fetch_ms"], strict=True)
    caught_up = [fetched if of_mine else known for of_mine, known, fetched in pairs]
    return changed(there, {"last_caught_up_ms": caught_up}, fact.gaps)


RECOVERY = Recovery(
    help="Brokers know what the controllers have decided.",
    takes=("brokers",),
    sets={"kafka_quorum": _quorum},
    leaves=UNTOUCHED | SERVING | {"kafka_reassignment", "kafka_replica_size"},
    entity="",
    of="",
    sources=("KIP-595: a node that fetches from the end of the leader's log has caught up",),
)
