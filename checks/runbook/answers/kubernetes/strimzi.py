"""One of several Kafka clusters of Strimzi in a namespace, told by the labels that its operator gives."""

from collections.abc import Mapping
from typing import Any, Final

from runbook.answers.kubernetes.objects import labels, name

CLUSTER: Final = "strimzi.io/cluster"
"""The label that names what an object belongs to: a Kafka cluster, or a Connect cluster where it is a part of that."""
_KIND: Final = "strimzi.io/kind"
"""The label, on what the operator makes, that says which kind of resource that name is of."""
_KAFKA: Final = "Kafka"
_KAFKAS: Final = "kafkas"
_NAMES_CONNECT: Final = frozenset({"kafkaconnectors"})
"""Custom resources, by plural, whose label names a Connect cluster."""


def is_paused(thing: Mapping[str, Any]) -> bool:
    """Whether reconciliation is paused by annotation: changes of the resource then do nothing.

    Operators read the word in whatever case (`Annotations.booleanAnnotation`).
    """
    return labels(thing, "metadata", "annotations").get("strimzi.io/pause-reconciliation", "").lower() == "true"


def is_managed(thing: Mapping[str, Any]) -> bool:
    """Whether an operator is to act on a resource; a topic may say by annotation that none is."""
    return labels(thing, "metadata", "annotations").get("strimzi.io/managed") != "false"


def of_another(cluster: str, thing: Mapping[str, Any], resource: str = "") -> bool:
    """Whether an object belongs to another Kafka cluster than this one; what belongs to none belongs to no other.

    Args:
        cluster: name of the Kafka resource that is meant.
        thing: any object of the namespace.
        resource: plural of its kind, of a custom resource.
    """
    marks = labels(thing)
    if resource in _NAMES_CONNECT or marks.get(_KIND, _KAFKA) != _KAFKA:
        return False
    owner = name(thing) if resource == _KAFKAS else marks.get(CLUSTER, "")
    return owner not in ("", cluster)
