"""A bundle of a played Kubernetes cluster, asked the questions that were put to a real one."""

import json
from collections.abc import Mapping

from msgspec.structs import replace

from runbook.evidence.bundle import Bundle
from runbook.model.fact import Fact
from runbook.parse.inventory import Environment
from support.evidence import record
from support.recorded_kubernetes import Played


def bundle_of(name: str, played: Played, kafka: Mapping[str, Fact], *, zookeeper: str = "KRaft") -> Bundle:
    """What kubernetes.md is judged on.

    Args:
        name: of the environment.
        played: answers its questions about Kubernetes.
        kafka: the facts of Kafka, by probe.
        zookeeper: why there is none.
    """
    asked = record.read(record.place_of("kubernetes", "what-strimzi-says", "content")).bundle
    kept = [
        replace(
            kept,
            ask=replace(kept.ask, environment=name),
            facts={"": kafka.get(kept.ask.probe) or played.observe(kept.ask.probe, **json.loads(kept.ask.given))},
        )
        for kept in asked.kept
        if kept.ask.connection in ("kafka", "kubernetes")
    ]
    environment = Environment(labels={"tier": "prod"}, absent={"zookeeper": zookeeper})
    return replace(
        asked,
        environments={name: environment},
        connections={name: ["kafka", "kubernetes"]},
        selected=[],
        kept=kept,
    )
