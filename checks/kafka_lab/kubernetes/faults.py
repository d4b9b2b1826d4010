"""What can be broken in the lab's Kubernetes, and how it is mended. Each is a real change to real objects."""

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from kafka_lab.errors import LabError
from kafka_lab.kubernetes.admin import Admin
from kafka_lab.kubernetes.control_plane import Plane
from kafka_lab.kubernetes.objects import BUDGETS, NODES, PODS, STATEFUL_SET, manifest, wait_until_well
from kafka_lab.state import LabState, option

_BROKERS: Final = 3
_NODE_LABEL: Final = "node-not-ready.stage.kwok.x-k8s.io"
_BY_HAND: Final = "kafka-by-hand-9"
_ZONE: Final = "topology.kubernetes.io/zone"

Object = dict[str, Any]
Answer = TypeVar("Answer")


class ClusterFault(Struct, frozen=True):
    """Something to break: one sentence of what it is, how it is done and undone, and what shows it."""

    help: str
    inject: Callable[[Admin], None]
    heal: Callable[[Admin], None]
    evident: Callable[[Admin], Mapping[str, bool]]


def _drop_budget(admin: Admin) -> None:
    admin.delete(f"{BUDGETS}/kafka")


def _restore_budget(admin: Admin) -> None:
    admin.delete(f"{BUDGETS}/kafka")
    [budget] = [thing for thing in manifest("kafka.yaml", data="/unused") if thing["kind"] == "PodDisruptionBudget"]
    admin.create(budget)
    wait_until_well(admin, _BROKERS)


def _no_budget(admin: Admin) -> Mapping[str, bool]:
    names = [budget["metadata"]["name"] for budget in admin.get(BUDGETS)["items"]]
    return {"there is no budget kafka": "kafka" not in names}


def _let_all_go(admin: Admin) -> None:
    admin.patch(f"{BUDGETS}/kafka", {"spec": {"maxUnavailable": "100%"}})
    admin.wait(f"{BUDGETS}/kafka", lambda seen: seen["status"].get("disruptionsAllowed") == _BROKERS, "its new count")


def _all_may_go(admin: Admin) -> Mapping[str, bool]:
    budget = _budget(admin, "kafka")
    return {
        "the budget says maxUnavailable: 100%": budget["spec"].get("maxUnavailable") == "100%",
        "Kubernetes would let all brokers go": budget["status"].get("disruptionsAllowed") == _BROKERS,
    }


def _let_none_go(admin: Admin) -> None:
    admin.patch(f"{BUDGETS}/kafka", {"spec": {"maxUnavailable": 0}})
    admin.wait(f"{BUDGETS}/kafka", lambda seen: seen["status"].get("disruptionsAllowed") == 0, "its new count")


def _none_may_go(admin: Admin) -> Mapping[str, bool]:
    budget = _budget(admin, "kafka")
    return {
        "the budget says maxUnavailable: 0": budget["spec"].get("maxUnavailable") == 0,
        "Kubernetes would let no broker go": budget["status"].get("disruptionsAllowed") == 0,
    }


def _budget(admin: Admin, name: str) -> Object:
    """A budget as it is; one with nothing in it if there is none."""
    found = [budget for budget in admin.get(BUDGETS)["items"] if budget["metadata"]["name"] == name]
    return {"spec": {}, "status": {}} | (found[0] if found else {})


def _second_budget(admin: Admin) -> None:
    [budget] = [thing for thing in manifest("kafka.yaml", data="/unused") if thing["kind"] == "PodDisruptionBudget"]
    budget["metadata"]["name"] = "kafka-too"
    admin.create(budget)
    admin.wait(f"{BUDGETS}/kafka-too", lambda seen: bool(seen.get("status", {}).get("expectedPods")), "its count")


def _drop_second_budget(admin: Admin) -> None:
    admin.delete(f"{BUDGETS}/kafka-too")


def _two_budgets(admin: Admin) -> Mapping[str, bool]:
    selector = _budget(admin, "kafka-too")["spec"].get("selector")
    return {"a second budget selects what the first does": selector == {"matchLabels": {"app": "kafka"}}}


def _mount_host_path(admin: Admin) -> None:
    """Add a pod that looks like a broker's and keeps its data in a folder of its node."""
    [found] = [thing for thing in manifest("kafka.yaml", data="/unused") if thing["kind"] == "StatefulSet"]
    spec = found["spec"]["template"]["spec"]
    spec["volumes"] = [{"name": "data", "hostPath": {"path": "/var/lib/kafka"}}, {"name": "tmp", "emptyDir": {}}]
    metadata = {"name": _BY_HAND, "namespace": "kafka", "labels": {"app": "kafka"}}
    admin.create({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec})


def _drop_host_path(admin: Admin) -> None:
    admin.delete(f"{PODS}/{_BY_HAND}")


def _on_host_path(admin: Admin) -> Mapping[str, bool]:
    [pod] = [pod for pod in admin.get(PODS)["items"] if pod["metadata"]["name"] == _BY_HAND] or [{}]
    conditions = pod.get("status", {}).get("conditions", ())
    return {
        "a pod made by hand mounts a folder of its node": any("hostPath" in volume for volume in _volumes(pod)),
        "the scheduler finds no node for it: each has a broker": any(
            condition["type"] == "PodScheduled" and condition.get("reason") == "Unschedulable"
            for condition in conditions
        ),
    }


def _volumes(pod: Object) -> list[Object]:
    return list(pod.get("spec", {}).get("volumes", ()))


def _nodes(admin: Admin) -> list[Object]:
    return [node for node in admin.get(NODES)["items"] if node["metadata"]["labels"].get("dedicated") == "kafka"]


def _one_zone(admin: Admin) -> None:
    for node in _nodes(admin):
        was = node["metadata"]["labels"][_ZONE]
        labels = {_ZONE: "zone-of-all", "runbook.lab/zone": was}
        admin.patch(f"{NODES}/{node['metadata']['name']}", {"metadata": {"labels": labels}})


def _in_one_zone(admin: Admin) -> Mapping[str, bool]:
    zones = {node["metadata"]["labels"][_ZONE] for node in _nodes(admin)}
    return {"the nodes of all brokers have the same zone": len(zones) == 1}


def _own_zones(admin: Admin) -> None:
    for node in _nodes(admin):
        was = node["metadata"]["labels"].get("runbook.lab/zone")
        if was:
            labels = {_ZONE: was, "runbook.lab/zone": None}
            admin.patch(f"{NODES}/{node['metadata']['name']}", {"metadata": {"labels": labels}})


def _container(state: Object, restarts: int, *, ready: bool) -> Callable[[Object], None]:
    """Change the status of a pod's container; the simulated kubelet leaves it so."""

    def change(status: Object) -> None:
        for one in status["containerStatuses"]:
            one |= {"ready": ready, "restartCount": restarts, **state}
        for one in status["conditions"]:
            if one["type"] in {"Ready", "ContainersReady"}:
                one["status"] = "True" if ready else "False"

    return change


def _ended(code: int, reason: str) -> Object:
    """The end of a container as the kubelet writes it: with the moments, to a second."""
    now = dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"exitCode": code, "reason": reason, "startedAt": now, "finishedAt": now}


def _crash_loop(admin: Admin) -> None:
    state = {"state": {"waiting": {"reason": "CrashLoopBackOff"}}, "lastState": {"terminated": _ended(1, "Error")}}
    admin.replace_status(f"{PODS}/kafka-2", _container(state, 17, ready=False))
    admin.wait(STATEFUL_SET, lambda seen: seen["status"].get("readyReplicas") == _BROKERS - 1, "one pod fewer")


def _out_of_memory(admin: Admin) -> None:
    admin.replace_status(
        f"{PODS}/kafka-2", _container({"lastState": {"terminated": _ended(137, "OOMKilled")}}, 1, ready=True)
    )


def _crashing(admin: Admin) -> Mapping[str, bool]:
    [status] = admin.get(f"{PODS}/kafka-2")["status"]["containerStatuses"]
    set_status = admin.get(STATEFUL_SET)["status"]
    return {
        "the container of broker 2 is in CrashLoopBackOff": (
            status["state"].get("waiting", {}).get("reason") == "CrashLoopBackOff"
        ),
        "its set counts one ready pod fewer": set_status.get("readyReplicas") == _BROKERS - 1,
    }


def _killed(admin: Admin) -> Mapping[str, bool]:
    [status] = admin.get(f"{PODS}/kafka-2")["status"]["containerStatuses"]
    ended = status.get("lastState", {}).get("terminated", {})
    return {"the last container of broker 2 was OOMKilled": ended.get("reason") == "OOMKilled"}


def _renew_pod(admin: Admin) -> None:
    old = admin.get(f"{PODS}/kafka-2")["metadata"]["uid"]
    admin.delete(f"{PODS}/kafka-2")
    admin.wait(PODS, lambda seen: _replaced(seen, old), "a new pod of broker 2")
    wait_until_well(admin, _BROKERS)


def _replaced(pods: Object, old: str) -> bool:
    return any(pod["metadata"]["name"] == "kafka-2" and pod["metadata"]["uid"] != old for pod in pods["items"])


def _lose_node(admin: Admin) -> None:
    node = _nodes(admin)[1]["metadata"]["name"]
    admin.patch(f"{NODES}/{node}", {"metadata": {"labels": {_NODE_LABEL: "true"}}})
    admin.wait(f"{NODES}/{node}", lambda seen: _ready(seen) is False, "the node to be lost")


def _lost(admin: Admin) -> Mapping[str, bool]:
    node = _nodes(admin)[1]["metadata"]["name"]
    return {f"node {node} is not ready": not _ready(admin.get(f"{NODES}/{node}"))}


def _find_node(admin: Admin) -> None:
    for node in _nodes(admin):
        if _NODE_LABEL in node["metadata"]["labels"]:
            path = f"{NODES}/{node['metadata']['name']}"
            admin.patch(path, {"metadata": {"labels": {_NODE_LABEL: None}}})
            admin.wait(path, lambda seen: _ready(seen) is True, "the node to be back", within=60)
    _renew_pod(admin)  # its pod was marked as not ready, and a simulated kubelet does not look at it again


def _ready(node: Object) -> bool:
    return any(
        condition["type"] == "Ready" and condition["status"] == "True"
        for condition in node["status"].get("conditions", ())
    )


FAULTS: Final[dict[str, ClusterFault]] = {
    "no-budget": ClusterFault("No disruption budget protects the brokers.", _drop_budget, _restore_budget, _no_budget),
    "toothless-budget": ClusterFault(
        "The disruption budget lets all brokers go at once.", _let_all_go, _restore_budget, _all_may_go
    ),
    "blocking-budget": ClusterFault(
        "The disruption budget lets no broker go.", _let_none_go, _restore_budget, _none_may_go
    ),
    "second-budget": ClusterFault(
        "Two disruption budgets select the brokers.", _second_budget, _drop_second_budget, _two_budgets
    ),
    "host-path": ClusterFault(
        "A broker's pod keeps its data in a folder of its node.", _mount_host_path, _drop_host_path, _on_host_path
    ),
    "one-zone": ClusterFault("All brokers' nodes are in one zone.", _one_zone, _own_zones, _in_one_zone),
    "crash-loop": ClusterFault("Broker 2's container ends again and again.", _crash_loop, _renew_pod, _crashing),
    "out-of-memory": ClusterFault(
        "Broker 2's container was killed for its memory.", _out_of_memory, _renew_pod, _killed
    ),
    "node-not-ready": ClusterFault("The node of broker 2 stops reporting.", _lose_node, _find_node, _lost),
}
"""Every fault by name."""


def in_lab(
    name: str,
) -> tuple[Callable[[LabState], None], Callable[[LabState], None], Callable[[LabState], Mapping[str, bool]]]:
    """Give a fault's three functions for a lab that has the part `kubernetes`."""
    fault = FAULTS[name]
    return (
        lambda lab: _asked(lab, fault.inject),
        lambda lab: _asked(lab, fault.heal),
        lambda lab: _asked(lab, fault.evident),
    )


def _asked(lab: LabState, question: Callable[[Admin], Answer]) -> Answer:
    state = lab.parts.get("kubernetes")
    if not state:
        raise LabError(
            f"Lab {lab.name} has no Kubernetes: start one with runbook lab up{option(lab.name)} --with kubernetes"
        )
    admin = Admin(msgspec.convert(state["plane"], Plane).file("admin.kubeconfig"))
    try:
        return question(admin)
    finally:
        admin.close()
