"""Persistent volumes: what is behind the claims."""

from typing import TYPE_CHECKING, Annotated, Any

from runbook.answers.kubernetes import reads
from runbook.answers.kubernetes.objects import name, part, storage, text, texts
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes


class KubernetesVolume(Row):
    """A volume."""

    volume: Annotated[str, Cell("Name.", key=True)]
    claim: Annotated[str, Cell("The claim it is bound to.")]
    phase: Annotated[str, Cell("Bound, Available, Released or Failed.")]
    capacity: Annotated[Bytes, Cell("Its size.")]
    kind: Annotated[str, Cell("csi, local, hostPath, nfs…: what is behind it.")]
    driver: Annotated[str, Cell("The CSI driver, such as ebs.csi.aws.com; empty for others.")]
    storage_class: Annotated[str, Cell("Its StorageClass; empty for none.")]
    reclaim_policy: Annotated[str, Cell("Retain or Delete: what becomes of the data when the claim is deleted.")]
    access_modes: Annotated[list[str], Cell("ReadWriteOnce, ReadWriteMany…")]
    pinned: Annotated[bool, Cell("Whether it can be used from some nodes only.")]
    file_system: Annotated[str, Cell("ext4, xfs…; empty where it is not said.")]
    mount_options: Annotated[list[str], Cell("Options it is mounted with, such as noatime.")]


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
    return Observed(rows=[_row(claim) for claim in ours])


def _row(volume: dict[str, Any]) -> KubernetesVolume:
    spec = part(volume, "spec")
    kind = next((field for field in sorted(spec) if field not in _NO_SOURCE), "")
    return KubernetesVolume(
        volume=name(volume),
        claim=text(spec, "claimRef", "name"),
        phase=text(volume, "status", "phase"),
        capacity=storage(text(spec, "capacity", "storage")),
        kind=kind,
        driver=text(spec, "csi", "driver"),
        storage_class=text(spec, "storageClassName"),
        reclaim_policy=text(spec, "persistentVolumeReclaimPolicy"),
        access_modes=texts(spec, "accessModes"),
        # not made up: what an object of Kubernetes leaves out is not set
        pinned=bool(part(spec, "nodeAffinity")),
        file_system=text(part(spec, kind), "fsType") if kind else "",
        mount_options=texts(spec, "mountOptions"),
    )
