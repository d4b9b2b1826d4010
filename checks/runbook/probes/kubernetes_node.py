"""The nodes: where they are, whether they take pods, what they offer."""

from typing import Any

from runbook.connections.kubernetes import Kubernetes, reads
from runbook.connections.kubernetes.objects import flag, is_true, labels, many, name, part, quantity, text
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kubernetes",),
    help="One row per node of the cluster.",
    columns=(
        Column("node", "string", "Name.", key=True, entity="node"),
        Column("zone", "string", "Label topology.kubernetes.io/zone; empty when it has none.", entity="rack"),
        Column("region", "string", "Label topology.kubernetes.io/region; empty when it has none."),
        Column("ready", "bool", "Whether its kubelet reports and is well (condition Ready)."),
        Column("schedulable", "bool", "Whether it takes new pods: not cordoned."),
        Column("pressure", "list[string]", "Conditions that are true and should not be, such as DiskPressure."),
        Column("taints", "list[string]", "What keeps pods off, as key=value:Effect."),
        Column("dedicated", "bool", "Whether a taint that is neither a fault nor the control plane's keeps pods off."),
        Column("control_plane", "bool", "Whether it carries the control plane's role label."),
        Column("instance_type", "string", "Label node.kubernetes.io/instance-type; empty when it has none."),
        Column("provider", "string", "Who gave it, out of its provider id: aws, gce, azure…; empty on bare metal."),
        Column("version", "string", "Version of its kubelet."),
        Column("os_image", "string", "Its operating system."),
        Column("kernel", "string", "Version of its kernel."),
        Column("container_runtime", "string", "Name and version of its container runtime."),
        Column("cpu", "int", "What pods may use of its CPUs.", unit="thousandths of a CPU"),
        Column("memory", "int", "What pods may use of its memory.", unit="bytes"),
    ),
    requests=("GET /version", "GET /api/v1/nodes"),
    rights=("list nodes in the cluster",),
)

_ZONES = ("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")
_CONTROL_PLANE = ("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master")
_FAULTS = ("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/")
_KEEPS_OFF = ("NoSchedule", "NoExecute")


def observe(kubernetes: Kubernetes) -> Observed:
    """Observe every node."""
    return Observed(rows=[_row(node) for node in kubernetes.listed(reads.NODES)])


def _row(node: dict[str, Any]) -> tuple[Any, ...]:
    marks, offers = labels(node), part(node, "status", "allocatable")
    info = part(node, "status", "nodeInfo")
    taints = many(node, "spec", "taints")
    conditions = many(node, "status", "conditions")
    return (
        name(node),
        next((marks[key] for key in _ZONES if key in marks), ""),
        marks.get("topology.kubernetes.io/region", ""),
        is_true(node, "Ready"),
        not flag(node, "spec", "unschedulable"),
        sorted(text(one, "type") for one in conditions if one.get("type") != "Ready" and one.get("status") == "True"),
        [f"{text(one, 'key')}={text(one, 'value')}:{text(one, 'effect')}" for one in taints],
        any(_reserves(one) for one in taints),
        any(key in marks for key in _CONTROL_PLANE),
        marks.get("node.kubernetes.io/instance-type", ""),
        text(node, "spec", "providerID").partition("://")[0],
        text(info, "kubeletVersion"),
        text(info, "osImage"),
        text(info, "kernelVersion"),
        text(info, "containerRuntimeVersion"),
        quantity(offers.get("cpu"), scale=1000),
        quantity(offers.get("memory")),
    )


def _reserves(taint: dict[str, Any]) -> bool:
    key = text(taint, "key")
    return text(taint, "effect") in _KEEPS_OFF and not key.startswith(_FAULTS) and key not in _CONTROL_PLANE
