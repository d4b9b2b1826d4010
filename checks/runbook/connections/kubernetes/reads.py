"""Everything that may be asked of an API server; `Api` refuses whatever is not here."""

from collections.abc import Sequence
from pathlib import Path
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


ROLE: Final = Path(__file__).with_name("role.yaml")
"""The Role and the ClusterRole that allow these and no others, but for logs of pods, which take a Role of their own."""


def described(request: str) -> dict[str, Any]:
    """A request as HTTP has it, and as a Role grants it."""
    method, _, path = request.partition(" ")
    told: dict[str, Any] = {"method": method, "path": path}
    group, resource = path.strip("/").split("/")[1:2], path.rpartition("/")[2]
    if path in (VERSION, GROUP):  # about the server itself, and open to whoever may talk to it
        return told
    if path == NAMESPACE:
        return told | {"verb": "get", "group": "", "resource": "namespaces"}
    if path == CONFIG_MAP:
        return told | {"verb": "get", "group": "", "resource": "configmaps"}
    if path == POD_LOG:
        return told | {"verb": "get", "group": "", "resource": "pods/log"}
    return told | {"verb": "list", "group": "" if path.startswith("/api/") else group[0], "resource": resource}


def artefacts(_: Sequence[str]) -> dict[str, str]:
    """The roles, as they are shipped; a test compares them with the list."""
    return {"kubernetes-role": ROLE.read_text("utf-8")}
