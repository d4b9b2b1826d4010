"""Persistent volume claims: what pods asked of storage, and what they got."""

from typing import Any

from runbook.connections.kubernetes import Kubernetes, reads
from runbook.connections.kubernetes.objects import is_true, labels, name, quantity, text, texts
from runbook.connections.kubernetes.pod import claims
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kubernetes",),
    help="One row per persistent volume claim of the namespace.",
    columns=(
        Column("claim", "string", "Name.", key=True),
        Column("phase", "string", "Bound, Pending or Lost."),
        Column("storage_class", "string", "Its StorageClass; empty for none."),
        Column("volume", "string", "The volume it is bound to; empty before that."),
        Column("requested", "int", "Room that was asked for.", unit="bytes"),
        Column("capacity", "int", "Room that was given; 0 before it is bound.", unit="bytes"),
        Column("access_modes", "list[string]", "ReadWriteOnce, ReadWriteOncePod, ReadWriteMany…"),
        Column("volume_mode", "string", "Filesystem or Block."),
        Column("resizing", "bool", "Whether it is being grown and not done."),
        Column("pods", "list[string]", "Pods that mount it.", entity="pod"),
        Column("roles", "list[string]", "What these are to Kafka: broker, controller, zookeeper; or nothing."),
    ),
    requests=(
        "GET /version",
        "GET /api/v1/namespaces/{namespace}/persistentvolumeclaims",
        "GET /api/v1/namespaces/{namespace}/pods",
        "GET /api/v1/namespaces/{namespace}",
    ),
    rights=(
        "list persistentvolumeclaims and pods in the namespace",
        "get the namespace, to tell an empty one from one that is not there",
    ),
)


def observe(kubernetes: Kubernetes) -> Observed:
    """Observe every claim of the namespace."""
    users: dict[str, list[dict[str, Any]]] = {}
    for pod in kubernetes.listed(reads.PODS):
        for claim in claims(pod):
            users.setdefault(claim, []).append(pod)
    found = kubernetes.listed(reads.CLAIMS)
    return Observed(rows=[_row(kubernetes, claim, users.get(name(claim), [])) for claim in found])


def _row(kubernetes: Kubernetes, claim: dict[str, Any], users: list[dict[str, Any]]) -> tuple[Any, ...]:
    return (
        name(claim),
        text(claim, "status", "phase"),
        text(claim, "spec", "storageClassName"),
        text(claim, "spec", "volumeName"),
        quantity(text(claim, "spec", "resources", "requests", "storage")),
        quantity(text(claim, "status", "capacity", "storage")),
        texts(claim, "spec", "accessModes"),
        text(claim, "spec", "volumeMode") or "Filesystem",
        is_true(claim, "Resizing") or is_true(claim, "FileSystemResizePending"),
        sorted(name(pod) for pod in users),
        sorted({role for pod in users for role in kubernetes.roles.of(labels(pod))}),
    )
