"""Strimzi's defaults in the midst of a rolling restart: a broker of the newest revision is starting."""

import datetime as dt
from typing import Any, Final

from runbook.evidence.bundle import Bundle
from runbook.model.fact import Fact
from support.platforms import as_the_page_says, settings, strimzi
from support.platforms._played import bundle_of
from support.recorded_kubernetes import Played
from support.strimzi_played import PODS, SETS, platform

WHAT: Final = "Strimzi 1.0 in its defaults, in the midst of a rolling restart: one broker of twelve is starting"
MADE_BY: Final = "after its operator's source, the roll as KafkaRoller does it"
RUNBOOKS: Final = ("kubernetes",)
MENDED_BY: Final = strimzi.MENDED_BY
CAUSES: Final = ("an-operator-restarts-a-broker",)
ROLLED: Final = 3
_BUDGETS: Final = "/apis/policy/v1/namespaces/kafka/poddisruptionbudgets"
_SLICES: Final = "/apis/discovery.k8s.io/v1/namespaces/kafka/endpointslices"
_NEWEST: Final = {"strimzi.io/revision": "77e1a902"}


def bundle() -> Bundle:
    """Its facts."""
    played = platform(cluster=settings("strimzi", "kubernetes")["cluster"])
    roll(played)
    return as_the_page_says(bundle_of("strimzi", played, _without(strimzi.kafka())), "strimzi")


def roll(played: Played) -> None:
    """The pod sets list another revision, and the first pod was made anew of it, four minutes ago."""
    name = f"orders-brokers-{ROLLED}"
    started = dt.datetime.now(dt.UTC) - dt.timedelta(minutes=4)
    pod = played.item(PODS, name)
    pod["metadata"]["annotations"] |= _NEWEST
    pod["status"] |= {"startTime": f"{started:%Y-%m-%dT%H:%M:%SZ}", "conditions": _conditions(ready=False)}
    pod["status"]["containerStatuses"][0]["ready"] = False
    for item in played.items(SETS):
        for listed in item["spec"]["pods"]:
            listed["metadata"]["annotations"] = listed["metadata"]["annotations"] | _NEWEST
    played.item(SETS, "orders-brokers")["status"]["readyPods"] -= 1
    for budget in played.items(_BUDGETS):
        budget["status"]["currentHealthy"] -= 1
        budget["status"]["disruptionsAllowed"] = 0
    for slice_ in played.items(_SLICES):
        for endpoint in slice_["endpoints"]:
            if endpoint["targetRef"]["name"] == name:
                endpoint["conditions"]["ready"] = False


def _conditions(*, ready: bool) -> list[dict[str, Any]]:
    return [{"type": "Ready", "status": str(ready)}, {"type": "PodScheduled", "status": "True"}]


def _without(kafka: dict[str, Fact]) -> dict[str, Fact]:
    """What Kafka tells while the broker is away: others lead, and its copies are behind."""
    broker, partition = kafka["kafka_broker"].columns, kafka["kafka_partition"].columns
    at = broker["broker"].index(ROLLED)
    words = (("silence", "it refuses connections"), ("failure", "refused"))
    for column, value in (*words, ("answers", False), ("in_service", False), ("fenced", True)):
        broker[column][at] = value
    for row, replicas in enumerate(partition["replicas"]):
        if ROLLED in replicas:
            left = [replica for replica in replicas if replica != ROLLED]
            partition["isr"][row], partition["out_of_sync"][row] = left, [ROLLED]
            partition["leader"][row] = left[0] if partition["leader"][row] == ROLLED else partition["leader"][row]
    return kafka
