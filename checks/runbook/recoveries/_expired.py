"""What is left in topics once old records are gone: that was never seen."""

from collections.abc import Mapping
from typing import Final

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put


def _offset(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["topic"], lambda topic: topic in situation.given["topics"])
    return put(fact, mine, begin=None, records=None, oldest=None)


def _size(fact: Fact, situation: Situation) -> Fact:
    return put(fact, chosen(fact, ["topic"], lambda topic: topic in situation.given["topics"]), size=None)


EXPIRED: Final[Mapping[str, Change]] = {"kafka_partition_offset": _offset, "kafka_replica_size": _size}
"""Of the topics that are given: where they begin, and how much they hold."""

_HANGS_ON_IT: Final = (
    "kafka_group_lag",
    "kafka_group_offset",
    "kafka_log_dir",
    "kafka_record_of_age",
    "kafka_replica_balance",
)
LEFT_ALONE: Final = all_but({"kafka_topic", *EXPIRED, *_HANGS_ON_IT})
"""What does not depend on it, where settings of the topics change too."""
