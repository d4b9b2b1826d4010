"""Six brokers on Linux hosts of their own, with Kafka 3.9 and an ensemble of ZooKeeper: a lab, looked at over SSH."""

from typing import Final

from runbook.evidence.bundle import Bundle
from support.platforms import as_the_page_says, recorded

WHAT: Final = (
    "Kafka 3.9 in ZooKeeper mode: six brokers on six Linux hosts in three zones, over SSH, three ZooKeeper servers"
)
MADE_BY: Final = "a lab of six brokers (tests/support/platforms/machines_with_zookeeper.json.gz)"
RUNBOOKS: Final = ("ha", "topics", "consumers", "os-hardware")
MENDED_BY: Final = {
    "the-cluster-runs-kraft": "the migration to KRaft, which 3.9 is the last release to know",
    "production-has-five-zookeeper-servers": "two more servers",
    "topics-refuse-records-from-the-future": "message.timestamp.after.max.ms of each topic",
    "new-groups-have-time-to-gather": "group.initial.rebalance.delay.ms",
    "data-is-on-several-volumes": "a second disk, and log.dirs",
    "replication-has-a-network-of-its-own": "inter.broker.listener.name and a second interface",
}
_ALLOWED: Final = {"os-hardware/brokers-may-open-many-files": {"least": 20_000}}
"""As many as the machine gave on which the lab ran: no matter of the platform."""


def bundle() -> Bundle:
    """Its facts."""
    seen = recorded("machines_with_zookeeper")
    [environment] = seen.environments.values()
    return as_the_page_says(seen, "machines", params=environment.params | _ALLOWED)
