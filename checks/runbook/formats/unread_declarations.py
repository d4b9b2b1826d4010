"""Documents that are known to declare Kafka in a way that is not read here: operators, templates, charts."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from runbook.formats.nested import part_of
from runbook.formats.statements import PARTS, Part

_GROUPS: Final[dict[str, tuple[str, dict[str, Part]]]] = {
    "platform.confluent.io": ("Confluent for Kubernetes", {"Kafka": "cluster", "ConfluentRolebinding": "right"}),
    "apps.cpc.platform.confluent.io": (
        "Confluent for Kubernetes Blueprints",
        {"KafkaCluster": "cluster", "KafkaTopic": "topic", "ConfluentRolebinding": "right"},
    ),
    "kafka.banzaicloud.io": ("Koperator", {"KafkaCluster": "cluster", "KafkaTopic": "topic", "KafkaUser": "right"}),
    "cluster.redpanda.com": ("Redpanda's operator", {"Redpanda": "cluster", "Topic": "topic", "User": "right"}),
    "topic.kafka.crossplane.io": ("Crossplane", {"Topic": "topic"}),
    "acl.kafka.crossplane.io": ("Crossplane", {"AccessControlList": "right"}),
    "kafka.aws.crossplane.io": ("Crossplane", {"Cluster": "cluster", "Configuration": "cluster"}),
    "kafka.aws.upbound.io": ("Crossplane", {"Cluster": "cluster", "Configuration": "cluster"}),
    "kafka.services.k8s.aws": ("the AWS controllers", {"Cluster": "cluster", "Configuration": "cluster"}),
    "aiven.io": ("Aiven's operator", {"Kafka": "cluster", "KafkaTopic": "topic", "KafkaACL": "right"}),
    "kafka.aiven.io": ("jikkou for Aiven", {"KafkaTopicAclEntry": "right", "KafkaTopicAclEntryList": "right"}),
    "eventstreams.ibm.com": (
        "IBM Event Streams",
        {"EventStreams": "cluster", "KafkaTopic": "topic", "KafkaUser": "right"},
    ),
    "kafka.stackable.tech": ("Stackable's operator", {"KafkaCluster": "cluster"}),
    "kafka.nais.io": ("NAIS", {"Topic": "topic"}),
}
_BROKERS: Final = re.compile(
    r"(?:^|/)(?:bitnami(?:legacy)?/kafka|confluentinc/cp-(?:kafka|server)|apache/kafka(?:-native)?|redpandadata/redpanda)(?:[:@]|$)"
)
"""Images of brokers."""
_CLIENT: Final = re.compile(r"\bkafka-(?:[a-z]{1,20}-){0,3}(?:console|producer|consumer|verifiable)\b")
_SERVER: Final = re.compile(r"/docker/run\b|kafka-server-start|/setup\.sh|/entrypoint\.sh")
"""Programs of clients, which stand in these images, too; and how a broker is started."""
_STRIMZI: Final = "kafka.strimzi.io"
_OF_STRIMZI: Final[dict[str, Part]] = {
    "Kafka": "cluster",
    "KafkaNodePool": "cluster",
    "KafkaTopic": "topic",
    "KafkaUser": "right",
}
_CHARTS: Final = ("kafka", "cp-helm-charts", "redpanda")
_SAID: Final = re.compile(r"^(apiVersion|kind):[ ]*[\"']?([\w./-]+)", re.MULTILINE)
_CLOUDFORMATION: Final = "AWSTemplateFormatVersion"
_MSK: Final = "AWS::MSK::"
_PULUMI: Final = ("kafka:", "aws:msk", "confluentcloud:", "aiven:Kafka", "aiven:index:Kafka")


def parts(value: Any) -> tuple[str, tuple[Part, ...]] | None:
    """What declares Kafka in a document, in words, and which parts of it; None where that is not certain."""
    if not isinstance(value, Mapping):
        return None
    kind, group = value.get("kind"), str(value.get("apiVersion", "")).rpartition("/")[0]
    if isinstance(kind, str):
        tool, kinds = _GROUPS.get(group, ("", {}))
        if kind in kinds:
            return f"{kind} {_name(value)} of {tool}".replace("  ", " "), (kinds[kind],)
        if kind == "StatefulSet" and (image := next(_images(value), "")):
            return f"StatefulSet {_name(value)} with the image {image}", ("cluster",)
        return None
    return _without_kind(value)


def part_in_plan(kind: str, after: Any) -> Part | None:
    """What of Kafka a Kubernetes resource or a chart declares that a plan of Terraform is to make."""
    if not isinstance(after, Mapping):
        return None
    if kind == "helm_release":
        return "cluster" if str(after.get("chart", "")).rpartition("/")[2] in _CHARTS else None
    if kind == "kubectl_manifest":
        said = dict(_SAID.findall(str(after.get("yaml_body", ""))))
        return _part_of(said) if said else None
    manifest = after.get("manifest")
    return _part_of(manifest) if kind == "kubernetes_manifest" and isinstance(manifest, Mapping) else None


def _part_of(manifest: Mapping[str, Any]) -> Part | None:
    if str(manifest.get("apiVersion", "")).partition("/")[0] == _STRIMZI:
        return _OF_STRIMZI.get(str(manifest.get("kind")))
    known = parts(manifest)
    return known[1][0] if known else None


def is_template(text: str) -> bool:
    """Whether a text is a template of CloudFormation, whose tags no other reader takes."""
    return re.search(rf"^[\"' ]*{_CLOUDFORMATION}\b", text, re.MULTILINE) is not None


def of_template(text: str) -> tuple[str, tuple[Part, ...]] | None:
    """The same as `parts`, of the text of a template of CloudFormation."""
    return ("CloudFormation (AWS::MSK)", PARTS) if _MSK in text else None


def _without_kind(value: Mapping[str, Any]) -> tuple[str, tuple[Part, ...]] | None:
    resources = value.get("Resources")
    types = _types(resources, "Type")
    if _CLOUDFORMATION in value or any(one.startswith("AWS::") for one in types):
        return of_template(" ".join(types))
    if isinstance(value.get("runtime"), str | dict) and any(
        one.startswith(_PULUMI) for one in _types(value.get("resources"), "type")
    ):
        return "Pulumi", PARTS
    if any("hosts" in part_of(value, group) for group in ("kafka_broker", "kafka_controller")):
        return "the inventory of Ansible for Confluent Platform", ("cluster",)
    return None


def _types(resources: Any, key: str) -> list[str]:
    each = resources.values() if isinstance(resources, Mapping) else ()
    return [str(one.get(key, "")) for one in each if isinstance(one, Mapping)]


def _images(value: Mapping[str, Any]) -> Iterator[str]:
    containers = part_of(value, "spec", "template", "spec").get("containers")
    for container in containers if isinstance(containers, list) else ():
        image = str(container.get("image", "")) if isinstance(container, Mapping) else ""
        if _BROKERS.search(image) and not _runs_client(f"{container.get('command')} {container.get('args')}"):
            yield image


def _runs_client(command: str) -> bool:
    return bool(_CLIENT.search(command)) and not _SERVER.search(command)


def _name(value: Mapping[str, Any]) -> str:
    return str(part_of(value, "metadata").get("name", ""))
