"""A platform that is well: what an API server holds of a Kafka cluster as Strimzi's operator makes it.

Twelve brokers and three controllers, one pool of controllers for each of three zones, on EKS. All is as the operator
sets it by default (Strimzi 1.0; `KafkaCluster`, `KafkaPool`, `WorkloadUtils`, `PodDisruptionBudgetUtils` and
`TemplateUtils` of its cluster operator), but for what its documentation asks of production: memory and CPU, a rule that
keeps brokers apart, racks from zones.
"""

import json
from collections.abc import Sequence
from typing import Any, Final

from support.strimzi_declared import (
    BRIDGE,
    BROKERS,
    CLUSTER,
    CONNECT,
    CONNECTOR,
    KAFKA,
    MADE,
    MIRRORS,
    NAMESPACE,
    REBALANCE,
    TOPICS,
    USERS,
    ZONES,
    Object,
    apart,
    declared,
    pool,
    pools,
)

HEADLESS: Final = f"{CLUSTER}-kafka-brokers"
_NAMED: Final = f"/api/v1/namespaces/{NAMESPACE}"
_COMMON: Final = {
    "app.kubernetes.io/name": "kafka",
    "app.kubernetes.io/instance": CLUSTER,
    "app.kubernetes.io/managed-by": "strimzi-cluster-operator",
    "app.kubernetes.io/part-of": f"strimzi-{CLUSTER}",
    "strimzi.io/cluster": CLUSTER,
    "strimzi.io/kind": "Kafka",
    "strimzi.io/name": f"{CLUSTER}-kafka",
    "strimzi.io/component-type": "kafka",
}
_SELECTED: Final = {key: _COMMON[key] for key in ("strimzi.io/cluster", "strimzi.io/kind", "strimzi.io/name")}
_TIMES: Final = {"initialDelaySeconds": 15, "timeoutSeconds": 5, "periodSeconds": 10, "failureThreshold": 3}


def broker_pod(number: int) -> str:
    """The pod of a broker; its node id is the number."""
    return f"{CLUSTER}-brokers-{number}"


def answers() -> dict[str, Any]:
    """What the API server answers, by path: a copy of one's own."""
    whole: dict[str, Any] = json.loads(json.dumps(_answers()))
    return whole


def _answers() -> dict[str, Any]:
    pods = [_pod("brokers", number, zone) for number, zone in _placed()]
    pods += [_pod(f"controllers-{zone}", BROKERS + at, zone) for at, zone in enumerate(ZONES)]
    names = [pod["metadata"]["name"] for pod in pods]
    brokers = names[:BROKERS]
    return {
        "/version": {"major": "1", "minor": "36", "gitVersion": "v1.36.3-eks-1", "platform": "linux/amd64"},
        "/api/v1/nodes": _listed([_node(name, zone) for name, zone in _machines()]),
        "/api/v1/persistentvolumes": _listed([_volume(name) for name in names]),
        "/apis/storage.k8s.io/v1/storageclasses": _listed([_STORAGE_CLASS]),
        _NAMED: declared(NAMESPACE),
        f"{_NAMED}/pods": _listed([*pods, _operator_pod()]),
        f"{_NAMED}/services": _listed([_service(HEADLESS, headless=True), _service(f"{CLUSTER}-kafka-bootstrap")]),
        f"{_NAMED}/persistentvolumeclaims": _listed([_claim(name) for name in names]),
        f"{_NAMED}/configmaps": _listed([]),
        f"/apis/discovery.k8s.io/v1/namespaces/{NAMESPACE}/endpointslices": _listed(
            [_slice(HEADLESS, names), _slice(f"{CLUSTER}-kafka-bootstrap", brokers)]
        ),
        f"/apis/apps/v1/namespaces/{NAMESPACE}/statefulsets": _listed([]),
        f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments": _listed(
            [_deployment(f"{CLUSTER}-{name}") for name in ("entity-operator", "cruise-control", "kafka-exporter")]
        ),
        f"/apis/policy/v1/namespaces/{NAMESPACE}/poddisruptionbudgets": _listed([_budget(len(pods))]),
        **_custom("core.strimzi.io", "strimzipodsets", [_pod_set(name, pods) for name in pools()]),
        **_custom("kafka.strimzi.io", "kafkas", [KAFKA]),
        **_custom("kafka.strimzi.io", "kafkanodepools", [pool(name) for name in pools()]),
        **_custom("kafka.strimzi.io", "kafkatopics", TOPICS),
        **_custom("kafka.strimzi.io", "kafkausers", USERS),
        **_custom("kafka.strimzi.io", "kafkaconnects", [CONNECT]),
        **_custom("kafka.strimzi.io", "kafkaconnectors", [CONNECTOR]),
        **_custom("kafka.strimzi.io", "kafkamirrormaker2s", [MIRRORS]),
        **_custom("kafka.strimzi.io", "kafkabridges", [BRIDGE]),
        **_custom("kafka.strimzi.io", "kafkarebalances", [REBALANCE]),
    }


def _placed() -> list[tuple[int, str]]:
    return [(number, ZONES[number % len(ZONES)]) for number in range(BROKERS)]


def _machines() -> list[tuple[str, str]]:
    brokers = [(f"node-{number}", zone) for number, zone in _placed()]
    return [*brokers, *((f"node-{BROKERS + at}", zone) for at, zone in enumerate(ZONES)), ("node-apps", ZONES[0])]


def _listed(items: Sequence[Object]) -> Object:
    return {"kind": "List", "metadata": {}, "items": list(items)}


def _custom(group: str, resource: str, items: Sequence[Object]) -> dict[str, Any]:
    preferred = {"groupVersion": f"{group}/v1", "version": "v1"}
    return {
        f"/apis/{group}": {"name": group, "versions": [preferred], "preferredVersion": preferred},
        f"/apis/{group}/v1/namespaces/{NAMESPACE}/{resource}": _listed(items),
    }


def _node(name: str, zone: str) -> Object:
    return declared(
        name,
        {"topology.kubernetes.io/zone": zone, "kubernetes.io/hostname": name},
        spec={"providerID": f"aws:///{zone}/i-{name}"},
        status={"conditions": [{"type": "Ready", "status": "True"}], "allocatable": {"cpu": "8", "memory": "32Gi"}},
    )


def _pod(pool: str, number: int, zone: str) -> Object:
    """A pod as the operator writes it, and the admission of service accounts completes it."""
    name = f"{CLUSTER}-{pool}-{number}"
    broker = pool == "brokers"
    roles = {"strimzi.io/broker-role": str(broker).lower(), "strimzi.io/controller-role": str(not broker).lower()}
    labels = _COMMON | roles | {"strimzi.io/pool-name": pool, "strimzi.io/pod-name": name}
    owner = {"kind": "StrimziPodSet", "name": f"{CLUSTER}-{pool}", "controller": True}
    made = declared(name, labels, spec=_specification(name, number, pool), status=_RUNNING)
    made["metadata"]["ownerReferences"] = [owner]
    made["metadata"]["annotations"] = {"strimzi.io/revision": "65a2d237", "strimzi.io/kafka-version": "4.2.0"}
    made["spec"]["affinity"] = apart(pool) | _in_zones(zone)
    return made


def _specification(name: str, number: int, pool: str) -> Object:
    room = {"cpu": "2", "memory": "16Gi"} if pool == "brokers" else {"cpu": "1", "memory": "4Gi"}
    return {
        "hostname": name,
        "subdomain": HEADLESS,
        "nodeName": f"node-{number}",
        "serviceAccountName": f"{CLUSTER}-kafka",
        "terminationGracePeriodSeconds": 30,
        "securityContext": {"fsGroup": 0},
        "containers": [
            {
                "name": "kafka",
                "image": "quay.example/strimzi/kafka:1.0.0-kafka-4.2.0",
                "env": [
                    {"name": "STRIMZI_DYNAMIC_HEAP_PERCENTAGE", "value": "50"},
                    {"name": "STRIMZI_DYNAMIC_HEAP_MAX", "value": "5368709120"},
                ],
                "resources": {"requests": room, "limits": room},
                "livenessProbe": {"exec": {"command": ["/opt/kafka/kafka_liveness.sh"]}, **_TIMES},
                "readinessProbe": {"exec": {"command": ["/opt/kafka/kafka_readiness.sh"]}, **_TIMES},
                "volumeMounts": [
                    {"name": "data-0", "mountPath": "/var/lib/kafka/data-0"},
                    {"name": "strimzi-tmp", "mountPath": "/tmp"},
                ],
            }
        ],
        "volumes": [
            {"name": "data-0", "persistentVolumeClaim": {"claimName": f"data-0-{name}"}},
            {"name": "strimzi-tmp", "emptyDir": {"medium": "Memory"}},
            {"name": "kube-api-access", "projected": {"sources": [{"serviceAccountToken": {"path": "token"}}]}},
        ],
    }


_RUNNING: Final = {
    "phase": "Running",
    "startTime": MADE,
    "qosClass": "Guaranteed",
    "conditions": [{"type": "Ready", "status": "True"}, {"type": "PodScheduled", "status": "True"}],
    "containerStatuses": [{"name": "kafka", "ready": True, "restartCount": 0, "state": {"running": {}}}],
}


def _in_zones(zone: str) -> Object:
    """What the operator adds where racks are zones, and volumes by theirs."""
    wanted = {"key": "topology.kubernetes.io/zone", "operator": "In", "values": [zone]}
    required = {"nodeSelectorTerms": [{"matchExpressions": [wanted]}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}


def _operator_pod() -> Object:
    """The entity operator: nothing to Kafka by its labels, on another node."""
    labels = {"strimzi.io/cluster": CLUSTER, "strimzi.io/name": f"{CLUSTER}-entity-operator"}
    spec = {"nodeName": "node-apps", "containers": [{"name": "topic-operator", "image": "quay.example/operator:1.0.0"}]}
    return declared(f"{CLUSTER}-entity-operator-0", labels, spec=spec, status=_RUNNING)


def _service(name: str, *, headless: bool = False) -> Object:
    selector = _SELECTED if headless else _SELECTED | {"strimzi.io/broker-role": "true"}
    spec = {"type": "ClusterIP", "selector": selector, "ports": [{"port": 9093}], "publishNotReadyAddresses": headless}
    return declared(name, spec=spec | {"clusterIP": "None" if headless else "10.100.0.7"})


def _slice(service: str, pods: Sequence[str]) -> Object:
    behind = [{"targetRef": {"name": pod}, "conditions": {"ready": True}} for pod in pods]
    return declared(f"{service}-x", {"kubernetes.io/service-name": service}, endpoints=behind)


def _claim(pod: str) -> Object:
    spec = {"storageClassName": "gp3", "volumeName": f"pv-{pod}", "accessModes": ["ReadWriteOnce"]}
    return declared(f"data-0-{pod}", spec=spec, status={"phase": "Bound", "capacity": {"storage": "500Gi"}})


def _volume(pod: str) -> Object:
    spec = {
        "csi": {"driver": "ebs.csi.aws.com", "fsType": "ext4"},
        "claimRef": {"namespace": NAMESPACE, "name": f"data-0-{pod}"},
        "persistentVolumeReclaimPolicy": "Delete",
        "storageClassName": "gp3",
        "capacity": {"storage": "500Gi"},
    }
    return declared(f"pv-{pod}", spec=spec, status={"phase": "Bound"})


_STORAGE_CLASS: Final = {
    "metadata": {"name": "gp3"},
    "provisioner": "ebs.csi.aws.com",
    "reclaimPolicy": "Delete",
    "volumeBindingMode": "WaitForFirstConsumer",
    "allowVolumeExpansion": True,
    "parameters": {"type": "gp3"},
}


def _budget(pods: int) -> Object:
    """One for all nodes of the cluster: what must stay is counted, as a pod set has no scale for a percentage."""
    numbers = {"expectedPods": pods, "desiredHealthy": pods - 1, "currentHealthy": pods, "disruptionsAllowed": 1}
    spec = {"minAvailable": pods - 1, "selector": {"matchLabels": _SELECTED}}
    return declared(f"{CLUSTER}-kafka", spec=spec, status=numbers | {"observedGeneration": 1})


def _deployment(name: str) -> Object:
    spec = {"replicas": 1, "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}}}
    status = {"readyReplicas": 1, "updatedReplicas": 1, "observedGeneration": 1}
    return declared(name, spec=spec | {"template": {"metadata": {"labels": {"strimzi.io/name": name}}}}, status=status)


def _pod_set(pool: str, pods: Sequence[Object]) -> Object:
    ours = [pod for pod in pods if pod["metadata"]["labels"]["strimzi.io/pool-name"] == pool]
    counts = {"pods": len(ours), "readyPods": len(ours), "currentPods": len(ours), "observedGeneration": 1}
    return declared(f"{CLUSTER}-{pool}", spec={"pods": ours}, status=counts)
