"""Services: what they select, who is behind them, and how they are reached."""

from typing import TYPE_CHECKING, Annotated, Any

from runbook.answers.kubernetes import reads
from runbook.answers.kubernetes.labels import Requirement, matches
from runbook.answers.kubernetes.namespaced import Namespaced
from runbook.answers.kubernetes.objects import OFF, flag, labels, many, name, number, text
from runbook.formats.declared import at
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, row_of

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes


class KubernetesService(Namespaced):
    """A service."""

    service: Annotated[str, Cell("Name.", key=True)] = at("metadata.name")
    type: Annotated[str, Cell("ClusterIP, NodePort, LoadBalancer or ExternalName.")] = at("spec.type")
    headless: Annotated[bool, Cell("Whether it has no address of its own, so that its name gives those of the pods.")]
    pods: Annotated[list[str], Cell("Pods that its selector matches.", entity="pod")]
    reachable: Annotated[int, Cell("Pods among them that have an address and have not ended.", unit="pods")]
    roles: Annotated[
        list[str],
        Cell(
            "What these are to Kafka: broker, controller, zookeeper; or nothing. Of a Service that matches no pod, "
            "what it selects by its labels."
        ),
    ]
    endpoints: Annotated[int, Cell("Pods behind it.", unit="pods")]
    ready: Annotated[int, Cell("Pods behind it that take traffic.", unit="pods")]
    zones: Annotated[list[str], Cell("Zones of those pods.", entity="rack")]
    ports: Annotated[list[int], Cell("Its ports.")]
    node_ports: Annotated[list[int], Cell("Ports of the nodes that lead to it.")]
    external: Annotated[list[str], Cell("Addresses that its load balancer has.")]
    external_traffic_policy: Annotated[str, Cell("Cluster or Local; empty where nothing comes from outside.")] = at(
        "spec.externalTrafficPolicy"
    )
    publishes_not_ready: Annotated[bool, Cell("Whether its name gives pods that are not ready too.")] = at(
        "spec.publishNotReadyAddresses", absent=OFF
    )
    session_affinity: Annotated[str, Cell("None or ClientIP.")] = at("spec.sessionAffinity")


PROBE = Probe(
    connections=("kubernetes",),
    help="One row per Service of the namespace.",
    row=KubernetesService,
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


def observe(kubernetes: "Kubernetes") -> Observed:
    """Observe every Service of the namespace, with the pods behind it."""
    pods = {name(pod): pod for pod in kubernetes.listed(reads.PODS)}
    slices = kubernetes.listed(reads.ENDPOINT_SLICES)
    return Observed(rows=[_row(kubernetes, service, pods, slices) for service in kubernetes.listed(reads.SERVICES)])


def _row(
    kubernetes: "Kubernetes", service: dict[str, Any], pods: dict[str, dict[str, Any]], slices: list[dict[str, Any]]
) -> KubernetesService:
    selector = labels(service, "spec", "selector")
    wanted = tuple(Requirement(key, "In", (value,)) for key, value in selector.items())
    chosen = sorted(named for named, pod in pods.items() if wanted and matches(wanted, labels(pod)))
    ours = [slice_ for slice_ in slices if labels(slice_).get(_OF) == name(service)]
    behind = _distinct([endpoint for part in ours for endpoint in many(part, "endpoints")])
    ready = [endpoint for endpoint in behind if _is_ready(endpoint)]
    ports = many(service, "spec", "ports")
    ways_in = many(service, "status", "loadBalancer", "ingress")
    return row_of(
        KubernetesService,
        service,
        headless=text(service, "spec", "clusterIP") == "None",
        pods=chosen,
        reachable=sum(_has_address(pods[pod]) for pod in chosen),
        roles=sorted({role for pod in chosen for role in kubernetes.roles.of(labels(pods[pod]))})
        if chosen
        else kubernetes.roles.of(selector),
        endpoints=len(behind),
        ready=len(ready),
        zones=sorted({text(endpoint, "zone") for endpoint in behind} - {""}),
        ports=[number(port, "port") for port in ports],
        node_ports=[number(port, "nodePort") for port in ports if "nodePort" in port],
        external=sorted(text(ingress, "hostname") or text(ingress, "ip") for ingress in ways_in),
    )


def _is_ready(endpoint: dict[str, Any]) -> bool:
    """Whether its pod is ready: where a Service publishes others too, `ready` is true of all, and `serving` tells."""
    return all(flag(endpoint, "conditions", word, default=True) for word in ("ready", "serving"))


def _has_address(pod: dict[str, Any]) -> bool:
    """Whether the controller of endpoints takes it: a pod that no node has taken yet has no address."""
    # not made up: the pod was listed, and has no address yet
    return bool(text(pod, "status", "podIP")) and text(pod, "status", "phase") not in ("Succeeded", "Failed")


def _distinct(endpoints: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Count a pod once: one with addresses of both families is in two slices."""
    seen = {text(endpoint, "targetRef", "name") or str(endpoint.get("addresses")): endpoint for endpoint in endpoints}
    return list(seen.values())
