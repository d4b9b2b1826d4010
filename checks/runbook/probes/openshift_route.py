"""OpenShift Routes: which service each leads to, how it ends TLS, and which routers admitted it."""

from typing import TYPE_CHECKING, Annotated, Any, Final

from runbook.answers.kubernetes import reads
from runbook.answers.kubernetes.labels import Requirement, matches
from runbook.answers.kubernetes.namespaced import Namespaced
from runbook.answers.kubernetes.objects import Absent, labels, many, name, text
from runbook.formats.declared import at
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, row_of

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes

_GROUP: Final = "route.openshift.io"


class OpenshiftRoute(Namespaced):
    """A Route of the namespace."""

    route: Annotated[str, Cell("Name.", key=True)] = at("metadata.name")
    host: Annotated[str, Cell("DNS name that clients connect to.")] = at("spec.host")
    service: Annotated[str, Cell("Service that it leads to.")] = at("spec.to.name")
    roles: Annotated[list[str], Cell("What the pods of that service are to Kafka: broker, controller; or nothing.")]
    termination: Annotated[str, Cell("Where TLS ends: passthrough, edge or reencrypt; empty without TLS.")] = at(
        "spec.tls.termination"
    )
    routers: Annotated[list[str], Cell("Routers (IngressControllers) that admitted it.")]
    refused: Annotated[list[str], Cell("Routers that refused it, with the reason.")]


PROBE = Probe(
    connections=("kubernetes",),
    help="One row per OpenShift Route of the namespace.",
    row=OpenshiftRoute,
    requests=(
        "GET /version",
        "GET /apis/{group}",
        "GET /apis/{group}/{version}/namespaces/{namespace}/{resource}",
        "GET /api/v1/namespaces/{namespace}/services",
        "GET /api/v1/namespaces/{namespace}/pods",
        "GET /api/v1/namespaces/{namespace}",
    ),
    rights=(
        "list routes.route.openshift.io, services and pods in the namespace",
        "get the namespace, to tell an empty one from one that is not there",
    ),
)


def observe(kubernetes: "Kubernetes") -> Observed:
    """Observe the Routes; where the platform is no OpenShift, the question has no meaning."""
    try:
        _, found = kubernetes.custom(_GROUP, "routes")
    except Absent as absent:
        return Observed(inapplicable=str(absent))
    pods = [labels(pod) for pod in kubernetes.listed(reads.PODS)]
    roles = {name(service): _roles(kubernetes, service, pods) for service in kubernetes.listed(reads.SERVICES)}
    return Observed(rows=[_row(route, roles) for route in found])


def _roles(kubernetes: "Kubernetes", service: dict[str, Any], pods: list[dict[str, str]]) -> list[str]:
    """What the pods of a service are to Kafka."""
    wanted = tuple(Requirement(key, "In", (value,)) for key, value in labels(service, "spec", "selector").items())
    chosen = [marks for marks in pods if wanted and matches(wanted, marks)]
    return sorted({role for marks in chosen for role in kubernetes.roles.of(marks)})


def _row(route: dict[str, Any], roles: dict[str, list[str]]) -> OpenshiftRoute:
    said = [
        (text(ingress, "routerName"), condition)
        for ingress in many(route, "status", "ingress")
        for condition in many(ingress, "conditions")
        if condition.get("type") == "Admitted"
    ]
    return row_of(
        OpenshiftRoute,
        route,
        roles=roles.get(text(route, "spec", "to", "name"), []),
        routers=sorted(router for router, condition in said if condition.get("status") == "True"),
        refused=[
            f"{router}: {text(condition, 'reason') or text(condition, 'message')}"
            for router, condition in said
            if condition.get("status") != "True"
        ],
    )
