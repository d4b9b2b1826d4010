from typing import Any

from runbook.model.fact import Fact, Observed, tabulate
from runbook.views.pod_placement import VIEW, compute

ZONES = {"n1": "a", "n2": "b", "n3": "c", "n4": "a", "n5": ""}


CLUSTERS = "pods of 2 Kafka clusters, orders, payments: name one by `cluster` of kubernetes in the inventory"


def placed(*pods: tuple[str, list[str], str, bool], zones: dict[str, str] = ZONES) -> tuple[dict[str, Any], Observed]:
    names = ("pod", "roles", "node", "ready")
    columns = {name: [pod[i] for pod in pods] for i, name in enumerate(names)}
    pod = Fact("kubernetes_pod", columns | {"cluster": [name.rpartition("/")[0] for name in columns["pod"]]})
    dedicated = [name in ("n1", "n2") for name in zones]
    node = Fact("kubernetes_node", {"node": list(zones), "zone": list(zones.values()), "dedicated": dedicated})
    observed = compute(pod=pod, node=node)
    return {row["role"]: row for row in tabulate("x", VIEW.columns, observed).rows()}, observed


def broker(name: str, node: str, *, ready: bool = True) -> tuple[str, list[str], str, bool]:
    return name, ["broker"], node, ready


def test_three_brokers_in_three_zones():
    row = placed(broker("k1", "n1"), broker("k2", "n2"), broker("k3", "n3", ready=False))[0]["broker"]
    assert (row["pods"], row["ready"], row["nodes"], row["zones"]) == (3, 2, ["n1", "n2", "n3"], ["a", "b", "c"])
    assert (row["crowded"], row["largest_zone"], row["smallest_zone"], row["zoneless"]) == ([], 1, 1, [])
    assert (row["more_zones"], row["zoneless_why"]) == (False, "")
    assert row["open"] == ["n3"]


def test_two_on_one_node_and_one_on_none_are_named():
    row = placed(broker("k1", "n1"), broker("k2", "n1"), broker("k3", ""))[0]["broker"]
    assert (row["crowded"], row["unplaced"], row["largest_zone"]) == (["n1"], ["k3"], 2)


def test_a_node_without_a_zone_is_named_and_is_in_none():
    row = placed(broker("k1", "n5"), broker("k2", "n4"))[0]["broker"]
    assert (row["zoneless"], row["zones"]) == (["n5"], ["a"])
    assert (row["more_zones"], row["largest_zone"], row["smallest_zone"]) == (None, None, None)
    assert row["zoneless_why"] == "no label topology.kubernetes.io/zone on n5"


def test_nodes_shared_with_the_quorum_and_combined_pods_are_named():
    rows, _ = placed(
        broker("k1", "n1"), ("z1", ["zookeeper"], "n1", True), ("c1", ["broker", "controller"], "n2", True)
    )
    assert rows["broker"]["shared"] == ["n1"]
    assert rows["broker"]["combined"] == ["c1"]
    assert rows["controller"]["pods"] == 1
    assert rows["zookeeper"]["shared"] == ["n1"]


def test_a_node_that_was_not_seen_is_a_gap():
    rows, observed = placed(broker("k1", "n9"))
    assert [gap.keys for gap in observed.gaps] == [{"node": "n9"}]
    assert [(row["open"], row["zones"], row["more_zones"]) for row in rows.values()] == [(None, None, None)]


def test_pods_of_other_kinds_are_left_out():
    assert placed(("app-1", [], "n1", True))[0] == {}


def test_pods_of_two_clusters_are_not_counted_together():
    rows, observed = placed(broker("orders/k1", "n1"), broker("payments/k1", "n1"))
    assert rows == {}
    assert [gap.reason for gap in observed.gaps] == [CLUSTERS]


def test_what_is_nothing_to_kafka_is_of_no_cluster():
    assert placed(broker("orders/k1", "n1"), ("connect/w", [], "n1", True))[1].gaps == []
