"""StorageClasses: who makes volumes, and what becomes of them."""

from typing import Any

from runbook.connections.kubernetes import Kubernetes, reads
from runbook.connections.kubernetes.objects import flag, labels, name, text, texts
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kubernetes",),
    help="One row per StorageClass of the cluster.",
    columns=(
        Column("storage_class", "string", "Name.", key=True),
        Column(
            "provisioner", "string", "Who makes its volumes, such as ebs.csi.aws.com or kubernetes.io/no-provisioner."
        ),
        Column("reclaim_policy", "string", "Retain or Delete: what becomes of the data when the claim is deleted."),
        Column("binding", "string", "WaitForFirstConsumer, so that the volume follows the pod's zone, or Immediate."),
        Column("expandable", "bool", "Whether its volumes can be grown."),
        Column("default", "bool", "Whether claims that name none get it."),
        Column("parameters", "map[string]", "What it tells the provisioner: disk type, throughput…"),
        Column("mount_options", "list[string]", "Options its volumes are mounted with, such as noatime."),
    ),
    requests=("GET /version", "GET /apis/storage.k8s.io/v1/storageclasses"),
    rights=("list storageclasses.storage.k8s.io in the cluster",),
)

_DEFAULT = "storageclass.kubernetes.io/is-default-class"
_HIDDEN = "secret"  # parameters with it in their name point at credentials; they are left out


def observe(kubernetes: Kubernetes) -> Observed:
    """Observe every StorageClass."""
    return Observed(rows=[_row(one) for one in kubernetes.listed(reads.STORAGE_CLASSES)])


def _row(thing: dict[str, Any]) -> tuple[Any, ...]:
    return (
        name(thing),
        text(thing, "provisioner"),
        text(thing, "reclaimPolicy") or "Delete",
        text(thing, "volumeBindingMode") or "Immediate",
        flag(thing, "allowVolumeExpansion"),
        labels(thing, "metadata", "annotations").get(_DEFAULT) == "true",
        {key: value for key, value in labels(thing, "parameters").items() if _HIDDEN not in key.lower()},
        texts(thing, "mountOptions"),
    )
