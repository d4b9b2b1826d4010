"""Brokers that only we did not reach are reached: the cluster itself is as it is."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed, reveal
from runbook.recoveries._brokers import ENTITY, UNTOUCHED, broker_seen, brokers_of, cluster_seen, latency_seen


def _whole(fact: Fact, situation: Situation) -> Fact:
    """All of its rows were told by others, and count once these answer."""
    return changed(fact, {}, reveal(fact, ENTITY, brokers_of(situation)))


RECOVERY = Recovery(
    help="Brokers that the cluster sees alive are reached from here, too.",
    takes=("brokers",),
    sets={
        "kafka_broker": broker_seen,
        "kafka_broker_latency": latency_seen,
        "kafka_cluster": cluster_seen,
        "kafka_partition": _whole,
        "kafka_replica": _whole,
        "kafka_quorum": _whole,
        "kafka_replica_balance": _whole,
        "kafka_reassignment": _whole,
    },
    leaves=UNTOUCHED,
    entity=ENTITY,
    of="brokers",
    of_sight=True,
    sources=("KIP-595: a voter or observer of the quorum that fetches from the active controller is alive",),
)
