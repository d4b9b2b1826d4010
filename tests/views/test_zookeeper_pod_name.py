from typing import Any

from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.zookeeper_pod_name import VIEW, compute

PODS = {"pod": ["zk-0", "zk-1"], "subdomain": ["zk", "zk"]}
SERVICES: dict[str, list[Any]] = {"service": ["zk"], "pods": [["zk-0", "zk-1"]], "endpoints": [2], "external": [[]]}


def rows(*members: tuple[str, int, str], gaps: tuple[Gap, ...] = ()) -> list[tuple[Any, ...]]:
    names = ("server", "member", "host")
    member = Fact("zookeeper_member", {name: [member_[i] for member_ in members] for i, name in enumerate(names)})
    made = compute(
        member=member, pod=Fact("kubernetes_pod", PODS, list(gaps)), service=Fact("kubernetes_service", SERVICES)
    )
    return [(r["server"], r["member"], r["leads_to"], r["twins"]) for r in tabulate("x", VIEW.columns, made).rows()]


def test_a_members_name_leads_to_its_pod():
    assert rows(("a", 1, "zk-0.zk.ns.svc"), ("a", 2, "zk-1.zk")) == [("a", 1, ["zk-0"], []), ("a", 2, ["zk-1"], [])]


def test_members_that_lead_to_the_same_pod_are_named_by_the_server_that_says_so():
    assert rows(("a", 1, "zk-0.zk"), ("a", 2, "zk.ns.svc"), ("b", 1, "zk-0.zk")) == [
        ("a", 1, ["zk-0"], [2]),
        ("a", 2, ["zk-0", "zk-1"], [1]),
        ("b", 1, ["zk-0"], []),
    ]


def test_a_name_of_nobody_leads_to_no_pod():
    assert rows(("a", 1, "zk-7.zk.ns.svc"), ("a", 2, "10.0.0.1")) == [("a", 1, [], []), ("a", 2, [], [])]


def test_without_all_pods_nothing_is_said():
    assert rows(("a", 1, "zk-0.zk"), gaps=(Gap("we may not list pods"),)) == []
