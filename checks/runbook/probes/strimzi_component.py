"""What Strimzi runs beside Kafka: its own operator, and what a Kafka resource asks for."""

from typing import TYPE_CHECKING, Annotated, Any, Final

from runbook.answers.kubernetes import reads
from runbook.answers.kubernetes.namespaced import Namespaced
from runbook.answers.kubernetes.objects import labels, name, number, part
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell
from runbook.probes._strimzi import NAMESPACE, REQUESTS, Declared, observed

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes

_OF_KAFKA: Final = {
    "entityOperator": "entity-operator",
    "cruiseControl": "cruise-control",
    "kafkaExporter": "kafka-exporter",
}
"""Field of a Kafka resource → what the Deployment's name ends in."""
_OPERATOR: Final = "cluster-operator"


class StrimziComponent(Namespaced):
    """Something that is to run."""

    component: Annotated[str, Cell("cluster-operator, entity-operator, cruise-control or kafka-exporter.", key=True)]
    deployment: Annotated[str, Cell("Name of its Deployment.", key=True)]
    kafka: Annotated[str, Cell("The Kafka resource that asks for it; empty for the operator.")]
    there: Annotated[bool, Cell("Whether there is such a Deployment.")]
    replicas: Annotated[int, Cell("Pods it is to have; 0 if it is not there.", unit="pods")]
    ready: Annotated[int, Cell("Pods that are ready.", unit="pods")]


PROBE = Probe(
    connections=("kubernetes",),
    help="One row per part that a Kafka resource asks for, and per cluster operator in the namespace.",
    row=StrimziComponent,
    requests=(*REQUESTS, "GET /apis/apps/v1/namespaces/{namespace}/deployments"),
    rights=(
        "list kafkas of kafka.strimzi.io in the namespace",
        "list deployments.apps in the namespace",
        NAMESPACE,
    ),
)


def observe(kubernetes: "Kubernetes") -> Observed:
    """Observe what is to run; the operator may do so in another namespace, and is then no row."""

    def rows(kafkas: list[Declared]) -> list[StrimziComponent]:
        deployments = {name(deployment): deployment for deployment in kubernetes.listed(reads.DEPLOYMENTS)}
        operators = [
            _row(_OPERATOR, deployment, "", kubernetes.namespace, deployments)
            for deployment in deployments
            if _is_operator(deployments[deployment])
        ]
        return operators + [
            _row(component, f"{kafka.name}-{component}", kafka.name, kafka.namespace, deployments)
            for kafka in kafkas
            for field, component in _OF_KAFKA.items()
            if _is_asked_for(field, kafka)
        ]

    return observed(kubernetes, {"kafkas": rows})


def _is_asked_for(field: str, kafka: Declared) -> bool:
    """Whether the operator makes it: an entity operator only with one of its two (EntityOperator.fromCrd)."""
    if field == "entityOperator":
        return not {"topicOperator", "userOperator"}.isdisjoint(part(kafka.spec, field))
    return field in kafka.spec


def _is_operator(deployment: dict[str, Any]) -> bool:
    return labels(deployment, "spec", "template", "metadata", "labels").get("strimzi.io/kind") == _OPERATOR


def _row(
    component: str, deployment: str, kafka: str, namespace: str, deployments: dict[str, dict[str, Any]]
) -> StrimziComponent:
    found = deployments.get(deployment, {})
    return StrimziComponent(
        component=component,
        namespace=namespace,
        deployment=deployment,
        kafka=kafka,
        # not made up: deployments were listed, and it is not among them
        there=bool(found),
        replicas=number(found, "spec", "replicas", default=1) if found else 0,
        ready=number(found, "status", "readyReplicas"),
    )
