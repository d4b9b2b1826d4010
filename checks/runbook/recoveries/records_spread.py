"""Records of topics are spread over their partitions: each holds as much as the others."""

from collections import defaultdict

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._rows import all_but, chosen, put


def _sizes(fact: Fact, situation: Situation) -> Fact:
    """What all replicas hold of the topic is shared out evenly; where one size is not known, none is."""
    sizes, topics = list(fact.columns["size"]), {*situation.given["topics"]}
    places: dict[str, list[int]] = defaultdict(list)
    for row, topic in enumerate(fact.columns["topic"]):
        if topic in topics:
            places[topic].append(row)
    for rows in places.values():
        known = [sizes[row] for row in rows if sizes[row] is not None]
        even = sum(known) // len(known) if known and len(known) == len(rows) else None
        for row in rows:
            sizes[row] = even
    return changed(fact, {"size": sizes}, fact.gaps)


def _offsets(fact: Fact, situation: Situation) -> Fact:
    """Who leads stays; how many records each partition has then, and of when, is not known."""
    mine = chosen(fact, ["topic"], {*situation.given["topics"]}.__contains__)
    return put(fact, mine, end=None, records=None, oldest=None, newest=None)


_SETS = {"kafka_replica_size": _sizes, "kafka_partition_offset": _offsets}

RECOVERY = Recovery(
    help="Records of topics are spread evenly over their partitions.",
    takes=("topics",),
    sets=_SETS,
    leaves=all_but({*_SETS, "kafka_group_lag", "kafka_group_offset", "kafka_log_dir", "kafka_record_of_age"}),
    entity="",
    of="",
    sources=("Apache Kafka documentation, design: the key of a record chooses its partition",),
)
