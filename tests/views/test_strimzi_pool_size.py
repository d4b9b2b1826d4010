from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.strimzi_pool_size import VIEW, compute

POOLS = Fact(
    "pool",
    {
        "namespace": ["here"] * 3,
        "pool": ["a", "b", "zookeeper"],
        "kafka": ["orders"] * 3,
        "replicas": [2, 3, 3],
        "roles": [["broker"], ["controller"], ["zookeeper"]],
    },
)

STATUS = Fact(
    "status",
    {
        "namespace": ["here"] * 3,
        "kind": ["KafkaNodePool", "KafkaTopic", "KafkaNodePool"],
        "resource": ["a", "b", "zookeeper"],
        "age": [7.5, 1.0, 2.0],
    },
)


def nodes(*rows: tuple[str, str, str, bool], namespace: str = "here") -> Fact:
    names = ("pod", "pool", "kafka", "wanted")
    columns = {name: [row[i] for row in rows] for i, name in enumerate(names)}
    return Fact("node", columns | {"namespace": [namespace] * len(rows)})


def test_the_pods_of_each_pool_are_counted():
    seen = nodes(
        ("a-0", "a", "orders", True),
        ("a-1", "a", "orders", True),
        ("b-2", "b", "orders", True),
        ("b-3", "b", "orders", False),
        ("a-9", "a", "payments", True),
    )
    rows = list(tabulate("x", VIEW.columns, compute(pool=POOLS, status=STATUS, node=seen)).rows())
    assert [(row["pool"], row["kafka"], row["asked"], row["pods"]) for row in rows] == [
        ("a", "orders", 2, 2),
        ("b", "orders", 3, 1),
    ]
    assert [row["left_over"] for row in rows] == [[], ["b-3"]]
    assert [row["changed"] for row in rows] == [7.5, None]
    assert rows[1]["why"] == "when it was described is not reported"


def test_pods_of_another_namespace_are_of_another_pool():
    seen = nodes(("a-0", "a", "orders", True), namespace="there")
    rows = tabulate("x", VIEW.columns, compute(pool=POOLS, status=STATUS, node=seen)).rows()
    assert [row["pods"] for row in rows] == [0, 0]


def test_pods_that_were_not_all_seen_are_not_counted():
    seen = Fact("node", nodes().columns, [Gap("we may not list pods")])
    assert list(compute(pool=POOLS, status=STATUS, node=seen).rows) == []
