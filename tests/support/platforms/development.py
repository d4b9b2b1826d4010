"""One broker, as a developer runs Kafka: recorded from a lab of one broker (`python -m support.platforms._record`)."""

from typing import Final

from runbook.evidence.bundle import Bundle
from support.platforms import as_the_page_says, recorded

WHAT: Final = "Kafka 4.3 in KRaft, one broker with one copy of everything, for development"
MADE_BY: Final = "a lab of one broker (tests/support/platforms/development.json.gz)"
RUNBOOKS: Final = ("ha", "topics", "consumers", "security", "os-hardware", "gc", "observability", "kubernetes")
MENDED_BY: Final = {
    "topics-are-made-on-purpose": "auto.create.topics.enable",
    "decisive-settings-are-chosen": "num.partitions and others that a default decides",
    "min-insync-replicas-is-declared": "min.insync.replicas of each topic",
    "new-groups-have-time-to-gather": "group.initial.rebalance.delay.ms",
    "default-quotas-limit-every-client": "default quotas",
}


def bundle() -> Bundle:
    """Its facts."""
    return as_the_page_says(recorded("development"), "development")
