"""Segments of topics are closed within their retention, so that old records go; what is there then was never seen."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation, changed
from runbook.recoveries._elsewhere import all_but, chosen, put


def _topic(fact: Fact, situation: Situation) -> Fact:
    """segment.ms is no longer than retention.ms."""
    rows = fact.rows("name", "segment_ms", "retention_ms")
    segment = [
        min(row["segment_ms"], row["retention_ms"])
        if row["name"] in situation.given["topics"] and None not in row.values() and row["retention_ms"] > 0
        else row["segment_ms"]
        for row in rows
    ]
    return changed(fact, {"segment_ms": segment}, fact.gaps)


def _offset(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["topic"], lambda topic: topic in situation.given["topics"])
    return put(fact, mine, begin=None, records=None, oldest=None)


def _size(fact: Fact, situation: Situation) -> Fact:
    return put(fact, chosen(fact, ["topic"], lambda topic: topic in situation.given["topics"]), size=None)


_SETS: dict[str, Change] = {"kafka_topic": _topic, "kafka_partition_offset": _offset, "kafka_replica_size": _size}

RECOVERY = Recovery(
    help="Segments of topics are closed within their retention.",
    takes=("topics",),
    sets=_SETS,
    leaves=all_but({*_SETS, "kafka_log_dir", "kafka_replica_balance", "kafka_group_offset", "kafka_group_lag"}),
    entity="",
    of="",
    sources=("Kafka's UnifiedLog: a segment goes when its newest record has expired",),
)
