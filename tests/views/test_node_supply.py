from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.node_supply import VIEW, compute

NAMES = ("zone", "ready", "schedulable", "control_plane", "dedicated", "provider")


def test_only_workers_that_are_ready_and_take_pods_count():
    nodes = [
        ("a", True, True, False, False, "aws"),
        ("b", True, True, False, True, ""),
        ("c", False, True, False, False, "aws"),
        ("d", True, False, False, False, "gce"),
        ("a", True, True, True, False, ""),
        ("b", False, True, True, False, ""),
    ]
    node = Fact("kubernetes_node", {name: [node[i] for node in nodes] for i, name in enumerate(NAMES)})
    [row] = tabulate("x", VIEW.columns, compute(node=node)).rows()
    assert (row["nodes"], row["workers"], row["dedicated"], row["zones"]) == (6, 2, 1, ["a", "b"])
    assert (row["control_plane"], row["control_plane_ready"]) == (2, 1)
    assert row["providers"] == ["aws", "gce"]


def test_no_nodes_are_a_row_of_zeros():
    node = Fact("kubernetes_node", {name: [] for name in NAMES})
    [row] = tabulate("x", VIEW.columns, compute(node=node)).rows()
    assert (row["nodes"], row["workers"], row["zones"]) == (0, 0, [])


def test_nodes_that_were_not_all_seen_are_not_counted():
    node = Fact("kubernetes_node", {name: [] for name in NAMES}, [Gap("we may not list nodes in the cluster")])
    assert compute(node=node).rows == ()
