"""The Strimzi platform that is well, to put probes to; its objects may be changed before the first question."""

from typing import Final

from support import strimzi_platform
from support.recorded_kubernetes import Played

_STRIMZI: Final = "/apis/kafka.strimzi.io/v1/namespaces/kafka"
_NAMED: Final = "/api/v1/namespaces/kafka"
KAFKAS: Final = f"{_STRIMZI}/kafkas"
POOLS: Final = f"{_STRIMZI}/kafkanodepools"
TOPICS: Final = f"{_STRIMZI}/kafkatopics"
USERS: Final = f"{_STRIMZI}/kafkausers"
CONNECTS: Final = f"{_STRIMZI}/kafkaconnects"
CONNECTORS: Final = f"{_STRIMZI}/kafkaconnectors"
MIRRORS: Final = f"{_STRIMZI}/kafkamirrormaker2s"
BRIDGES: Final = f"{_STRIMZI}/kafkabridges"
REBALANCES: Final = f"{_STRIMZI}/kafkarebalances"
SETS: Final = "/apis/core.strimzi.io/v1/namespaces/kafka/strimzipodsets"
PODS: Final = f"{_NAMED}/pods"
CLAIMS: Final = f"{_NAMED}/persistentvolumeclaims"
DEPLOYMENTS: Final = "/apis/apps/v1/namespaces/kafka/deployments"


def platform(**labels: str) -> Played:
    """A platform of one's own; without labels of the inventory's, roles are told by the known ones."""
    played = Played("healthy", **({"brokers": "", "controllers": ""} | labels))
    played.answers = strimzi_platform.answers()
    return played
