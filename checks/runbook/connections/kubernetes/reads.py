"""Everything that may be asked of an API server; `Api` refuses whatever is not here."""

from typing import Final

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
