"""Operators' resources: Strimzi's and Confluent's description of Kafka, and whether the operator got there."""

from typing import TYPE_CHECKING, Annotated, Any

from runbook.answers.kubernetes.namespaced import Namespaced
from runbook.answers.kubernetes.objects import (
    Absent,
    condition,
    is_observed,
    is_true,
    labels,
    many,
    name,
    number,
    part,
    text,
)
from runbook.answers.kubernetes.strimzi import CLUSTER, is_paused
from runbook.formats.declared import at, by
from runbook.model.errors import Misconfigured, did_you_mean
from runbook.model.fact import Observed
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.row import Cell, row_of

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes

_KINDS = {
    "Kafka": ("kafka.strimzi.io", "kafkas"),
    "KafkaNodePool": ("kafka.strimzi.io", "kafkanodepools"),
    "KafkaTopic": ("kafka.strimzi.io", "kafkatopics"),
    "KafkaUser": ("kafka.strimzi.io", "kafkausers"),
    "KafkaConnect": ("kafka.strimzi.io", "kafkaconnects"),
    "KafkaMirrorMaker2": ("kafka.strimzi.io", "kafkamirrormaker2s"),
    "ConfluentKafka": ("platform.confluent.io", "kafkas"),
    "ConfluentKRaftController": ("platform.confluent.io", "kraftcontrollers"),
}
"""Kinds that may be asked for; Confluent's names collide with Strimzi's, so theirs begin with Confluent."""


class KubernetesCustomResource(Namespaced):
    """A custom resource of an operator."""

    kind: Annotated[str, Cell("Kind, as in Kafka.", key=True)]
    resource: Annotated[str, Cell("Name.", key=True)] = at("metadata.name")
    version: Annotated[str, Cell("Version of the API it was read in, such as v1beta2.")]
    cluster: Annotated[str, Cell("The Kafka cluster it belongs to (label strimzi.io/cluster); its own name for that.")]
    ready: Annotated[bool, Cell("Whether the operator says that it is as described.")]
    reason: Annotated[str, Cell("Why it is not; empty if it is or if nothing is said.")]
    warnings: Annotated[list[str], Cell("What the operator warns of, such as DeprecatedFields.")]
    observed: Annotated[bool, Cell("Whether the operator has seen the newest description.")] = by(is_observed)
    paused: Annotated[bool, Cell("Whether reconciliation is paused by annotation: changes then do nothing.")] = by(
        is_paused
    )
    replicas: Annotated[int, Cell("Pods asked for; -1 where the kind has none.", unit="pods")]
    roles: Annotated[list[str], Cell("Process roles of a node pool.")] = at("spec.roles")
    kafka_version: Annotated[str, Cell("Version of Kafka in force; empty where it is not said.")]
    metadata_version: Annotated[str, Cell("KRaft metadata version in force; empty where it is not said.")]
    storage: Annotated[str, Cell("Type of storage: jbod, persistent-claim, ephemeral; empty where it is not said.")]
    rack_key: Annotated[str, Cell("Node label that becomes broker.rack; empty for none.", entity="setting")]
    listeners: Annotated[list[str], Cell("Listeners as name:port:type, with :tls where it is on.")]


PROBE = Probe(
    connections=("kubernetes",),
    help="One row per custom resource of a kind in the namespace.",
    row=KubernetesCustomResource,
    requests=(
        "GET /version",
        "GET /apis/{group}",
        "GET /apis/{group}/{version}/namespaces/{namespace}/{resource}",
        "GET /api/v1/namespaces/{namespace}",
    ),
    rights=(
        "list the kind in the namespace, such as kafkas.kafka.strimzi.io",
        "get the namespace, to tell an empty one from one that is not there",
    ),
    parameters={"kind": Parameter(type="string", default="Kafka", help="one of " + ", ".join(_KINDS))},
)


def observe(kubernetes: "Kubernetes", *, kind: str = "Kafka") -> Observed:
    """Observe the resources of a kind; where the operator is not installed the question has no meaning.

    Raises:
        Misconfigured: there is no such kind.
    """
    if kind not in _KINDS:
        raise Misconfigured(f"kubernetes_custom_resource knows no kind {kind}: {did_you_mean(kind, list(_KINDS))}")
    group, resource = _KINDS[kind]
    try:
        version, found = kubernetes.custom(group, resource)
    except Absent as absent:
        return Observed(inapplicable=str(absent))
    return Observed(rows=[_row(kind, version, item) for item in found])


def _row(kind: str, version: str, thing: dict[str, Any]) -> KubernetesCustomResource:
    ready = is_true(thing, "Ready")
    failed = condition(thing, "NotReady") or condition(thing, "Ready") or {}  # Strimzi writes the former, others not
    spec = part(thing, "spec")
    described = part(spec, "kafka") or spec
    warnings = [condition for condition in many(thing, "status", "conditions") if condition.get("type") == "Warning"]
    return row_of(
        KubernetesCustomResource,
        thing,
        kind=kind,
        version=version,
        cluster=labels(thing).get(CLUSTER, name(thing)),
        ready=ready or text(thing, "status", "phase") == "RUNNING",
        reason="" if ready else text(failed, "reason") or text(failed, "message"),
        warnings=sorted(text(warning, "reason") for warning in warnings),
        replicas=number(described, "replicas", default=-1) if kind != "KafkaTopic" else -1,
        kafka_version=text(thing, "status", "kafkaVersion") or text(described, "version"),
        metadata_version=text(thing, "status", "kafkaMetadataVersion") or text(described, "metadataVersion"),
        storage=text(described, "storage", "type"),
        rack_key=text(described, "rack", "topologyKey"),
        listeners=_listeners(described),
    )


def _listeners(described: dict[str, Any]) -> list[str]:
    """Write the listeners of Strimzi's list; Confluent's are an object with other fields, and are left out."""
    listed = described.get("listeners")
    if not isinstance(listed, list):
        return []
    return [
        f"{text(listener, 'name')}:{number(listener, 'port')}:{text(listener, 'type')}"
        f"{':tls' if listener.get('tls') else ''}"
        for listener in many(described, "listeners")
    ]
