"""The brokers, controllers and ZooKeeper servers that a Kafka resource and its node pools ask for together."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from runbook.answers.kubernetes.objects import number, part, texts
from runbook.answers.manifests import UnreadManifest
from runbook.probes._strimzi import Declared, Declares, declared_if_any, unread


class AskedNodes(Struct, frozen=True):
    """How many nodes of each role; None where a pool can't be read, or there is none.

    Attributes:
        brokers, controllers: asked for by pools, or by the resource as before there were any.
        quorum: controllers, or servers of ZooKeeper.
        zookeepers: servers of ZooKeeper; 0 in KRaft mode.
        why: why it is not known; empty where it is.
    """

    brokers: int | None
    controllers: int | None
    quorum: int | None
    zookeepers: int
    why: str

    def places(self, kafka: Declared, pools: list[Declared]) -> dict[str, str]:
        """Where the numbers stand: in the first pool of a role, else in the Kafka resource."""
        nodes = {role: _said(kafka, pools, role) for role in ("broker", "controller")}
        keepers = kafka.place("spec", "zookeeper", "replicas") if self.zookeepers else nodes["controller"]
        return {"brokers": nodes["broker"], "controllers": nodes["controller"], "quorum": keepers}


def pools_of(
    strimzi: Declares, found: list[Declared]
) -> Callable[[Declared], tuple[list[Declared], list[UnreadManifest]]]:
    """What gives the pools of each of these Kafka resources, and what may be one and can't be read."""
    pools = declared_if_any(strimzi, "kafkanodepools") if found else []
    lost = unread(strimzi, "kafkanodepools")
    return lambda kafka: (
        [pool for pool in pools if pool.home == kafka.home],
        [pool for pool in lost if pool.cluster in ("", kafka.name)],
    )


def asked_for(kafka: Declared, pools: list[Declared], lost: list[UnreadManifest]) -> AskedNodes:
    """What a Kafka resource asks for, with its pools."""
    brokers, controllers = (None, None) if lost else _counted(part(kafka.spec, "kafka"), pools)
    older = number(kafka.spec, "zookeeper", "replicas")
    quorum = older or controllers if controllers == 0 else controllers
    return AskedNodes(brokers, controllers, quorum, older, _why(kafka, lost) if brokers is None else "")


def super_users(kafka: Declared) -> list[str]:
    """Principals that may do everything, as the operator hands them on."""
    return [f"User:{name}" for name in texts(kafka.spec, "kafka", "authorization", "superUsers")]


def _counted(spec: dict[str, Any], pools: list[Declared]) -> tuple[int | None, int | None]:
    if not pools:
        return (number(spec, "replicas"), 0) if "replicas" in spec else (None, None)

    def of(role: str) -> int:
        return sum(number(pool.spec, "replicas") for pool in pools if role in texts(pool.spec, "roles"))

    return of("broker"), of("controller")


def _why(kafka: Declared, lost: list[UnreadManifest]) -> str:
    return str(lost[0].gap().reason) if lost else f"no KafkaNodePool of {kafka.name} is there"


def _said(kafka: Declared, pools: list[Declared], role: str) -> str:
    pool = next((pool for pool in pools if role in texts(pool.spec, "roles")), None)
    return pool.place("spec", "replicas") if pool else kafka.place("spec", "kafka", "replicas")
