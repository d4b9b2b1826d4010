"""Operators' resources: Strimzi's and Confluent's description of Kafka, and whether the operator got there."""

from typing import Any

from runbook.connections.kubernetes import Kubernetes
from runbook.connections.kubernetes.objects import condition, is_true, labels, many, name, number, part, text, texts
from runbook.connections.kubernetes.reader import Absent
from runbook.engine.column import Column
from runbook.engine.errors import Misconfigured
from runbook.engine.fact import Observed
from runbook.engine.parameter import Parameter
from runbook.engine.probe import Probe
from runbook.engine.schema import did_you_mean

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

PROBE = Probe(
    connections=("kubernetes",),
    help="One row per custom resource of a kind in the namespace.",
    columns=(
        Column("kind", "string", "Kind, as in Kafka.", key=True),
        Column("resource", "string", "Name.", key=True),
        Column("version", "string", "Version of the API it was read in, such as v1beta2."),
        Column(
            "cluster", "string", "The Kafka cluster it belongs to (label strimzi.io/cluster); its own name for that."
        ),
        Column("ready", "bool", "Whether the operator says that it is as described."),
        Column("reason", "string", "Why it is not; empty if it is or if nothing is said."),
        Column("warnings", "list[string]", "What the operator warns of, such as DeprecatedFields."),
        Column("observed", "bool", "Whether the operator has seen the newest description."),
        Column("paused", "bool", "Whether reconciliation is paused by annotation: changes then do nothing."),
        Column("replicas", "int", "Pods asked for; -1 where the kind has none.", unit="pods"),
        Column("roles", "list[string]", "Process roles of a node pool."),
        Column("kafka_version", "string", "Version of Kafka in force; empty where it is not said."),
        Column("metadata_version", "string", "KRaft metadata version in force; empty where it is not said."),
        Column("storage", "string", "Type of storage: jbod, persistent-claim, ephemeral; empty where it is not said."),
        Column("rack_key", "string", "Node label that becomes broker.rack; empty for none.", entity="setting"),
        Column("listeners", "list[string]", "Listeners as name:port:type, with :tls where it is on."),
    ),
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


def observe(kubernetes: Kubernetes, *, kind: str = "Kafka") -> Observed:
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
    return Observed(rows=[_row(kind, version, one) for one in found])


def _row(kind: str, version: str, thing: dict[str, Any]) -> tuple[Any, ...]:
    marks, notes = labels(thing), labels(thing, "metadata", "annotations")
    ready = is_true(thing, "Ready")
    failed = condition(thing, "NotReady") or condition(thing, "Ready") or {}  # Strimzi writes the former, others not
    spec = part(thing, "spec")
    described = part(spec, "kafka") or spec
    warnings = [one for one in many(thing, "status", "conditions") if one.get("type") == "Warning"]
    return (
        kind,
        name(thing),
        version,
        marks.get("strimzi.io/cluster", name(thing)),
        ready or text(thing, "status", "phase") == "RUNNING",
        "" if ready else text(failed, "reason") or text(failed, "message"),
        sorted(text(one, "reason") for one in warnings),
        number(thing, "status", "observedGeneration", default=-1) == number(thing, "metadata", "generation"),
        notes.get("strimzi.io/pause-reconciliation") == "true",
        number(described, "replicas", default=-1) if kind != "KafkaTopic" else -1,
        texts(thing, "spec", "roles"),
        text(thing, "status", "kafkaVersion") or text(described, "version"),
        text(thing, "status", "kafkaMetadataVersion") or text(described, "metadataVersion"),
        text(described, "storage", "type"),
        text(described, "rack", "topologyKey"),
        _listeners(described),
    )


def _listeners(described: dict[str, Any]) -> list[str]:
    """Write the listeners of Strimzi's list; Confluent's are an object with other fields, and are left out."""
    listed = described.get("listeners")
    if not isinstance(listed, list):
        return []
    return [
        f"{text(one, 'name')}:{number(one, 'port')}:{text(one, 'type')}{':tls' if one.get('tls') else ''}"
        for one in many(described, "listeners")
    ]
