from typing import Any

import pytest

from runbook.model.gap_kind import GapKind
from support.strimzi_played import KAFKAS, POOLS, platform

GIB = 1 << 30


def pool(**changed: Any) -> dict[str, Any]:
    """The row of the brokers' pool, parts of its `spec` set."""
    played = platform()
    played.item(POOLS, "brokers")["spec"] |= changed
    return played.row("node_declaration", pool="brokers")


def test_a_pool_tells_what_it_asks_for():
    row = pool()
    assert (row["kafka"], row["version"], row["replicas"], row["roles"]) == ("orders", "v1", 12, ["broker"])
    assert (row["volumes"], row["ephemeral"], row["deleted"]) == (1, [], [])
    assert (row["sizes"], row["smallest"], row["classes"]) == (["500Gi"], 500 * GIB, ["gp3"])
    assert (row["cpu_request"], row["memory_request"], row["memory_limit"]) == (2000, 16 * GIB, 16 * GIB)
    assert (row["heap_min"], row["heap_max"]) == (0, 0)


def test_volumes_are_told_apart():
    volumes = [
        {"id": 0, "type": "persistent-claim", "size": "100Gi", "deleteClaim": True},
        {"id": 1, "type": "persistent-claim", "size": "50Gi", "class": "fast"},
        {"id": 2, "type": "ephemeral", "sizeLimit": "1Gi"},
    ]
    row = pool(storage={"type": "jbod", "volumes": volumes})
    assert (row["volumes"], row["ephemeral"], row["deleted"]) == (3, ["2"], ["0"])
    assert (row["sizes"], row["smallest"], row["classes"]) == (["100Gi", "50Gi"], 50 * GIB, ["fast"])


def test_the_only_volume_need_not_be_in_a_list():
    row = pool(storage={"type": "persistent-claim", "size": "1Ti", "deleteClaim": True})
    assert (row["volumes"], row["deleted"], row["smallest"]) == (1, ["-"], 1024 * GIB)
    row = pool(storage={"type": "ephemeral"})
    assert (row["volumes"], row["ephemeral"], row["sizes"], row["smallest"]) == (1, ["-"], [], 0)


def test_requests_and_limits_are_told_apart():
    resources = {"requests": {"cpu": "500m", "memory": "1Gi"}, "limits": {"cpu": "4", "memory": "2Gi"}}
    row = pool(resources=resources)
    assert (row["cpu_request"], row["memory_request"], row["memory_limit"]) == (500, GIB, 2 * GIB)


def test_what_has_a_limit_and_asks_for_nothing_asks_for_that():
    row = pool(resources={"requests": {"cpu": "500m"}, "limits": {"cpu": "4", "memory": "2Gi"}})
    assert (row["cpu_request"], row["memory_request"], row["memory_limit"]) == (500, 2 * GIB, 2 * GIB)


@pytest.mark.parametrize(("written", "size"), [("2g", 2 * GIB), ("2048M", 2 * GIB), ("512m", GIB // 2), ("1024", 1024)])
def test_the_heap_is_read_as_java_reads_it(written: str, size: int):
    row = pool(jvmOptions={"-Xmx": written, "-Xms": "1g"})
    assert (row["heap_max"], row["heap_min"]) == (size, GIB)


def test_a_heap_that_is_no_size_is_refused():
    played = platform()
    played.item(POOLS, "brokers")["spec"]["jvmOptions"] = {"-Xmx": "much"}
    fact = played.observe("node_declaration")
    assert "brokers" not in fact.columns["pool"]
    assert [gap.kind for gap in fact.gaps] == [GapKind.GARBLED]
    assert "'much' as -Xmx" in str(fact.gaps[0].reason)


@pytest.mark.parametrize(("version", "memory"), [("v1beta2", 5 * GIB), ("v1", 0)])
def test_what_a_pool_leaves_out_its_cluster_says(version: str, memory: int):
    """Resources only before v1, which has none in a Kafka resource: Strimzi's definitions of 0.51 and 1.2."""
    played = platform()
    brokers = played.item(POOLS, "brokers")
    del brokers["spec"]["resources"]
    brokers["apiVersion"] = f"kafka.strimzi.io/{version}"
    kafka = played.item(KAFKAS, "orders")["spec"]["kafka"]
    kafka |= {"jvmOptions": {"-Xmx": "3g"}, "resources": {"requests": {"memory": "5Gi"}}}
    row = played.row("node_declaration", pool="brokers")
    assert (row["heap_max"], row["memory_request"], row["cpu_request"]) == (3 * GIB, memory, 0)


def spread(key: str, selector: dict[str, str], *, hard: bool = True) -> dict[str, Any]:
    """A template with a spread constraint."""
    when = "DoNotSchedule" if hard else "ScheduleAnyway"
    constraint = {"topologyKey": key, "whenUnsatisfiable": when, "labelSelector": {"matchLabels": selector}}
    return {"pod": {"topologySpreadConstraints": [constraint]}}


KAFKAS_PODS = {"strimzi.io/name": "orders-kafka", "strimzi.io/broker-role": "true"}


@pytest.mark.parametrize(
    ("template", "apart"),
    [
        (spread("zone", KAFKAS_PODS), ["zone"]),
        (spread("zone", KAFKAS_PODS, hard=False), []),
        (spread("zone", {"strimzi.io/pool-name": "others"}), []),
        ({"pod": {}}, []),
        ({"podSet": {}}, ["kubernetes.io/hostname"]),
        (None, ["kubernetes.io/hostname"]),
        ({"pod": {"tolerations": [{"key": "kafka"}]}}, []),
    ],
)
def test_a_pools_own_template_is_in_place_of_its_clusters(template: dict[str, Any] | None, apart: list[str]):
    played = platform()
    spec = played.item(POOLS, "brokers")["spec"]
    played.item(KAFKAS, "orders")["spec"]["kafka"]["template"] = spec.pop("template")
    if template is not None:
        spec["template"] = template
    assert played.row("node_declaration", pool="brokers")["apart"] == apart


def test_a_pool_of_a_cluster_of_another_namespace_takes_nothing_from_it():
    played = platform()
    played.item(POOLS, "brokers")["metadata"]["namespace"] = "other"
    played.item(KAFKAS, "orders")["spec"]["kafka"]["jvmOptions"] = {"-Xmx": "3g"}
    alone = played.row("node_declaration", pool="brokers")
    assert alone["heap_max"] is None  # which its Kafka resource would say
    assert "Kafka" in alone["why"]


def test_before_there_were_pools_the_cluster_had_their_storage():
    played = platform()
    played.items(POOLS).clear()
    spec = played.item(KAFKAS, "orders")["spec"]
    spec["kafka"] |= {"replicas": 3, "storage": {"type": "ephemeral"}}
    spec["zookeeper"] = {"replicas": 5, "storage": {"type": "persistent-claim", "size": "1Gi", "deleteClaim": True}}
    brokers, ensemble = (played.row("node_declaration", pool=named) for named in ("kafka", "zookeeper"))
    assert (brokers["roles"], brokers["replicas"], brokers["ephemeral"]) == (["broker"], 3, ["-"])
    assert (ensemble["roles"], ensemble["replicas"], ensemble["deleted"]) == (["zookeeper"], 5, ["-"])


def test_a_pool_of_nobody_says_so():
    played = platform()
    played.item(POOLS, "brokers")["metadata"]["labels"] = {}
    assert played.row("node_declaration", pool="brokers")["kafka"] == ""


def test_without_strimzi_the_question_has_no_meaning():
    played = platform()
    del played.answers[POOLS], played.answers[KAFKAS]
    assert "no kafkanodepools.kafka.strimzi.io" in played.observe("node_declaration").inapplicable
