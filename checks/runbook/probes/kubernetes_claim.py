"""Persistent volume claims: what pods asked of storage, and what they got."""

from typing import TYPE_CHECKING, Annotated, Any

from runbook.answers.kubernetes import reads
from runbook.answers.kubernetes.namespaced import Namespaced
from runbook.answers.kubernetes.objects import DEFAULT, labels, name, phase, stated
from runbook.answers.kubernetes.pod import claims
from runbook.formats.declared import Means, at, by
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, row_of

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes


class KubernetesClaim(Namespaced):
    """A claim of a volume."""

    claim: Annotated[str, Cell("Name.", key=True)] = at("metadata.name")
    phase: Annotated[
        str,
        Cell("Bound, Pending or Lost; Terminating for one that was deleted and goes with the last pod that mounts it."),
    ] = by(phase)
    storage_class: Annotated[str, Cell("Its StorageClass; empty for none.")] = at("spec.storageClassName")
    volume: Annotated[str, Cell("The volume it is bound to; empty before that.")] = at("spec.volumeName")
    requested: Annotated[Bytes, Cell("Room that was asked for.")] = at(
        "spec.resources.requests.storage", absent=Means(0, "none was asked for")
    )
    capacity: Annotated[Bytes, Cell("Room that was given; 0 before it is bound.")] = at(
        "status.capacity.storage", absent=Means(0, "none was given yet")
    )
    access_modes: Annotated[list[str], Cell("ReadWriteOnce, ReadWriteOncePod, ReadWriteMany…")] = at("spec.accessModes")
    volume_mode: Annotated[str, Cell("Filesystem or Block.")] = at(
        "spec.volumeMode", absent=Means("Filesystem", DEFAULT)
    )
    resizing: Annotated[bool, Cell("Whether it is being grown and not done.")] = stated(
        "Resizing", "FileSystemResizePending"
    )
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
    rows = []
    for found in kubernetes.listed(reads.CLAIMS):
        mounting = users.get(name(found), [])
        roles = {role for pod in mounting for role in kubernetes.roles.of(labels(pod))}
        rows.append(row_of(KubernetesClaim, found, pods=sorted(map(name, mounting)), roles=sorted(roles)))
    return Observed(rows=rows)
