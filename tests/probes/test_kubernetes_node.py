import pytest

from runbook.model.errors import Denied
from support.recorded_kubernetes import Played

NODES = "/api/v1/nodes"


def test_nodes_tell_their_zone_use_and_room():
    fact = Played("healthy").observe("kubernetes_node")
    assert fact.complete
    rows = {row["node"]: row for row in fact.rows()}
    kafka, worker, governing = rows["kafka-1-rack-a"], rows["worker-rack-a"], rows["control-plane-rack-a"]
    assert (kafka["zone"], kafka["region"], kafka["instance_type"]) == ("rack-a", "lab", "lab.large")
    assert kafka["ready"]
    assert kafka["schedulable"]
    assert (kafka["taints"], kafka["dedicated"]) == (["dedicated=kafka:NoSchedule"], True)
    assert not worker["dedicated"]
    assert governing["control_plane"]
    assert not governing["dedicated"]
    assert (kafka["cpu"], kafka["memory"]) == (8000, 32 << 30)


def test_a_lost_node_is_not_ready_and_its_fault_reserves_nothing():
    row = Played("node-not-ready").row("kubernetes_node", node="kafka-2-rack-b")
    assert not row["ready"]
    assert any("not-ready" in taint or "unreachable" in taint for taint in row["taints"])
    played = Played("node-not-ready")
    node = played.item(NODES, "kafka-2-rack-b")
    node["spec"]["taints"] = [taint for taint in node["spec"]["taints"] if taint["key"] != "dedicated"]
    assert not played.row("kubernetes_node", node="kafka-2-rack-b")["dedicated"]


def test_pressure_cordon_and_provider_are_told():
    played = Played("healthy")
    node = played.item(NODES, "worker-rack-a")
    node["status"]["conditions"].append({"type": "DiskPressure", "status": "True"})
    node["spec"] |= {"unschedulable": True, "providerID": "aws:///eu-west-1a/i-0abc"}
    node["metadata"]["labels"].pop("topology.kubernetes.io/zone")
    row = played.row("kubernetes_node", node="worker-rack-a")
    assert (row["pressure"], row["schedulable"], row["provider"], row["zone"]) == (["DiskPressure"], False, "aws", "")


def test_conditions_that_are_to_be_true_are_no_pressure():
    played = Played("healthy")
    node = played.item(NODES, "worker-rack-a")
    node["status"]["conditions"] += [{"type": kind, "status": "True"} for kind in ("KernelReady", "EtcdIsVoter")]
    assert played.row("kubernetes_node", node="worker-rack-a")["pressure"] == []


def test_a_refusal_says_what_a_role_would_have_to_grant():
    played = Played("healthy")
    played.statuses[NODES] = 403
    with pytest.raises(Denied, match="list nodes in the cluster"):
        played.observe("kubernetes_node")


def test_a_condition_of_no_type_is_none_that_anybody_knows():
    played = Played("healthy")
    played.items("/api/v1/nodes")[0].setdefault("status", {})["conditions"] = [{"status": "True"}]
    assert [row for row in played.observe("kubernetes_node").rows() if "" in row["pressure"]]


def test_what_a_node_does_not_tell_of_its_room_is_unknown():
    played = Played("healthy")
    first = played.items("/api/v1/nodes")[0]
    del first["status"]["allocatable"]
    row = played.row("kubernetes_node", node=first["metadata"]["name"])
    assert (row["cpu"], row["memory"]) == (None, None)
