"""Strimzi's defaults in three zones, read by the probes themselves."""

from typing import Final

from runbook.evidence.bundle import Bundle
from runbook.model.fact import Fact
from support import strimzi_platform as strimzi
from support.platforms import _kafka, as_the_page_says, settings
from support.platforms._played import bundle_of
from support.strimzi_declared import BROKERS, ZONES
from support.strimzi_played import platform

WHAT: Final = (
    "Strimzi 1.0 in its defaults: 12 brokers in three zones, a pool of controllers for each zone, TLS and SCRAM"
)
MADE_BY: Final = "after its operator's source (tests/support/strimzi_platform.py)"
RUNBOOKS: Final = ("kubernetes",)
MENDED_BY: Final = {
    "containers-have-no-more-rights-than-needed": "STRIMZI_POD_SECURITY_PROVIDER_CLASS of the operator",
    "brokers-have-time-to-stop": "template.pod.terminationGracePeriodSeconds",
    "brokers-have-their-nodes-to-themselves": "taints of the nodes, and template.pod.tolerations",
    "volumes-outlive-their-claims": "reclaimPolicy of the StorageClass",
    "brokers-go-last": "template.pod.priorityClassName",
    "brokers-must-keep-off-the-quorum": "template.pod.affinity",
    "production-quorum-has-five-pods": "replicas of the controllers' pools",
    "images-are-pinned": "image of the Kafka resource",
    "root-file-systems-are-read-only": "template.kafkaContainer.securityContext",
}


def kafka() -> dict[str, Fact]:
    """What its brokers tell."""
    brokers = range(BROKERS)
    hosts = {broker: f"{strimzi.broker_pod(broker)}.{strimzi.HEADLESS}.kafka.svc" for broker in brokers}
    zones = {broker: ZONES[broker % 3] for broker in brokers}
    return _kafka.facts(hosts, zones, "/var/lib/kafka/data-0/kafka-log{broker}")


def bundle() -> Bundle:
    """Its facts."""
    named = settings("strimzi", "kubernetes")["cluster"]
    return as_the_page_says(bundle_of("strimzi", platform(cluster=named), kafka()), "strimzi")
