"""Everything that may be asked of an API server; `Api` refuses whatever is not here."""

from typing import Any, Final

VERSION: Final = "/version"
NODES: Final = "/api/v1/nodes"
VOLUMES: Final = "/api/v1/persistentvolumes"
STORAGE_CLASSES: Final = "/apis/storage.k8s.io/v1/storageclasses"
NAMESPACE: Final = "/api/v1/namespaces/{namespace}"
PODS: Final = "/api/v1/namespaces/{namespace}/pods"
SERVICES: Final = "/api/v1/namespaces/{namespace}/services"
CLAIMS: Final = "/api/v1/namespaces/{namespace}/persistentvolumeclaims"
CONFIG_MAPS: Final = "/api/v1/namespaces/{namespace}/configmaps"
CONFIG_MAP: Final = "/api/v1/namespaces/{namespace}/configmaps/{name}"
POD_LOG: Final = "/api/v1/namespaces/{namespace}/pods/{name}/log"
ENDPOINT_SLICES: Final = "/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices"
STATEFUL_SETS: Final = "/apis/apps/v1/namespaces/{namespace}/statefulsets"
DEPLOYMENTS: Final = "/apis/apps/v1/namespaces/{namespace}/deployments"
DISRUPTION_BUDGETS: Final = "/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets"
GROUP: Final = "/apis/{group}"
CUSTOM_RESOURCES: Final = "/apis/{group}/{version}/namespaces/{namespace}/{resource}"

PATHS: Final = (
    VERSION,
    NODES,
    VOLUMES,
    STORAGE_CLASSES,
    NAMESPACE,
    PODS,
    SERVICES,
    CLAIMS,
    CONFIG_MAPS,
    CONFIG_MAP,
    POD_LOG,
    ENDPOINT_SLICES,
    STATEFUL_SETS,
    DEPLOYMENTS,
    DISRUPTION_BUDGETS,
    GROUP,
    CUSTOM_RESOURCES,
)
READS: Final = tuple(f"GET {path}" for path in PATHS)
"""Every request: verb and path. No watch, no exec, no secret, and nothing that changes anything.

Logs of pods are read only where the inventory says `logs: true`.
"""


def granted(path: str) -> tuple[str, str, str] | None:
    """What a path takes of a Role: verb, API group and resource; None for what is open to whoever may talk to it."""
    root, *parts = path.strip("/").split("/")
    group, parts = (parts[0], parts[2:]) if root == "apis" else ("", parts[1:])
    if parts[:1] == ["namespaces"]:
        if len(parts) == 2:  # noqa: PLR2004 - one by its name, and nothing in it
            return "get", "", "namespaces"
        parts = parts[2:]
    if not parts:
        return None
    verb = "list" if len(parts) == 1 else "get"  # one by its name, or a part of it such as its log
    return verb, group, "/".join((parts[0], *parts[2:]))


def described(request: str) -> dict[str, Any]:
    """A request as HTTP has it, and as a Role grants it."""
    method, _, path = request.partition(" ")
    right = granted(path)
    return {"method": method, "path": path} | (
        dict(zip(("verb", "group", "resource"), right, strict=True)) if right else {}
    )
