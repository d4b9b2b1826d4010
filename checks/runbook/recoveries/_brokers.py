"""What recoveries of brokers have in common: how the columns of Kafka's facts follow from who serves."""

from collections.abc import Sequence
from typing import Any

from runbook.model.fact import Fact
from runbook.model.recovery import WITHHELD, Situation, changed, reveal
from runbook.recoveries._rows import chosen, put
from runbook.rules.election import out_of_sync

ENTITY = "broker"

UNTOUCHED = frozenset(
    {
        "kafka_acl",
        "kafka_broker_config",
        "kafka_broker_setting",
        "kafka_entry",
        "kafka_feature",
        "kafka_listener",
        "kafka_log_dir",
        "kafka_quota",
        "kafka_scram_user",
        "kafka_topic",
    }
)
"""Probes of settings, rights and disks: each broker's are its own, and a topic's are the cluster's."""
SERVING = frozenset({"kafka_broker", "kafka_broker_latency", "kafka_cluster"})
"""Probes of which brokers serve and how they answer: what happens to copies and leaders leaves them."""


def brokers_of(situation: Situation) -> list[int]:
    """The brokers that a recovery is about; none for one that is about something else."""
    return [int(node) for node in situation.given.get("brokers", ())]


def broker_seen(fact: Fact, situation: Situation) -> Fact:
    """kafka_broker with these in service and answering; how fast they would is not known."""
    cells = {"fenced": False, "unregistered": False, "registered": True, "in_service": True, "failure": ""}
    seen = _answering(fact, situation, **cells, answers=True, waited_ms=None, greeting_ms=None)
    # What a broker that is not registered has set was never seen.
    back = brokers_of(situation)
    unseen = chosen(fact, ["broker", "host"], lambda node, host: node in back and not host)
    return put(seen, unseen, host=None, port=None, rack=None)


def latency_seen(fact: Fact, situation: Situation) -> Fact:
    """kafka_broker_latency with these answering; how fast they would is not known."""
    return _answering(fact, situation, answers_ms=None, slowest_ms=None)


def _answering(fact: Fact, situation: Situation, **cells: Any) -> Fact:
    """The fact with these cells in the rows of the brokers that are back, without their silence and its gaps."""
    back = brokers_of(situation)
    seen = put(fact, chosen(fact, ["broker"], back.__contains__), silence=WITHHELD, **cells)
    return changed(seen, {}, reveal(fact, ENTITY, back))


def cluster_seen(fact: Fact, situation: Situation) -> Fact:
    """kafka_cluster with these among the brokers that answer."""
    broker = situation.facts.get("kafka_broker")
    back = brokers_of(situation)
    columns: dict[str, list[Any]] = {"controller": [None] * len(fact)}
    if broker is not None:
        answers = [
            True if node in back else answered
            for node, answered in zip(broker.columns["broker"], broker.columns["answers"], strict=True)
        ]
        columns["answering"] = [None if None in answers else answers.count(True)] * len(fact)
        columns["brokers"] = [len(answers)] * len(fact)
    else:
        columns["answering"] = [None] * len(fact)
    return changed(fact, columns, reveal(fact, ENTITY, back))


def down_in(situation: Situation) -> frozenset[int]:
    """The brokers that are out of service, and stay so."""
    broker = situation.facts.get("kafka_broker")
    if broker is None:
        return frozenset()
    pairs = zip(broker.columns["broker"], broker.columns["in_service"], strict=True)
    return frozenset(node for node, serves in pairs if serves is not True) - {*brokers_of(situation)}


def partitions_in_sync(fact: Fact, mine: Sequence[bool], situation: Situation) -> Fact:
    """kafka_partition where the replicas on brokers that serve are in sync in these rows, as far as somebody leads."""
    down = down_in(situation)
    columns = {name: list(fact.columns[name]) for name in ("isr", "elr", "out_of_sync")}
    for place, row in enumerate(fact.rows("leader", "replicas", "isr")):
        if mine[place] and row["leader"] >= 0:
            isr = [node for node in row["replicas"] if node in row["isr"] or node not in down]
            columns["isr"][place] = isr
            columns["out_of_sync"][place] = out_of_sync(row["replicas"], isr)
            columns["elr"][place] = [] if len(isr) == len(row["replicas"]) else None
    return changed(fact, columns, fact.gaps)


def replicas_in_sync(fact: Fact, mine: Sequence[bool], situation: Situation) -> Fact:
    """kafka_replica where those on brokers that serve are in sync in these rows."""
    down = down_in(situation)
    in_sync = [
        True if chosen and node not in down else known
        for chosen, node, known in zip(mine, fact.columns["broker"], fact.columns["in_sync"], strict=True)
    ]
    return changed(fact, {"in_sync": in_sync}, fact.gaps)
