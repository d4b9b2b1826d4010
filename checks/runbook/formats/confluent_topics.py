"""KafkaTopic resources of Confluent for Kubernetes (`platform.confluent.io`): the topics that they declare."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from runbook.formats.nested import part_of
from runbook.formats.statements import TopicStated, count_of, setting_text

BY: Final = "Confluent for Kubernetes"
GROUP: Final = "platform.confluent.io"


def topic(resource: Mapping[str, Any], source: str, place: Callable[..., str]) -> TopicStated:
    """A topic; `spec.name` goes before the name of the resource."""
    metadata, spec = part_of(resource, "metadata"), part_of(resource, "spec")
    called = str(metadata.get("name", ""))
    return TopicStated(
        by=BY,
        resource=called,
        namespace=str(metadata.get("namespace") or ""),
        source=source,
        places={
            "": place(),
            "topic": place("spec", "name"),
            "replicas": place("spec", "replicas"),
            "min_insync": place("spec", "configs", "min.insync.replicas"),
            "partitions": place("spec", "partitionCount"),
        },
        topic=str(spec.get("name") or called),
        partitions=count_of(spec, "partitionCount"),
        replicas=count_of(spec, "replicas"),
        config={str(key): setting_text(value) for key, value in part_of(spec, "configs").items() if value is not None},
    )
