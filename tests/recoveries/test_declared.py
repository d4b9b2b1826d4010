"""What built-in causes declare of rows without them, where that is more than a value for some rows."""

from typing import Any

import pytest

from runbook.model.fact import Fact
from support.declared import without
from support.kafka_facts import fact


def columns(made: Fact, *names: str) -> tuple[list[Any], ...]:
    return tuple(made.columns[name] for name in names)


def test_topics_that_asked_for_all_copies_ask_for_one_less_and_one_copy_is_asked_for_still() -> None:
    cause, found = "ha/topic-asks-for-all-copies", ["orders", "alone"]
    rows = [("orders", [1, 2, 3], 3), ("orders", [1, 2, 3], None), ("alone", [1], 2), ("other", [1, 2], 2)]
    partitions = [
        {"topic": topic, "partition": n, "replicas": replicas, "needs": least, "min_insync_replicas": least}
        for n, (topic, replicas, least) in enumerate(rows)
    ]
    made = without(cause, fact("kafka_partition", partitions), partition__topic=found)
    assert columns(made, "needs", "min_insync_replicas") == ([2, None, 1, 2], [2, None, 1, 2])
    settings = [("orders", 3, 3), ("alone", 1, 2), ("other", 2, 2), ("orders", None, 3)]
    names = ("name", "replication_factor", "min_insync_replicas")
    topics = fact("kafka_topic", [dict(zip(names, row, strict=True)) for row in settings])
    made = without(cause, topics, partition__topic=found)
    assert made.columns["min_insync_replicas"] == [2, 1, 2, None]


def test_a_volume_without_anything_of_others_has_the_room_that_kafka_leaves() -> None:
    volumes = [
        ("/a", 20, 100, 1),
        ("/a", 100, 100, 1),
        ("/a", 20, None, None),
        ("/a", None, 100, 1),
        ("/b", 20, 100, 1),
    ]
    names = ("path", "replica_bytes", "total_bytes", "usable_bytes")
    seen = fact("kafka_log_dir", [dict(zip(names, row, strict=True)) for row in volumes])
    made = without("ha/log-directory-is-nearly-full", seen, log_dir__path=["/a"])
    assert made.columns["usable_bytes"] == [80, 1, None, None, 1]


@pytest.mark.parametrize(
    ("cells", "after"),
    [
        pytest.param({"committed": 30}, (50, 0.0, 50, 0), id="who was held has read on"),
        pytest.param({"committed": 10}, (50, 0.0, 10, 20), id="who stands before it stands there still"),
        pytest.param({"committed": 29}, (50, 0.0, 50, 0), id="who stands at the marker before it has read on"),
        pytest.param(
            {"commits": False, "committed": None, "lag": None},
            (30, 900.0, None, None),
            id="whether one commits without it is not known",
        ),
        pytest.param({"topic": "clicks"}, (30, 900.0, 30, 20), id="another topic stays"),
        pytest.param({"stable": 50}, (50, 900.0, 30, 20), id="a partition without a transaction stays"),
        pytest.param({"stable": None}, (None, None, None, None), id="whether there is one is not known"),
    ],
)
def test_of_a_transaction_that_has_ended(cells: dict[str, Any], after: tuple[Any, ...]) -> None:
    row = {"group": "g", "topic": "orders", "stable": 30, "end": 50, "open_least": 900.0, "committed": 30, "lag": 20}
    row |= {"commits": True}
    seen = fact("kafka_group_lag", [row | cells])
    made = without("consumers/a-transaction-holds-a-partition", seen, progress__topic=["orders"])
    assert columns(made, "stable", "open_least", "committed", "lag") == tuple([cell] for cell in after)


def test_members_without_a_partition_leave_and_others_stay() -> None:
    rows = [{"group": "billing", "members": 6, "idle": 2}, {"group": "shop", "members": 3, "idle": 1}]
    made = without("consumers/more-members-than-partitions", fact("kafka_group", rows), group__group=["billing"])
    assert columns(made, "members", "idle") == ([4, 3], [0, 1])


def test_segments_are_closed_within_the_retention() -> None:
    settings = [("sessions", 3_600, 7), ("sessions", -1, 7), ("sessions", 5, 7), ("other", 5, 7), ("sessions", 5, None)]
    names = ("name", "retention_ms", "segment_ms")
    seen = fact("kafka_topic", [dict(zip(names, row, strict=True)) for row in settings])
    made = without("topics/old-records-wait-in-an-open-segment", seen, kept__topic=["sessions"])
    assert made.columns["segment_ms"] == [7, 7, 5, 7, None]


def test_without_collections_that_were_asked_for_what_was_forced_stays_and_pauses_are_not_known() -> None:
    cells = {"file": "f", "asked_for": 5, "forced": 1, "longest": 900.0, "lost": 6.0}
    seen = fact("jvm_gc_log", [{"broker": node, **cells} for node in (1, 2)])
    made = without("gc/collections-are-asked-for", seen, gc__broker=[1])
    assert columns(made, "file", "asked_for", "forced") == (["f", "f"], [0, 5], [1, 1])
    assert columns(made, "longest", "lost") == ([None, 900.0], [None, 6.0])


def test_an_operator_that_runs_has_one_pod_at_least() -> None:
    deployments = [("scaled-down", 0, 0), ("broken", 2, 0), ("untold", None, 0), ("other", 1, 0)]
    seen = fact("strimzi_component", [{"deployment": name, "replicas": n, "ready": r} for name, n, r in deployments])
    found = ["scaled-down", "broken", "untold"]
    made = without("kubernetes/an-operator-is-down", seen, component__deployment=found)
    assert columns(made, "replicas", "ready") == ([1, 2, None, 1], [1, 2, None, 0])


def test_a_pod_that_is_gone_is_in_no_row_and_among_nobodys_pods() -> None:
    cause = "kubernetes/bare-pod-has-broker-labels"
    pods = fact("kubernetes_pod", [{"pod": "p"}, {"pod": "q"}])
    assert without(cause, pods, pod__pod=["p"]).columns["pod"] == ["q"]
    service = without(
        cause, fact("kubernetes_service", [{"service": "s", "pods": ["p", "q"], "endpoints": 1}]), pod__pod=["p"]
    )
    assert columns(service, "pods", "endpoints") == ([["q"]], [1])
    budgets = [{"budget": "b", "pods": ["p", "q"], "expected": 2}, {"budget": "c", "pods": ["q"], "expected": 2}]
    budget = without(cause, fact("kubernetes_disruption_budget", budgets), pod__pod=["p"])
    assert columns(budget, "pods", "expected") == ([["q"], ["q"]], [None, 2])


def test_a_node_that_is_ready_has_no_taint_of_a_fault_and_its_pods_that_wait_for_nothing_are_ready() -> None:
    cause, taints = "kubernetes/node-of-a-broker-is-lost", ["a=b:NoSchedule", "node.kubernetes.io/x=:NoExecute"]
    nodes = [{"node": node, "ready": False, "pressure": ["DiskPressure"], "taints": taints} for node in "nm"]
    made = without(cause, fact("kubernetes_node", nodes), pod__node=["n"])
    assert columns(made, "ready", "pressure", "taints") == (
        [True, False],
        [[], ["DiskPressure"]],
        [["a=b:NoSchedule"], taints],
    )
    states = [("n", "Running", ""), ("n", "Running", "CrashLoopBackOff"), ("n", "Pending", ""), ("m", "Running", "")]
    pods = [
        {"pod": f"p-{n}", "node": node, "phase": phase, "waiting": waiting, "ready": False}
        for n, (node, phase, waiting) in enumerate(states)
    ]
    assert without(cause, fact("kubernetes_pod", pods), pod__node=["n"]).columns["ready"] == [True, False, False, False]


def test_a_subject_with_the_level_of_a_registry_that_had_none_may_have_it_as_its_own() -> None:
    subjects = fact("schema_subject", [{"subject": f"s-{level}", "compatibility": level} for level in ("NONE", "FULL")])
    made = without("schema-governance/registry-guards-nothing", subjects, accord__compatibility=["NONE"])
    assert made.columns["compatibility"] == [None, "FULL"]


def test_only_what_everybody_may_do_with_everything_of_a_type_goes() -> None:
    cells = {
        "principal": "User:*",
        "permission": "Allow",
        "operation": "All",
        "resource_type": "Topic",
        "resource": "*",
    }
    kept = [
        cells | other
        for other in (
            {"principal": "User:a"},
            {"permission": "Deny"},
            {"operation": "Read"},
            {"resource_type": "Group"},
            {"resource": "t"},
        )
    ]
    found = {"acl__resource_type": ["Topic"], "acl__operation": ["All"]}
    left = without("security/an-acl-opens-everything-to-all-users", fact("kafka_acl", [cells, *kept]), **found)
    assert left == fact("kafka_acl", kept)


def test_what_is_denied_to_a_principal_or_to_everybody_is_gone_and_other_acls_stay() -> None:
    acls = [("User:a", "Deny"), ("User:*", "Deny"), ("User:b", "Deny"), ("User:a", "Allow")]
    seen = fact("kafka_acl", [{"principal": who, "permission": permission} for who, permission in acls])
    left = without("security/a-deny-takes-a-right", seen, right__principal=["User:a"])
    assert list(zip(*columns(left, "principal", "permission"), strict=True)) == acls[2:]
