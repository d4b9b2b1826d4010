"""Segments of topics are closed within their retention, so that old records go; what is there then was never seen."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation, changed
from runbook.recoveries._expired import EXPIRED, LEFT_ALONE


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


_SETS: dict[str, Change] = {"kafka_topic": _topic, **EXPIRED}

RECOVERY = Recovery(
    help="Segments of topics are closed within their retention.",
    takes=("topics",),
    sets=_SETS,
    leaves=LEFT_ALONE,
    entity="",
    of="",
    sources=("Kafka's UnifiedLog: a segment goes when its newest record has expired",),
)
