"""Persistent volume claims: what pods asked of storage, and what they got."""

from typing import TYPE_CHECKING, Annotated, Any

from runbook.answers.kubernetes import reads
from runbook.answers.kubernetes.objects import is_true, labels, name, storage, text, texts
from runbook.answers.kubernetes.pod import claims
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes


class KubernetesClaim(Row):
    """A claim of a volume."""

    claim: Annotated[str, Cell("Name.", key=True)]
    phase: Annotated[str, Cell("Bound, Pending or Lost.")]
    storage_class: Annotated[str, Cell("Its StorageClass; empty for none.")]
    volume: Annotated[str, Cell("The volume it is bound to; empty before that.")]
    requested: Annotated[Bytes, Cell("Room that was asked for.")]
    capacity: Annotated[Bytes, Cell("Room that was given; 0 before it is bound.")]
    access_modes: Annotated[list[str], Cell("ReadWriteOnce, ReadWriteOncePod, ReadWriteMany…")]
    volume_mode: Annotated[str, Cell("Filesystem or Block.")]
    resizing: Annotated[bool, Cell("Whether it is being grown and not done.")]
    pods: Annotated[list[str], Cell("Pods that mount it.", entity="pod")]
    roles: Annotated[list[str], Cell("What these are to Kafka: broker, controller, zookeeper; or nothing.")]


PROBE = Probe(
    connections=("kubernetes",),
    help="One row per persistent volume claim of the namespace.",
    row=KubernetesClaim,
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


def observe(kubernetes: "Kubernetes") -> Observed:
    """Observe every claim of the namespace."""
    users: dict[str, list[dict[str, Any]]] = {}
    for pod in kubernetes.listed(reads.PODS):
        for claim in claims(pod):
            users.setdefault(claim, []).append(pod)
    found = kubernetes.listed(reads.CLAIMS)
    return Observed(rows=[_row(kubernetes, claim, users.get(name(claim), [])) for claim in found])


def _row(kubernetes: "Kubernetes", claim: dict[str, Any], users: list[dict[str, Any]]) -> KubernetesClaim:
    return KubernetesClaim(
        claim=name(claim),
        phase=text(claim, "status", "phase"),
        storage_class=text(claim, "spec", "storageClassName"),
        volume=text(claim, "spec", "volumeName"),
        requested=storage(text(claim, "spec", "resources", "requests", "storage")),
        capacity=storage(text(claim, "status", "capacity", "storage")),
        access_modes=texts(claim, "spec", "accessModes"),
        volume_mode=text(claim, "spec", "volumeMode") or "Filesystem",
        resizing=is_true(claim, "Resizing") or is_true(claim, "FileSystemResizePending"),
        pods=sorted(name(pod) for pod in users),
        roles=sorted({role for pod in users for role in kubernetes.roles.of(labels(pod))}),
    )
