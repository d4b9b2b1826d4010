"""Pauses of a JVM end within its session: how long they would be was never seen; why it collected stays."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put

_OF_PAUSES = (
    *("longest", "longest_kind", "collecting", "p50", "p99", "rate", "lost"),
    *("longest_stall", "longest_to_safepoint"),
)


def _log(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["broker"], lambda broker: broker in situation.given["brokers"])
    return put(fact, mine, **dict.fromkeys(_OF_PAUSES))


_SETS: dict[str, Change] = {"jvm_gc_log": _log}
_FENCES = ("kafka_broker", "kafka_partition", "kafka_replica", "controller_state", "broker_zookeeper")

RECOVERY = Recovery(
    help="Pauses of brokers end within their sessions.",
    takes=("brokers",),
    sets=_SETS,
    leaves=all_but({*_SETS, *_FENCES, "jvm_gc", "jvm_gc_pause", "broker_replication"}),
    entity="",
    of="",
    sources=("KIP-631: broker.session.timeout.ms; ZooKeeper: sessions",),
)
