"""Services: what they select, who is behind them, and how they are reached."""

from typing import Any

from runbook.connections.kubernetes import Kubernetes, reads
from runbook.connections.kubernetes.labels import Requirement, matches
from runbook.connections.kubernetes.objects import flag, labels, many, name, number, text
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kubernetes",),
    help="One row per Service of the namespace.",
    columns=(
        Column("service", "string", "Name.", key=True),
        Column("type", "string", "ClusterIP, NodePort, LoadBalancer or ExternalName."),
        Column("headless", "bool", "Whether it has no address of its own, so that its name gives those of the pods."),
        Column("pods", "list[string]", "Pods that its selector matches.", entity="pod"),
        Column("roles", "list[string]", "What these are to Kafka: broker, controller, zookeeper; or nothing."),
        Column("endpoints", "int", "Pods behind it.", unit="pods"),
        Column("ready", "int", "Pods behind it that take traffic.", unit="pods"),
        Column("zones", "list[string]", "Zones of those pods.", entity="rack"),
        Column("ports", "list[int]", "Its ports."),
        Column("node_ports", "list[int]", "Ports of the nodes that lead to it."),
        Column("external", "list[string]", "Addresses that its load balancer has."),
        Column("external_traffic_policy", "string", "Cluster or Local; empty where nothing comes from outside."),
        Column("publishes_not_ready", "bool", "Whether its name gives pods that are not ready too."),
        Column("session_affinity", "string", "None or ClientIP."),
    ),
    requests=(
        "GET /version",
        "GET /api/v1/namespaces/{namespace}/services",
        "GET /api/v1/namespaces/{namespace}/pods",
        "GET /apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices",
        "GET /api/v1/namespaces/{namespace}",
    ),
    rights=(
        "list services, pods and endpointslices.discovery.k8s.io in the namespace",
        "get the namespace, to tell an empty one from one that is not there",
    ),
)

_OF = "kubernetes.io/service-name"


def observe(kubernetes: Kubernetes) -> Observed:
    """Observe every Service of the namespace, with the pods behind it."""
    pods = {name(pod): labels(pod) for pod in kubernetes.listed(reads.PODS)}
    slices = kubernetes.listed(reads.ENDPOINT_SLICES)
    return Observed(rows=[_row(kubernetes, one, pods, slices) for one in kubernetes.listed(reads.SERVICES)])


def _row(
    kubernetes: Kubernetes, service: dict[str, Any], pods: dict[str, dict[str, str]], slices: list[dict[str, Any]]
) -> tuple[Any, ...]:
    wanted = tuple(Requirement(key, "In", (value,)) for key, value in labels(service, "spec", "selector").items())
    chosen = sorted(pod for pod, marks in pods.items() if wanted and matches(wanted, marks))
    ours = [one for one in slices if labels(one).get(_OF) == name(service)]
    behind = _distinct([one for part in ours for one in many(part, "endpoints")])
    ready = [one for one in behind if flag(one, "conditions", "ready", default=True)]
    ports = many(service, "spec", "ports")
    ways_in = many(service, "status", "loadBalancer", "ingress")
    return (
        name(service),
        text(service, "spec", "type"),
        text(service, "spec", "clusterIP") == "None",
        chosen,
        sorted({role for pod in chosen for role in kubernetes.roles.of(pods[pod])}),
        len(behind),
        len(ready),
        sorted({text(one, "zone") for one in behind} - {""}),
        [number(one, "port") for one in ports],
        [number(one, "nodePort") for one in ports if "nodePort" in one],
        sorted(text(one, "hostname") or text(one, "ip") for one in ways_in),
        text(service, "spec", "externalTrafficPolicy"),
        flag(service, "spec", "publishNotReadyAddresses"),
        text(service, "spec", "sessionAffinity"),
    )


def _distinct(endpoints: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Count a pod once: one with addresses of both families is in two slices."""
    seen = {text(one, "targetRef", "name") or str(one.get("addresses")): one for one in endpoints}
    return list(seen.values())
