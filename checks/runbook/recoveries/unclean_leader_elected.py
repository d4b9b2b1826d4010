"""A replica that serves is elected although none may lead, and the other replicas follow it."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._brokers import SERVING, UNTOUCHED, down_in
from runbook.recoveries._rows import put
from runbook.rules.election import NOBODY, ElectionState, ElectionTerms, decided, out_of_sync


def _partition(fact: Fact, situation: Situation) -> Fact:
    """Those of the topics that nobody leads; where none of the replicas serves nobody is elected."""
    down = down_in(situation)
    names = ("leader", "isr", "elr", "last_leader", "out_of_sync")
    columns = {name: list(fact.columns[name]) for name in names}
    for place, row in enumerate(fact.rows("topic", "leader", "replicas", "isr", "elr")):
        if row["topic"] not in situation.given["topics"] or row["leader"] >= 0:
            continue
        serves = [node for node in row["replicas"] if node not in down]
        seen = ElectionState(tuple(row["replicas"]), tuple(row["isr"]), tuple(row["elr"] or ()))
        led = decided(seen, ElectionTerms(serves, needs=1, keeps_eligible=False), election="unclean")
        if led.leader in serves:
            elr: list[int] | None = [] if serves == row["replicas"] else None
            for name, cell in zip(
                names, (led.leader, serves, elr, NOBODY, out_of_sync(row["replicas"], serves)), strict=True
            ):
                columns[name][place] = cell
    return changed(fact, columns, fact.gaps)


def _replica(fact: Fact, situation: Situation) -> Fact:
    """Who is in sync and leads then is as their partitions say."""
    partition = _partition(situation.facts["kafka_partition"], situation)
    state = {(row["topic"], row["partition"]): row for row in partition.rows("topic", "partition", "leader", "isr")}
    in_sync, leads = list(fact.columns["in_sync"]), list(fact.columns["leads"])
    for place, row in enumerate(fact.rows("topic", "partition", "broker")):
        now = state.get((row["topic"], row["partition"]))
        if now is not None and row["topic"] in situation.given["topics"]:
            in_sync[place], leads[place] = row["broker"] in now["isr"], row["broker"] == now["leader"]
    return changed(fact, {"in_sync": in_sync, "leads": leads}, fact.gaps)


def _balance(fact: Fact, _: Situation) -> Fact:
    """Who leads how many then is not known."""
    return put(fact, [True] * len(fact), leaders=None)


RECOVERY = Recovery(
    help="Partitions of which no replica may lead are led by one that serves, by an unclean election.",
    takes=("topics",),
    sets={"kafka_partition": _partition, "kafka_replica": _replica, "kafka_replica_balance": _balance},
    leaves=UNTOUCHED | SERVING | {"kafka_quorum", "kafka_reassignment"},
    entity="",
    of="",
    sources=(
        "KIP-460: an unclean election makes the first replica that serves the leader, where none may lead",
        "KIP-966: it empties the eligible leader replicas",
    ),
)
