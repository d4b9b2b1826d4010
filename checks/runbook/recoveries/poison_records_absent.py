"""Records that a sink of Kafka Connect could not read had never been written: nothing of them was set aside."""

from collections.abc import Sequence
from typing import Any

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries._rows import all_but, chosen, put

_NEVER = "1970-01-01T00:00:00Z"  # last_error of a task that met none


def _error(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["connector"], lambda connector: connector in situation.given["connectors"])
    counts: dict[str, Any] = dict.fromkeys(
        ("errors", "failures", "skipped", "retries", "logged", "letters", "lost_letters"), 0.0
    )
    return put(fact, mine, **counts, last_error=_NEVER)


def _letters(situation: Situation) -> dict[str, float | None]:
    """Topic for dead letters → how many letters of these connectors it got; None where a task does not tell."""
    topics = {
        row["connector"]: row["dlq_topic"]
        for row in situation.facts["connect_connector"].rows("connector", "dlq_topic")
        if row["connector"] in situation.given["connectors"] and row["dlq_topic"]
    }
    counted: dict[str, list[float | None]] = {}
    for row in situation.facts["connect_task_error"].rows("connector", "letters"):
        if row["connector"] in topics:
            counted.setdefault(topics[row["connector"]], []).append(row["letters"])
    return {topic: _sum(counts) for topic, counts in counted.items()}


def _sum(counts: Sequence[float | None]) -> float | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _offset(fact: Fact, situation: Situation) -> Fact:
    """A topic of theirs that holds no more than they wrote would be empty; of another it is not known."""
    letters = _letters(situation)
    records: dict[str, list[float | None]] = {}
    for row in fact.rows("topic", "records"):
        records.setdefault(row["topic"], []).append(row["records"])

    def left(topic: str) -> int | None:
        held, counted = _sum(records[topic]), letters[topic]
        return 0 if held is not None and counted is not None and held <= counted else None

    empty = chosen(fact, ["topic"], lambda topic: topic in letters and left(topic) == 0)
    other = chosen(fact, ["topic"], lambda topic: topic in letters and left(topic) is None)
    there = put(fact, empty, records=0, newest=None, oldest=None)
    return put(there, other, records=None, newest=None, oldest=None)


_SETS = {"connect_task_error": _error, "kafka_partition_offset": _offset}

RECOVERY = Recovery(
    help="Records that a sink of Kafka Connect could not read had never been written.",
    takes=("connectors",),
    sets=_SETS,
    leaves=all_but({*_SETS, "kafka_record_of_age"}),
    entity="",
    of="",
    sources=("KIP-298: what a sink with errors.tolerance=all can't read is skipped, and becomes a dead letter",),
)
