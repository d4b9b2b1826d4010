"""The nodes: where they are, whether they take pods, what they offer."""

from typing import TYPE_CHECKING, Annotated, Any

from runbook.answers.kubernetes import reads
from runbook.answers.kubernetes.objects import flag, labels, many, part, stated, text
from runbook.formats.declared import at
from runbook.formats.quantity import quantity
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, Row, row_of

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes


class KubernetesNode(Row):
    """A node."""

    node: Annotated[str, Cell("Name.", key=True, entity="node")] = at("metadata.name")
    zone: Annotated[str, Cell("Label topology.kubernetes.io/zone; empty when it has none.", entity="rack")]
    region: Annotated[str, Cell("Label topology.kubernetes.io/region; empty when it has none.")] = at(
        "metadata.labels['topology.kubernetes.io/region']"
    )
    ready: Annotated[bool, Cell("Whether its kubelet reports and is well (condition Ready).")] = stated("Ready")
    schedulable: Annotated[bool, Cell("Whether it takes new pods: not cordoned.")]
    pressure: Annotated[list[str], Cell("Conditions that are true and should not be, such as DiskPressure.")]
    taints: Annotated[list[str], Cell("What keeps pods off, as key=value:Effect.")]
    dedicated: Annotated[bool, Cell("Whether a taint that is neither a fault nor the control plane's keeps pods off.")]
    control_plane: Annotated[bool, Cell("Whether it carries the control plane's role label.")]
    instance_type: Annotated[str, Cell("Label node.kubernetes.io/instance-type; empty when it has none.")] = at(
        "metadata.labels['node.kubernetes.io/instance-type']"
    )
    provider: Annotated[str, Cell("Who gave it, out of its provider id: aws, gce, azure…; empty on bare metal.")]
    version: Annotated[str, Cell("Version of its kubelet.")] = at("status.nodeInfo.kubeletVersion")
    os_image: Annotated[str, Cell("Its operating system.")] = at("status.nodeInfo.osImage")
    kernel: Annotated[str, Cell("Version of its kernel.")] = at("status.nodeInfo.kernelVersion")
    container_runtime: Annotated[str, Cell("Name and version of its container runtime.")] = at(
        "status.nodeInfo.containerRuntimeVersion"
    )
    cpu: Annotated[int | None, Cell("What pods may use of its CPUs.", unit="thousandths of a CPU")]
    memory: Annotated[Bytes | None, Cell("What pods may use of its memory.")] = at("status.allocatable.memory")


PROBE = Probe(
    connections=("kubernetes",),
    help="One row per node of the cluster.",
    row=KubernetesNode,
    requests=("GET /version", "GET /api/v1/nodes"),
    rights=("list nodes in the cluster",),
)

_ZONES = ("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")
_CONTROL_PLANE = ("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master")
_FAULTS = ("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/")
_KEEPS_OFF = ("NoSchedule", "NoExecute")


def observe(kubernetes: "Kubernetes") -> Observed:
    """Observe every node."""
    return Observed(rows=[_row(node) for node in kubernetes.listed(reads.NODES)])


def _row(node: dict[str, Any]) -> KubernetesNode:
    marks, offers = labels(node), part(node, "status", "allocatable")
    taints = many(node, "spec", "taints")
    conditions = many(node, "status", "conditions")
    return row_of(
        KubernetesNode,
        node,
        zone=next((marks[key] for key in _ZONES if key in marks), ""),
        schedulable=not flag(node, "spec", "unschedulable"),
        pressure=sorted(
            text(condition, "type")
            for condition in conditions
            if condition.get("status") == "True" and not _is_good(text(condition, "type"))
        ),
        taints=[f"{text(taint, 'key')}={text(taint, 'value')}:{text(taint, 'effect')}" for taint in taints],
        dedicated=any(_reserves(taint) for taint in taints),
        control_plane=any(key in marks for key in _CONTROL_PLANE),
        provider=text(node, "spec", "providerID").partition("://")[0],
        cpu=quantity(offers["cpu"], scale=1000) if "cpu" in offers else None,
    )


def _is_good(condition: str) -> bool:
    """Whether a condition of this type is to be true: Ready, and those that EKS's node monitoring agent and k3s add."""
    return condition.endswith("Ready") or condition == "EtcdIsVoter"


def _reserves(taint: dict[str, Any]) -> bool:
    key = text(taint, "key")
    return text(taint, "effect") in _KEEPS_OFF and not key.startswith(_FAULTS) and key not in _CONTROL_PLANE
