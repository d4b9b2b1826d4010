"""The nodes that values of Bitnami's chart declare: those of its two StatefulSets."""

from collections.abc import Iterator
from typing import Any, Final

from runbook.formats.bitnami.release import BY, COMPONENTS, by_release, replicas_of
from runbook.formats.chart_values import Open, Values, heap_of, release_of
from runbook.formats.nested import part_of
from runbook.formats.quantity import quantity
from runbook.formats.statements import NodesStated, NotStated, together
from runbook.model.errors import Garbled

_PRESETS: Final = {
    "nano": ("100m", "128Mi", "192Mi"),
    "micro": ("250m", "256Mi", "384Mi"),
    "small": ("500m", "512Mi", "768Mi"),
    "medium": ("500m", "1024Mi", "1536Mi"),
    "large": ("1", "2048Mi", "3072Mi"),
    "xlarge": ("1", "3072Mi", "6144Mi"),
    "2xlarge": ("1", "3072Mi", "12288Mi"),
}
"""resourcesPreset → CPU and memory asked for, and the limit of memory (common.resources.preset)."""
_HEAP: Final = "-XX:InitialRAMPercentage=75 -XX:MaxRAMPercentage=75"


def nodes(values: Values) -> Iterator[NodesStated | NotStated]:
    """The nodes of either StatefulSet; the reason where it is not known what they are."""
    for part in COMPONENTS:
        try:
            if replicas_of(values, part):
                yield _nodes(values, part)
        except (NotStated, Garbled) as reason:
            yield NotStated(str(reason))


def _nodes(values: Values, part: str) -> NodesStated:
    seen = Open()
    resources = seen.known(lambda: _resources(values, part))
    limit = None if resources is None else quantity(part_of(resources, "limits").get("memory"))
    least, most = seen.known(lambda: heap_of(_heap(values, part), limit)) or (None, None)
    pod = seen.known(lambda: _pod(values, part))
    alone = part == "broker" or values.flag("controller", "controllerOnly", default=False)
    kept = values.part(part, "persistentVolumeClaimRetentionPolicy")
    return NodesStated(
        by=BY,
        resource=values.name,
        source=values.source,
        places=_places(values, part),
        why=together(seen.reasons),
        pool=f"{values.name} {part}",
        kafka=values.name,
        replicas=replicas_of(values, part),
        roles=[part] if alone else ["broker", "controller"],
        volumes=1,
        lasting=values.flag(part, "persistence", "enabled", default=True),
        deleted=bool(kept.get("enabled")) and kept.get("whenDeleted") == "Delete",
        size=values.text(part, "persistence", "size", default="8Gi"),
        storage_class=values.text(part, "persistence", "storageClass"),
        resources=resources,
        pod=pod,
        apart=_apart(values, part),
        heap_min=least,
        heap_max=most,
    )


def _resources(values: Values, part: str) -> dict[str, Any]:
    own = values.given(part, "resources")
    if own:
        return values.part(part, "resources")
    preset = values.given(part, "resourcesPreset")
    if preset is None:
        if not by_release(values, "what its pods ask for", part, "resources"):
            raise NotStated(f"{part}.resources is not set, and charts before 32 differ in it")
        preset = "small"
    if preset not in _PRESETS:
        return {}
    cpu, memory, limit = _PRESETS[preset]
    return {"requests": {"cpu": cpu, "memory": memory}, "limits": {"memory": limit}}


def _heap(values: Values, part: str) -> str:
    """Its options; the chart looks at those at the root only where the part's own are set to nothing."""
    if values.given(part, "heapOpts") == "":
        return values.text("heapOpts", default=_HEAP)
    if not values.has(part, "heapOpts") and not by_release(values, "the heap", part, "heapOpts"):
        raise NotStated(f"{part}.heapOpts is not set, and charts before 32 differ in it")
    return values.text(part, "heapOpts", default=_HEAP)


def _pod(values: Values, part: str) -> dict[str, Any]:
    spread = values.get(part, "topologySpreadConstraints", default=[])
    labels = values.part("commonLabels") | values.part(part, "podLabels")
    labels |= {
        "app.kubernetes.io/name": values.text("nameOverride", default="kafka"),
        "app.kubernetes.io/component": COMPONENTS[part],
        "app.kubernetes.io/part-of": "kafka",
        "app.kubernetes.io/managed-by": "Helm",
    }
    rules = {"affinity": values.part(part, "affinity"), "topologySpreadConstraints": spread}
    labels["app.kubernetes.io/instance"] = release_of(rules, "app.kubernetes.io/instance")
    return {"metadata": {"labels": labels}, "spec": rules}


def _apart(values: Values, part: str) -> list[str]:
    """What the preset keeps apart; an affinity of their own takes its place."""
    if values.given(part, "affinity") or values.given(part, "podAntiAffinityPreset") != "hard":
        return []
    return [str(values.given(part, "topologyKey") or "kubernetes.io/hostname")]


def _places(values: Values, part: str) -> dict[str, str]:
    return {
        "": values.place(part),
        "replicas": values.place(part, "replicaCount"),
        "roles": values.place("controller", "controllerOnly"),
        "ephemeral": values.place(part, "persistence", "enabled"),
        "deleted": values.place(part, "persistentVolumeClaimRetentionPolicy", "whenDeleted"),
        "memory_limit": values.place(part, "resources", "limits", "memory"),
        "memory_request": values.place(part, "resources", "requests", "memory"),
        "cpu_request": values.place(part, "resources", "requests", "cpu"),
        "apart": values.place(part, "podAntiAffinityPreset"),
        "heap_max": values.place(part, "heapOpts"),
    }
