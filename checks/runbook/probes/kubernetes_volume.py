"""Persistent volumes: what is behind the claims."""

from typing import Any

from runbook.connections.kubernetes import Kubernetes, reads
from runbook.connections.kubernetes.objects import name, part, quantity, text, texts
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kubernetes",),
    help="One row per persistent volume that is bound to a claim of the namespace.",
    columns=(
        Column("volume", "string", "Name.", key=True),
        Column("claim", "string", "The claim it is bound to."),
        Column("phase", "string", "Bound, Available, Released or Failed."),
        Column("capacity", "int", "Its size.", unit="bytes"),
        Column("kind", "string", "csi, local, hostPath, nfs…: what is behind it."),
        Column("driver", "string", "The CSI driver, such as ebs.csi.aws.com; empty for others."),
        Column("storage_class", "string", "Its StorageClass; empty for none."),
        Column("reclaim_policy", "string", "Retain or Delete: what becomes of the data when the claim is deleted."),
        Column("access_modes", "list[string]", "ReadWriteOnce, ReadWriteMany…"),
        Column("pinned", "bool", "Whether it can be used from some nodes only."),
        Column("file_system", "string", "ext4, xfs…; empty where it is not said."),
        Column("mount_options", "list[string]", "Options it is mounted with, such as noatime."),
    ),
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


def observe(kubernetes: Kubernetes) -> Observed:
    """Observe the volumes bound to claims of the namespace; those of others are none of our business."""
    volumes = kubernetes.listed(reads.VOLUMES)
    ours = [one for one in volumes if text(one, "spec", "claimRef", "namespace") == kubernetes.namespace]
    return Observed(rows=[_row(one) for one in ours])


def _row(volume: dict[str, Any]) -> tuple[Any, ...]:
    spec = part(volume, "spec")
    kind = next((field for field in sorted(spec) if field not in _NO_SOURCE), "")
    return (
        name(volume),
        text(spec, "claimRef", "name"),
        text(volume, "status", "phase"),
        quantity(text(spec, "capacity", "storage")),
        kind,
        text(spec, "csi", "driver"),
        text(spec, "storageClassName"),
        text(spec, "persistentVolumeReclaimPolicy"),
        texts(spec, "accessModes"),
        bool(part(spec, "nodeAffinity")),
        text(part(spec, kind), "fsType") if kind else "",
        texts(spec, "mountOptions"),
    )
