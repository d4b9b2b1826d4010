"""KafkaTopic resources of Confluent for Kubernetes (`platform.confluent.io`): the topics that they declare."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from runbook.formats.statements import TopicStated, setting_text, whole_number

BY: Final = "Confluent for Kubernetes"
GROUP: Final = "platform.confluent.io"
_DEFAULT: Final = -1


def topic(resource: Mapping[str, Any], source: str, place: Callable[..., str]) -> TopicStated:
    """A topic; `spec.name` goes before the name of the resource."""
    metadata, spec = _part(resource, "metadata"), _part(resource, "spec")
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
        partitions=_number(spec, "partitionCount"),
        replicas=_number(spec, "replicas"),
        config={str(key): setting_text(value) for key, value in _part(spec, "configs").items() if value is not None},
    )


def _number(spec: Mapping[str, Any], key: str) -> int | None:
    return whole_number(spec[key]) if spec.get(key) is not None else _DEFAULT


def _part(of: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = of.get(key)
    return dict(found) if isinstance(found, Mapping) else {}
