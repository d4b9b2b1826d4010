"""Persistent volumes: what is behind the claims."""

from typing import TYPE_CHECKING, Annotated, Any

from runbook.answers.kubernetes import reads
from runbook.answers.kubernetes.objects import part, text
from runbook.formats.declared import Means, at
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, Row, row_of

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes


class KubernetesVolume(Row):
    """A volume."""

    volume: Annotated[str, Cell("Name.", key=True)] = at("metadata.name")
    claim: Annotated[str, Cell("The claim it is bound to.")] = at("spec.claimRef.name")
    phase: Annotated[str, Cell("Bound, Available, Released or Failed.")] = at("status.phase")
    capacity: Annotated[Bytes, Cell("Its size.")] = at("spec.capacity.storage", absent=Means(0, "it has no size"))
    kind: Annotated[str, Cell("csi, local, hostPath, nfs…: what is behind it.")]
    driver: Annotated[str, Cell("The CSI driver, such as ebs.csi.aws.com; empty for others.")] = at("spec.csi.driver")
    storage_class: Annotated[str, Cell("Its StorageClass; empty for none.")] = at("spec.storageClassName")
    reclaim_policy: Annotated[str, Cell("Retain or Delete: what becomes of the data when the claim is deleted.")] = at(
        "spec.persistentVolumeReclaimPolicy"
    )
    access_modes: Annotated[list[str], Cell("ReadWriteOnce, ReadWriteMany…")] = at("spec.accessModes")
    pinned: Annotated[bool, Cell("Whether it can be used from some nodes only.")]
    file_system: Annotated[str, Cell("ext4, xfs…; empty where it is not said.")]
    mount_options: Annotated[list[str], Cell("Options it is mounted with, such as noatime.")] = at("spec.mountOptions")


PROBE = Probe(
    connections=("kubernetes",),
    help="One row per persistent volume that is bound to a claim of the namespace.",
    row=KubernetesVolume,
    requests=("GET /version", "GET /api/v1/persistentvolumes"),
    rights=("list persistentvolumes in the cluster",),
)

_NO_SOURCE = frozenset(
    (
        "capacity",
        "accessModes",
        "claimRef",
        "persistentVolumeReclaimPolicy",
        "storageClassName",
        "mountOptions",
        "volumeMode",
        "nodeAffinity",
        "volumeAttributesClassName",
    )
)
"""Fields of a volume's specification that are not the one which names its source."""


def observe(kubernetes: "Kubernetes") -> Observed:
    """Observe the volumes bound to claims of the namespace; those of others are none of our business."""
    volumes = kubernetes.listed(reads.VOLUMES)
    ours = [volume for volume in volumes if text(volume, "spec", "claimRef", "namespace") == kubernetes.namespace]
    return Observed(rows=[_row(volume) for volume in ours])


def _row(volume: dict[str, Any]) -> KubernetesVolume:
    spec = part(volume, "spec")
    kind = next((field for field in sorted(spec) if field not in _NO_SOURCE), "")
    return row_of(
        KubernetesVolume,
        volume,
        kind=kind,
        # not made up: what an object of Kubernetes leaves out is not set
        pinned=bool(part(spec, "nodeAffinity")),
        file_system=text(part(spec, kind), "fsType") if kind else "",
    )
