"""Offline partitions of a coordinators' topic have a leader, and who is kept there a coordinator."""

from runbook.model.fact import Fact, Gap
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._rows import all_but


def _led(fact: Fact, situation: Situation) -> Fact:
    """The first replica leads, as it is the preferred one; it alone is known to be in sync."""
    columns = {name: list(fact.columns[name]) for name in ("leader", "isr", "out_of_sync", "elr")}
    for row, (topic, leader, replicas) in enumerate(
        zip(*(fact.columns[name] for name in ("topic", "leader", "replicas")), strict=True)
    ):
        if topic in situation.given["topics"] and leader is not None and leader < 0:
            columns["leader"][row] = replicas[0] if replicas else None
            for name in ("isr", "out_of_sync", "elr"):
                columns[name][row] = None
    return changed(fact, columns, fact.gaps)


def _hides(gap: Gap, situation: Situation) -> bool:
    return gap.keys.get("topic") in situation.given["topics"]


_SETS = {"kafka_partition": _led}

RECOVERY = Recovery(
    help="Offline partitions of a coordinators' topic have a leader: groups or transactions a coordinator.",
    takes=("brokers", "topics"),
    sets=_SETS,
    leaves=all_but(
        {*_SETS, "kafka_broker", "kafka_broker_latency", "kafka_replica", "kafka_replica_balance", "kafka_replica_size"}
    ),
    entity="broker",
    of="brokers",
    sources=(
        "Kafka's GroupCoordinator: a group lives at the leader of its partition of __consumer_offsets",
        "Kafka's TransactionCoordinator: a transaction lives at the leader of its partition of __transaction_state",
    ),
    hides=_hides,
)
