"""Kafka 3.9 with an ensemble of three ZooKeeper servers: a lab of three brokers."""

from typing import Final

from runbook.evidence.bundle import Bundle
from support.platforms import recorded

WHAT: Final = "Kafka 3.9 in ZooKeeper mode, three brokers in three zones, three ZooKeeper servers"
MADE_BY: Final = "the lab (zookeeper/stop-zookeeper/before of 2026-11-24)"
RUNBOOKS: Final = ("ha",)
MENDED_BY: Final = {"the-cluster-runs-kraft": "the migration to KRaft, which 3.9 is the last release to know"}


def bundle() -> Bundle:
    """Its facts."""
    return recorded("zookeeper")
