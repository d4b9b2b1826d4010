"""What Strimzi's operator refuses of pods that an API server takes: it then acts on no change of their resource.

Read from its source, 1.2.0: ModelUtils, StorageUtils, VolumeUtils, JmxPrometheusExporterModel,
StrimziMetricsReporterModel, TemplateUtils, Labels; and compared with what it makes of resources with one mistake.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from runbook.formats.nested import list_of, part_of
from runbook.formats.quantity import quantity
from runbook.formats.strimzi_fields import RefusedField, Steps, written
from runbook.model.errors import Garbled

_OWN: Final = "strimzi.io/"
_OWNER: Final = "strimzi.io/cluster"
_MOUNTS: Final = "/mnt"


def of_labels(resource: Mapping[str, Any]) -> Iterator[RefusedField]:
    """Labels of a resource that begin as the operator's own."""
    for label in part_of(resource, "metadata", "labels"):
        if label.startswith(_OWN) and not label.startswith(_OWNER):
            yield RefusedField(f"label {label}: {_OWN} is the operator's own", ("metadata", "labels", label))


def of_pod(spec: Mapping[str, Any], path: Steps) -> Iterator[RefusedField]:
    """Of `resources`, `template` and `metricsConfig`, where they stand beside each other."""
    yield from _of_resources(part_of(spec, "resources"), (*path, "resources"))
    yield from _of_template(part_of(spec, "template"), (*path, "template"))
    yield from _of_metrics(part_of(spec, "metricsConfig"), (*path, "metricsConfig"))


def _of_resources(resources: Mapping[str, Any], path: Steps) -> Iterator[RefusedField]:
    for name in ("cpu", "memory"):
        amounts = {}
        for which in ("requests", "limits"):
            value = part_of(resources, which).get(name)
            try:
                amounts[which] = None if value is None else quantity(value, scale=1000)
            except Garbled:  # the rows that need it say so
                return
            if amounts[which] == 0:
                yield RefusedField(f"{written((*path, which, name))} is 0", (*path, which, name))
        asked, most = amounts["requests"], amounts["limits"]
        if asked is not None and most is not None and asked > most:
            where = (*path, "requests", name)
            yield RefusedField(f"{written(where)} is more than the limit", where)


def _of_template(template: Mapping[str, Any], path: Steps) -> Iterator[RefusedField]:
    for kind in ("labels", "annotations"):
        for name in part_of(template, "pod", "metadata", kind):
            if name.startswith(_OWN):
                where = (*path, "pod", "metadata", kind, name)
                yield RefusedField(f"{written(where[:-1])} has {name}: {_OWN} is the operator's own", where)
    for container in (name for name in template if name.endswith("Container")):
        for at, mount in enumerate(list_of(part_of(template, container), "volumeMounts")):
            if not str(mount.get("mountPath")).startswith(_MOUNTS):
                where = (*path, container, "volumeMounts", at, "mountPath")
                yield RefusedField(f"{written(where)} is not below {_MOUNTS}", where)


def _of_metrics(metrics: Mapping[str, Any], path: Steps) -> Iterator[RefusedField]:
    if metrics.get("type") == "jmxPrometheusExporter":
        rules = part_of(metrics, "valueFrom", "configMapKeyRef")
        if not rules.get("name") or not rules.get("key"):
            yield RefusedField(f"{written(path)} names no ConfigMap and key (valueFrom.configMapKeyRef)", path)
    allowed = part_of(metrics, "values").get("allowList")
    if not isinstance(allowed, list):
        return
    where = (*path, "values", "allowList")
    if not allowed:
        yield RefusedField(f"{written(where)} is empty", where)
    for at, pattern in enumerate(allowed):
        if not _is_pattern(str(pattern)):
            yield RefusedField(f"{written((*where, at))} is no regular expression", (*where, at))


def _is_pattern(text: str) -> bool:
    try:
        re.compile(text)
    except re.error:
        return False
    return True


def of_storage(storage: Mapping[str, Any], path: Steps) -> Iterator[RefusedField]:
    """Of the storage of a pool."""
    if storage.get("type") != "jbod":
        yield from _of_volume(storage, path)
        return
    volumes = list_of(storage, "volumes")
    if not volumes:
        yield RefusedField(f"{written(path)} has no volume", path)
    for at, volume in enumerate(volumes):
        yield from _of_volume(volume, (*path, "volumes", at))
        if volume.get("id") is None:
            yield RefusedField(f"{written((*path, 'volumes', at))} has no id", (*path, "volumes", at))


def _of_volume(volume: Mapping[str, Any], path: Steps) -> Iterator[RefusedField]:
    if volume.get("type") == "persistent-claim" and not volume.get("size"):
        yield RefusedField(f"{written(path)} has no size", path)
