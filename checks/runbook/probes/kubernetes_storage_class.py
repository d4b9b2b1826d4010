"""StorageClasses: who makes volumes, and what becomes of them."""

from typing import TYPE_CHECKING, Annotated, Any

from runbook.answers.kubernetes import reads
from runbook.answers.kubernetes.objects import DEFAULT, OFF, labels
from runbook.formats.declared import Means, at
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row, row_of

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes


class KubernetesStorageClass(Row):
    """A storage class."""

    storage_class: Annotated[str, Cell("Name.", key=True)] = at("metadata.name")
    provisioner: Annotated[
        str, Cell("Who makes its volumes, such as ebs.csi.aws.com or kubernetes.io/no-provisioner.")
    ] = at("provisioner")
    reclaim_policy: Annotated[str, Cell("Retain or Delete: what becomes of the data when the claim is deleted.")] = at(
        "reclaimPolicy", absent=Means("Delete", DEFAULT)
    )
    binding: Annotated[str, Cell("WaitForFirstConsumer, so that the volume follows the pod's zone, or Immediate.")] = (
        at("volumeBindingMode", absent=Means("Immediate", DEFAULT))
    )
    expandable: Annotated[bool, Cell("Whether its volumes can be grown.")] = at("allowVolumeExpansion", absent=OFF)
    default: Annotated[bool, Cell("Whether claims that name none get it.")]
    parameters: Annotated[dict[str, str], Cell("Parameters for the provisioner: disk type, throughput…")]
    mount_options: Annotated[list[str], Cell("Options its volumes are mounted with, such as noatime.")] = at(
        "mountOptions"
    )


PROBE = Probe(
    connections=("kubernetes",),
    help="One row per StorageClass of the cluster.",
    row=KubernetesStorageClass,
    requests=("GET /version", "GET /apis/storage.k8s.io/v1/storageclasses"),
    rights=("list storageclasses.storage.k8s.io in the cluster",),
)

_DEFAULT = "storageclass.kubernetes.io/is-default-class"
_HIDDEN = "secret"  # parameters with it in their name point at credentials; they are left out


def observe(kubernetes: "Kubernetes") -> Observed:
    """Observe every StorageClass."""
    return Observed(rows=[_row(storage_class) for storage_class in kubernetes.listed(reads.STORAGE_CLASSES)])


def _row(thing: dict[str, Any]) -> KubernetesStorageClass:
    return row_of(
        KubernetesStorageClass,
        thing,
        default=labels(thing, "metadata", "annotations").get(_DEFAULT) == "true",
        parameters={key: value for key, value in labels(thing, "parameters").items() if _HIDDEN not in key.lower()},
    )
