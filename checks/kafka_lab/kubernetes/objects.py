"""Filling the lab's Kubernetes with a Kafka cluster that is as it should be."""

from collections.abc import Callable, Sequence
from pathlib import Path
from string import Template
from typing import Any, Final

import yaml

from kafka_lab.kubernetes.admin import Admin, path_of
from kafka_lab.kubernetes.control_plane import Plane, write_kubeconfig
from runbook.connections.kubernetes.role import ROLE

NAMESPACE: Final = "kafka"
STATEFUL_SET: Final = "/apis/apps/v1/namespaces/kafka/statefulsets/kafka"
PODS: Final = "/api/v1/namespaces/kafka/pods"
BUDGETS: Final = "/apis/policy/v1/namespaces/kafka/poddisruptionbudgets"
NODES: Final = "/api/v1/nodes"
STRIMZI_KINDS: Final = {
    "Kafka": ("v1", "v1beta2"),
    "KafkaNodePool": ("v1beta2",),
    "KafkaTopic": ("v1", "v1beta2"),
    "KafkaUser": ("v1beta2",),
    "KafkaConnect": ("v1",),
    "KafkaConnector": ("v1",),
    "KafkaMirrorMaker2": ("v1",),
    "KafkaRebalance": ("v1",),
}
"""Kinds of Strimzi and the versions they are served in: in the midst of the step from v1beta2 to v1."""

_DEFINITIONS: Final = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
ENTITY_OPERATOR: Final = "/apis/apps/v1/namespaces/kafka/deployments/orders-entity-operator"
_SLICES: Final = "/apis/discovery.k8s.io/v1/namespaces/kafka/endpointslices"
_SERVICE: Final = "kubernetes.io/service-name"

_HERE: Final = Path(__file__).parent

_TOKEN: Final = "/api/v1/namespaces/kafka/serviceaccounts/runbook/token"  # noqa: S105 - a path
_TOKEN_SECONDS: Final = 86_400
_NODE_WITHIN: Final = 180.0


def fill(plane: Plane, admin: Admin, racks: Sequence[str], data: Path) -> Path:
    """Make nodes, the Kafka cluster and the reading identity, and wait until all is well.

    Args:
        plane: the control plane.
        admin: who makes it all.
        racks: the rack of each broker, in the order of their ids: the zones.
        data: where the brokers mount their claim; the lab's brokers have their log directories below it.

    Returns:
        The kubeconfig of the identity that may only read.

    Raises:
        LabError: Kubernetes refused, or took too long.
    """
    for zone in sorted(set(racks)):
        for kind in ("worker", "control-plane"):
            add_node(admin, f"{kind}-{zone}", zone, kind)
    for thing in manifest("kafka.yaml", data=str(data)):
        admin.create(thing)
    _place_brokers(admin, racks)
    kubeconfig = let_read(plane, admin)
    wait_until_well(admin, len(racks))
    return kubeconfig


def manifest(name: str, **blanks: str) -> list[dict[str, Any]]:
    """Read the objects of one of the YAML files here, `$name` filled in."""
    text = Template(_HERE.joinpath(name).read_text("utf-8")).substitute(blanks)
    return [thing for thing in yaml.safe_load_all(text) if thing]


def add_node(admin: Admin, name: str, zone: str, kind: str) -> None:
    """Add a simulated node: a worker, one of the control plane, or one for `kafka` only."""
    labels = {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "topology.kubernetes.io/zone": zone,
        "topology.kubernetes.io/region": "lab",
        "node.kubernetes.io/instance-type": "lab.large",
    }
    taints = []
    if kind == "control-plane":
        labels["node-role.kubernetes.io/control-plane"] = ""
        taints = [{"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"}]
    if kind == "kafka":
        labels["dedicated"] = "kafka"
        taints = [{"key": "dedicated", "value": "kafka", "effect": "NoSchedule"}]
    room = {"cpu": "8", "memory": "32Gi", "pods": "110"}
    admin.create(
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": labels, "annotations": {"kwok.x-k8s.io/node": "fake"}},
            "spec": {"taints": taints},
            "status": {"capacity": room, "allocatable": room},
        }
    )


def let_read(plane: Plane, admin: Admin) -> Path:
    """Give the shipped Role to its service account; gives the kubeconfig with a token of it."""
    for thing in yaml.safe_load_all(ROLE.read_text("utf-8")):
        admin.create(thing)
    body = {
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "TokenRequest",
        "spec": {"expirationSeconds": _TOKEN_SECONDS},
    }
    token = admin.post(_TOKEN, body)["status"]["token"]
    return write_kubeconfig(plane, "runbook", {"token": token}, NAMESPACE)


def add_strimzi(admin: Admin) -> None:
    """Add resources as Strimzi keeps them, with the status its operator would write, and what it would run."""
    for kind, versions in STRIMZI_KINDS.items():
        define(admin, "kafka.strimzi.io", kind, versions)
    for thing in manifest("strimzi.yaml"):
        admin.create(thing)
        if thing["kind"] in STRIMZI_KINDS:
            admin.replace_status(path_of(thing), _stating(thing["status"]))
    admin.wait(ENTITY_OPERATOR, _has_ready(1), "the entity operator's pod")


def remove_strimzi(admin: Admin) -> None:
    """Remove all of it."""
    admin.delete(ENTITY_OPERATOR)
    for kind in STRIMZI_KINDS:
        admin.delete(f"{_DEFINITIONS}/{kind.lower()}s.kafka.strimzi.io")
    admin.wait(_DEFINITIONS, lambda seen: not seen["items"], "Strimzi's definitions to go")
    admin.wait(PODS, lambda seen: not any(map(_is_entity_operator, seen["items"])), "the entity operator's pod to go")


def definition(group: str, kind: str, versions: Sequence[str]) -> dict[str, Any]:
    """The definition of a kind of resource in just enough words: no schema. The first version is the one stored."""
    plural = f"{kind.lower()}s"
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"kind": kind, "plural": plural, "singular": kind.lower(), "listKind": f"{kind}List"},
            "versions": [
                {
                    "name": version,
                    "served": True,
                    "storage": version == versions[0],
                    "subresources": {"status": {}},
                    "schema": schema,
                }
                for version in versions
            ],
        },
    }


def define(admin: Admin, group: str, kind: str, versions: Sequence[str]) -> None:
    """Define a kind of resource, and wait until it is served."""
    thing = definition(group, kind, versions)
    admin.create(thing)
    admin.wait(path_of(thing), _is("Established"), f"the definition of {kind}")


def _is_entity_operator(pod: dict[str, Any]) -> bool:
    return bool(pod["metadata"].get("labels", {}).get("strimzi.io/name") == "orders-entity-operator")


def wait_until_well(admin: Admin, brokers: int) -> None:
    """Wait until every broker's pod is ready, the budget lets one go, and the Service leads to all of them.

    Raises:
        LabError: it took too long.
    """
    admin.wait(STATEFUL_SET, _has_ready(brokers), "the brokers' pods")
    admin.wait(
        f"{BUDGETS}/kafka", lambda seen: seen.get("status", {}).get("disruptionsAllowed") == 1, "the disruption budget"
    )
    admin.wait(_SLICES, lambda seen: _ready_behind(seen) == brokers, "the Service kafka-bootstrap")


def _ready_behind(slices: dict[str, Any]) -> int:
    """How many ready pods the Service that clients use leads to; it hears of a pod a little after all others."""
    ours = [slice_ for slice_ in slices["items"] if slice_["metadata"]["labels"].get(_SERVICE) == "kafka-bootstrap"]
    return sum(bool(end.get("conditions", {}).get("ready")) for pod in ours for end in pod.get("endpoints") or ())


def _place_brokers(admin: Admin, racks: Sequence[str]) -> None:
    """Bring the pods up one by one, each when its zone has the only node left: so zones are the brokers' racks."""
    for number, zone in enumerate(racks, start=1):
        node = f"kafka-{number}-{zone}"
        add_node(admin, node, zone, "kafka")
        admin.create(_volume(number, node))
        admin.patch(STATEFUL_SET, {"spec": {"replicas": number}})
        admin.wait(STATEFUL_SET, _has_ready(number), f"the pod of broker {number}", within=_NODE_WITHIN)


def _volume(number: int, node: str) -> dict[str, Any]:
    terms = [{"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": [node]}]}]
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": f"nvme-{number}"},
        "spec": {
            "capacity": {"storage": "100Gi"},
            "accessModes": ["ReadWriteOnce"],
            "persistentVolumeReclaimPolicy": "Retain",
            "storageClassName": "local-nvme",
            "mountOptions": ["noatime"],
            "local": {"path": "/mnt/nvme0", "fsType": "xfs"},
            "nodeAffinity": {"required": {"nodeSelectorTerms": terms}},
        },
    }


def _stating(said: dict[str, Any]) -> Callable[[dict[str, Any]], None]:
    return lambda status: status.update(said)


def _has_ready(pods: int) -> Callable[[dict[str, Any]], bool]:
    return lambda seen: bool(seen["status"].get("readyReplicas", 0) == pods)


def _is(kind: str) -> Callable[[dict[str, Any]], bool]:
    return lambda seen: any(
        condition["type"] == kind and condition["status"] == "True"
        for condition in seen.get("status", {}).get("conditions") or ()
    )
