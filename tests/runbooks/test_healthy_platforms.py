"""On a platform that is well nothing critical or high fails, and whatever fails its owner can mend.

First platform: Strimzi's defaults (`support/strimzi_platform.py`), read by the probes themselves.
"""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from runbook.evidence.bundle import Bundle
from runbook.model.fact import Fact
from runbook.model.result import Result
from runbook.parse.inventory import Environment
from runbook.plugins.catalog import catalog
from support import strimzi_platform as strimzi
from support.built_in import checks_of
from support.evidence import record
from support.evidence.judging import judged
from support.strimzi_played import platform

MENDED_BY = {
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
"""Check that fails → where its owner changes that in Strimzi: none of them is more than advice."""


def _kafka(probe: str, cells: dict[str, Any]) -> Fact:
    """A fact of Kafka's; what no check here reads is unknown."""
    columns = catalog("probes").load(probe).PROBE.columns
    count = len(next(iter(cells.values())))
    return Fact(probe, {one.name: cells.get(one.name, [None] * count) for one in columns})


def _of_kafka(zone_of: dict[int, str]) -> dict[str, Fact]:
    brokers = [*range(strimzi.BROKERS)]
    replicas = [[(at + step) % len(brokers) for step in range(3)] for at in brokers]
    hosts = [f"{strimzi.broker_pod(number)}.{strimzi.HEADLESS}.kafka.svc" for number in brokers]
    told = {"broker": brokers, "host": hosts, "port": [9093] * len(brokers)}
    return {
        "kafka_broker": _kafka(
            "kafka_broker",
            told
            | {
                "rack": [zone_of[number] for number in brokers],
                "fenced": [False] * len(brokers),
                "answers": [True] * len(brokers),
                "silence": [""] * len(brokers),
                "in_service": [True] * len(brokers),
            },
        ),
        "kafka_log_dir": _kafka(
            "kafka_log_dir",
            {"broker": brokers, "path": [f"/var/lib/kafka/data-0/kafka-log{number}" for number in brokers]},
        ),
        "kafka_partition": _kafka(
            "kafka_partition",
            {
                "topic": ["orders"] * len(brokers),
                "partition": brokers,
                "leader": [one[0] for one in replicas],
                "preferred_leader": [one[0] for one in replicas],
                "racks": [sorted({zone_of[number] for number in one}) for one in replicas],
                "unclean_leader_election": [False] * len(brokers),
                "replicas": replicas,
                "isr": replicas,
                "out_of_sync": [[]] * len(brokers),
                "min_insync_replicas": [2] * len(brokers),
                "needs": [2] * len(brokers),
                "elr": [[]] * len(brokers),
                "internal": [False] * len(brokers),
            },
        ),
    }


@pytest.fixture(scope="module")
def strimzi_is_well(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    """What kubernetes.md says of it, asked the questions that were put to a real cluster."""
    played = platform()
    kafka = _of_kafka({number: strimzi.ZONES[number % 3] for number in range(strimzi.BROKERS)})
    asked = record.read(record.place_of("kubernetes", "what-strimzi-says", "content")).bundle
    kept = [
        replace(one, facts={"": kafka.get(one.ask.probe) or played.observe(one.ask.probe, **json.loads(one.ask.given))})
        for one in asked.kept
        if one.ask.connection in ("kafka", "kubernetes")
    ]
    environment = Environment(labels={"tier": "prod"}, absent={"zookeeper": "KRaft"})
    bundle: Bundle = replace(
        asked,
        environments={"strimzi": environment},
        connections={"strimzi": ["kafka", "kubernetes"]},
        selected=[],
        kept=[replace(one, ask=replace(one.ask, environment="strimzi")) for one in kept],
    )
    return judged(bundle, "kubernetes", tmp_path_factory.mktemp("strimzi"))


def test_nothing_critical_or_high_fails_on_strimzis_defaults(strimzi_is_well: dict[str, Result]):
    severity = {check.id: check.severity for check in checks_of("kubernetes")}
    failed = {name: severity[name] for name, one in strimzi_is_well.items() if one.outcome == "fail"}
    assert {name for name, one in failed.items() if one in ("critical", "high")} == set()


def test_what_fails_there_its_owner_can_mend(strimzi_is_well: dict[str, Result]):
    failed = {name for name, one in strimzi_is_well.items() if one.outcome == "fail"}
    assert sorted(failed - MENDED_BY.keys()) == []
    assert sorted(MENDED_BY.keys() - failed) == []


def test_nothing_is_unknown_there(strimzi_is_well: dict[str, Result]):
    assert {name: one.reason for name, one in strimzi_is_well.items() if one.outcome == "unknown"} == {}
