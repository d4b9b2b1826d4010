"""How a fault in one of Strimzi's resources is written: what is merged into which object, and what fails."""

from typing import Any, Final, NamedTuple

from support.strimzi_played import CONNECTORS, KAFKAS, MIRRORS, POOLS, TOPICS, USERS, platform

APART_FROM_OTHERS: Final = {
    "podAntiAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": [
            {
                "labelSelector": {"matchLabels": {"strimzi.io/name": "payments-kafka"}},
                "topologyKey": "kubernetes.io/hostname",
            }
        ]
    }
}


class Fault(NamedTuple):
    """What is merged into an object (None takes away, a list is put in its place), and which checks then fail."""

    path: str
    named: str
    change: dict[str, Any]
    checks: frozenset[str]


def merged(thing: Any, change: Any) -> Any:
    """A thing with a change merged in, as RFC 7386 says."""
    if not isinstance(change, dict):
        return change
    start = thing if isinstance(thing, dict) else {}
    both = start | {key: merged(start.get(key), value) for key, value in change.items()}
    return {key: value for key, value in both.items() if value is not None}


def fault(path: str, named: str, change: dict[str, Any], *checks: str) -> Fault:
    return Fault(path, named, change, frozenset(checks))


def kafka(change: dict[str, Any], *checks: str) -> Fault:
    """A fault in `spec.kafka`."""
    return fault(KAFKAS, "orders", {"spec": {"kafka": change}}, *checks)


def config(key: str, value: Any, *checks: str) -> Fault:
    return kafka({"config": {key: value}}, *checks)


def listener(place: int, change: dict[str, Any], *checks: str) -> Fault:
    """A fault in one of the two listeners."""
    both: list[dict[str, Any]] = platform().item(KAFKAS, "orders")["spec"]["kafka"]["listeners"]
    return kafka(
        {"listeners": [merged(each, change) if at == place else each for at, each in enumerate(both)]}, *checks
    )


def pool(change: dict[str, Any], *checks: str, named: str = "brokers") -> Fault:
    return fault(POOLS, named, {"spec": change}, *checks)


def volumes(*changes: dict[str, Any]) -> dict[str, Any]:
    """Storage of volumes like the one that is there, changed."""
    like = {"type": "persistent-claim", "size": "500Gi", "class": "gp3"}
    return {"storage": {"type": "jbod", "volumes": [like | {"id": at} | change for at, change in enumerate(changes)]}}


def topic(change: dict[str, Any], *checks: str) -> Fault:
    return fault(TOPICS, "orders", {"spec": change}, *checks)


def connector(change: dict[str, Any], *checks: str) -> Fault:
    """A fault in the settings of a connector."""
    return fault(CONNECTORS, "warehouse", {"spec": {"config": change}}, *checks)


def mirror(change: dict[str, Any], *checks: str) -> Fault:
    """A fault in the only mirror."""
    [one] = platform().item(MIRRORS, "from-paris")["spec"]["mirrors"]
    return fault(MIRRORS, "from-paris", {"spec": {"mirrors": [merged(one, change)]}}, *checks)


def right(
    resource: dict[str, Any], *operations: str, found_by: str = "no-declared-user-may-change-everything"
) -> Fault:
    rule = {"resource": resource, "operations": list(operations)}
    change = {"spec": {"authorization": {"acls": [rule]}}}
    return fault(USERS, "billing", change, found_by)


def said(path: str, named: str, *checks: str, kind: str = "NotReady") -> Fault:
    """What an operator says of a resource."""
    return fault(
        path, named, {"status": {"conditions": [{"type": kind, "status": "True", "reason": "Refused"}]}}, *checks
    )


def annotated(path: str, named: str, notes: dict[str, str], *checks: str) -> Fault:
    return fault(path, named, {"metadata": {"annotations": notes}}, *checks)


def belongs(path: str, named: str, cluster: str | None, *checks: str) -> Fault:
    return fault(path, named, {"metadata": {"labels": {"strimzi.io/cluster": cluster}}}, *checks)
