"""Kafka as StatefulSets: what an API server holds of it, for platforms of other operators and charts than Strimzi."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from support.recorded_kubernetes import Played

Object = dict[str, Any]

ZONES: Final = ("eu-1a", "eu-1b", "eu-1c")
_NAMESPACE: Final = "kafka"
_NAMED: Final = f"/api/v1/namespaces/{_NAMESPACE}"
_MADE: Final = "2026-10-05T08:00:00Z"
_READY: Final = [{"type": "Ready", "status": "True"}]


class Nodes(Struct, frozen=True, kw_only=True):
    """A StatefulSet of nodes of Kafka, and what stands around it.

    Attributes:
        named: the set; its pods are numbered from 0.
        count: how many pods, one for each node of the cluster that runs them.
        labels: of its pods.
        pod: the template's specification, without volumes of claims.
        claim: name of the claim template, and its size.
        mount: where the claim is mounted.
        service: the headless Service in front of its pods.
        budget: what its disruption budget says.
        update: its update strategy.
    """

    named: str
    count: int
    labels: Mapping[str, str]
    pod: Object
    claim: tuple[str, str]
    mount: str
    service: str
    budget: Object
    update: str = "RollingUpdate"

    def pods(self) -> list[str]:
        """The names of its pods."""
        return [f"{self.named}-{number}" for number in range(self.count)]


def played(sets: Sequence[Nodes], bootstrap: tuple[str, Nodes], **settings: Any) -> Played:
    """The cluster, to put probes to.

    Args:
        sets: of its nodes, with three zones under each.
        bootstrap: the Service that clients begin with, and the nodes behind it.
        settings: what the inventory says of it.
    """
    made = Played("healthy", **settings)
    pods = {set_.named: [_pod(set_, number) for number in range(set_.count)] for set_ in sets}
    names = [name for set_ in sets for name in set_.pods()]
    claims = [(_claim_of(set_, pod), set_.claim[1]) for set_ in sets for pod in set_.pods()]
    entry, behind = bootstrap
    made.answers = {
        "/version": {"major": "1", "minor": "36", "gitVersion": "v1.36.3", "platform": "linux/amd64"},
        "/api/v1/nodes": _listed([_node(f"node-of-{pod}", number) for number, pod in enumerate(names)]),
        "/api/v1/persistentvolumes": _listed([_volume(*claim) for claim in claims]),
        "/apis/storage.k8s.io/v1/storageclasses": _listed([_STORAGE_CLASS]),
        _NAMED: _object(_NAMESPACE),
        f"{_NAMED}/pods": _listed([pod for each in pods.values() for pod in each]),
        f"{_NAMED}/services": _listed(
            [*(_service(set_.service, set_, headless=True) for set_ in sets), _service(entry, behind, headless=False)]
        ),
        f"{_NAMED}/persistentvolumeclaims": _listed([_claim(*claim) for claim in claims]),
        f"{_NAMED}/configmaps": _listed([]),
        f"/apis/discovery.k8s.io/v1/namespaces/{_NAMESPACE}/endpointslices": _listed(
            [*(_slice(set_.service, set_.pods()) for set_ in sets), _slice(entry, behind.pods())]
        ),
        f"/apis/apps/v1/namespaces/{_NAMESPACE}/statefulsets": _listed([_set(set_) for set_ in sets]),
        f"/apis/apps/v1/namespaces/{_NAMESPACE}/deployments": _listed([]),
        f"/apis/policy/v1/namespaces/{_NAMESPACE}/poddisruptionbudgets": _listed([_budget(set_) for set_ in sets]),
    }
    return made


def zone(number: int) -> str:
    """The zone of the pod of this number."""
    return ZONES[number % len(ZONES)]


def apart(labels: Mapping[str, str]) -> Object:
    """No two pods of these labels on one node."""
    term = {"labelSelector": {"matchLabels": dict(labels)}, "topologyKey": "kubernetes.io/hostname"}
    return {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}


def spread(labels: Mapping[str, str]) -> list[Object]:
    """As many pods of these labels in one zone as in another."""
    zones = {"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": "DoNotSchedule"}
    return [zones | {"labelSelector": {"matchLabels": dict(labels)}}]


def _object(name: str, labels: Mapping[str, str] | None = None, **rest: Any) -> Object:
    metadata = {"name": name, "namespace": _NAMESPACE, "generation": 1, "creationTimestamp": _MADE}
    return {"metadata": {**metadata, "labels": dict(labels or {})}, **rest}


def _listed(items: Sequence[Object]) -> Object:
    return {"kind": "List", "metadata": {}, "items": list(items)}


def _node(name: str, number: int) -> Object:
    return _object(
        name,
        {"topology.kubernetes.io/zone": zone(number), "kubernetes.io/hostname": name},
        spec={"providerID": f"aws:///{zone(number)}/i-{name}"},
        status={"conditions": _READY, "allocatable": {"cpu": "8", "memory": "32Gi"}},
    )


def _claim_of(nodes: Nodes, pod: str) -> str:
    return f"{nodes.claim[0]}-{pod}"


def _pod(nodes: Nodes, number: int) -> Object:
    name = f"{nodes.named}-{number}"
    claim = nodes.claim[0]
    main, *beside = nodes.pod["containers"]
    mounts = [*main.get("volumeMounts", []), {"name": claim, "mountPath": nodes.mount}]
    volume = {"name": claim, "persistentVolumeClaim": {"claimName": _claim_of(nodes, name)}}
    spec = nodes.pod | {
        "hostname": name,
        "subdomain": nodes.service,
        "nodeName": f"node-of-{name}",
        "containers": [main | {"volumeMounts": mounts}, *beside],
        "volumes": [*nodes.pod.get("volumes", []), volume],
    }
    states = [
        {"name": container["name"], "ready": True, "restartCount": 0, "state": {"running": {}}}
        for container in spec["containers"]
    ]
    status = {"phase": "Running", "startTime": _MADE, "conditions": _READY, "containerStatuses": states}
    made = _object(name, nodes.labels, spec=spec, status=status)
    made["metadata"]["ownerReferences"] = [{"kind": "StatefulSet", "name": nodes.named, "controller": True}]
    return made


def _set(nodes: Nodes) -> Object:
    counts = dict.fromkeys(("replicas", "readyReplicas", "currentReplicas", "updatedReplicas"), nodes.count)
    template = {"metadata": {"labels": dict(nodes.labels)}, "spec": nodes.pod}
    claims = [{"metadata": {"name": nodes.claim[0]}, "spec": {"accessModes": ["ReadWriteOnce"]}}]
    spec = {
        "replicas": nodes.count,
        "serviceName": nodes.service,
        "selector": {"matchLabels": dict(nodes.labels)},
        "template": template,
        "volumeClaimTemplates": claims,
        "podManagementPolicy": "Parallel",
        "updateStrategy": {"type": nodes.update},
    }
    return _object(nodes.named, nodes.labels, spec=spec, status=counts | {"observedGeneration": 1})


def _budget(nodes: Nodes) -> Object:
    counts = {"expectedPods": nodes.count, "currentHealthy": nodes.count, "desiredHealthy": nodes.count - 1}
    status = counts | {"disruptionsAllowed": 1, "observedGeneration": 1}
    return _object(nodes.named, spec=nodes.budget | {"selector": {"matchLabels": dict(nodes.labels)}}, status=status)


def _service(name: str, nodes: Nodes, *, headless: bool) -> Object:
    spec = {"type": "ClusterIP", "selector": dict(nodes.labels), "ports": [{"port": 9092}]}
    where = {"clusterIP": "None" if headless else "10.100.0.7", "publishNotReadyAddresses": headless}
    return _object(name, spec=spec | where)


def _slice(service: str, pods: Sequence[str]) -> Object:
    behind = [{"targetRef": {"name": pod}, "conditions": {"ready": True}} for pod in pods]
    return _object(f"{service}-x", {"kubernetes.io/service-name": service}, endpoints=behind)


def _claim(name: str, size: str) -> Object:
    spec = {"storageClassName": "gp3", "volumeName": f"pv-{name}", "accessModes": ["ReadWriteOnce"]}
    return _object(name, spec=spec, status={"phase": "Bound", "capacity": {"storage": size}})


def _volume(name: str, size: str) -> Object:
    spec = {
        "csi": {"driver": "ebs.csi.aws.com", "fsType": "xfs"},
        "claimRef": {"namespace": _NAMESPACE, "name": name},
        "persistentVolumeReclaimPolicy": "Retain",
        "storageClassName": "gp3",
        "capacity": {"storage": size},
    }
    return _object(f"pv-{name}", spec=spec, status={"phase": "Bound"})


_STORAGE_CLASS: Final = {
    "metadata": {"name": "gp3"},
    "provisioner": "ebs.csi.aws.com",
    "reclaimPolicy": "Retain",
    "volumeBindingMode": "WaitForFirstConsumer",
    "allowVolumeExpansion": True,
    "parameters": {"type": "gp3"},
}
