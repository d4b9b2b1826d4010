import datetime as dt
from typing import Any

import pytest

from support.recorded_kubernetes import Played
from support.strimzi_played import CLAIMS, KAFKAS, PODS, POOLS, SETS, platform

POD = "orders-brokers-3"
GIB = 1 << 30


def node(played: Played) -> dict[str, Any]:
    return played.row("strimzi_node", pod=POD)


def ago(minutes: float) -> str:
    return (dt.datetime.now(dt.UTC) - dt.timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")


def test_a_pod_is_told_beside_what_is_asked_of_it():
    row = node(platform())
    assert (row["kafka"], row["pool"], row["wanted"], row["current"]) == ("orders", "brokers", True, True)
    assert (row["version"], row["wanted_version"]) == ("4.2.0", "4.2.0")
    assert (row["memory"], row["wanted_memory"]) == (16 * GIB, 16 * GIB)
    assert (row["heap"], row["wanted_heap"]) == (0, 0)
    assert (row["storage"], row["wanted_storage"], row["why"]) == (500 * GIB, 500 * GIB, "")


def test_pods_of_others_are_no_rows():
    fact = platform().observe("strimzi_node")
    assert len(fact) == 15
    assert not [pod for pod in fact.columns["pod"] if "entity-operator" in pod]


def test_what_runs_and_what_is_asked_for_are_told_apart():
    played = platform()
    pod = played.item(PODS, POD)
    pod["metadata"]["annotations"] |= {"strimzi.io/kafka-version": "4.1.0"}
    container = pod["spec"]["containers"][0]
    container["resources"]["limits"] = {"memory": "8Gi"}
    container["env"] = [{"name": "KAFKA_HEAP_OPTS", "value": "-Xms1g -Xmx2g"}]
    played.item(CLAIMS, f"data-0-{POD}")["status"]["capacity"]["storage"] = "100Gi"
    played.item(KAFKAS, "orders")["spec"]["kafka"]["version"] = "4.3.0"
    spec = played.item(POOLS, "brokers")["spec"]
    spec["resources"] = {"limits": {"memory": "12Gi"}}
    spec["jvmOptions"] = {"-Xmx": "5g"}
    spec["storage"]["volumes"][0]["size"] = "600Gi"
    row = node(played)
    assert (row["version"], row["wanted_version"]) == ("4.1.0", "4.3.0")
    assert (row["memory"], row["wanted_memory"]) == (8 * GIB, 12 * GIB)
    assert (row["heap"], row["wanted_heap"]) == (2 * GIB, 5 * GIB)
    assert (row["storage"], row["wanted_storage"]) == (100 * GIB, 600 * GIB)


def test_the_storage_of_all_volumes_is_added_up():
    played = platform()
    pod = played.item(PODS, POD)
    pod["spec"]["volumes"].append({"name": "data-1", "persistentVolumeClaim": {"claimName": "data-1"}})
    waiting = {"metadata": {"name": "data-1"}, "spec": {"resources": {"requests": {"storage": "100Gi"}}}}
    played.items(CLAIMS).append(waiting)
    storage = played.item(POOLS, "brokers")["spec"]["storage"]
    storage["volumes"] += [{"id": 1, "type": "persistent-claim", "size": "300Gi"}, {"id": 2, "type": "ephemeral"}]
    row = node(played)
    assert (row["storage"], row["wanted_storage"]) == (600 * GIB, 800 * GIB)


@pytest.mark.parametrize("annotation", ["strimzi.io/revision", "strimzi.io/resource-revision"])
def test_a_pod_of_another_revision_is_not_current(annotation: str):
    played = platform()
    for pod in played.item(SETS, "orders-brokers")["spec"]["pods"]:
        pod["metadata"]["annotations"] = pod["metadata"]["annotations"] | {annotation: "b1c2d3e4"}
    assert node(played)["current"] is False


def test_a_pod_that_tells_no_revision_is_neither():
    played = platform()
    played.item(PODS, POD)["metadata"]["annotations"] = {}
    row = node(played)
    assert (row["current"], row["version"]) == (None, "")
    assert "has no revision" in row["why"]


def test_a_pod_that_no_set_lists_is_not_wanted():
    played = platform()
    pods = played.item(SETS, "orders-brokers")["spec"]["pods"]
    pods[:] = [pod for pod in pods if pod["metadata"]["name"] != POD]
    row = node(played)
    assert (row["wanted"], row["current"]) == (False, None)
    assert "no pod set lists it" in row["why"]


def test_when_a_roll_moved_last_is_the_newest_of_the_set_and_of_pods_of_the_cluster():
    played = platform()
    played.item(PODS, "orders-brokers-7")["status"] = played.item(PODS, POD)["status"] | {"startTime": ago(20)}
    assert node(played)["moved"] == pytest.approx(20, abs=1)
    played.kubernetes.close()
    played = platform()
    written = [{"time": ago(5), "fieldsV1": {"f:spec": {}}}, {"time": ago(1), "fieldsV1": {"f:status": {}}}]
    played.item(SETS, "orders-brokers")["metadata"]["managedFields"] = written
    assert node(played)["moved"] == pytest.approx(5, abs=1)


@pytest.mark.parametrize(("path", "name"), [(KAFKAS, "orders"), (POOLS, "brokers")])
def test_what_was_asked_for_anew_has_moved_before_anything_is_rolled(path: str, name: str):
    played = platform()
    written = [{"time": ago(3), "fieldsV1": {"f:spec": {}}}]
    played.item(path, name)["metadata"]["managedFields"] = written
    assert node(played)["moved"] == pytest.approx(3, abs=1)


def test_a_claim_that_is_not_there_holds_nobody_knows_what():
    played = platform()
    played.items(CLAIMS).remove(played.item(CLAIMS, f"data-0-{POD}"))
    row = node(played)
    assert row["storage"] is None
    assert f"the claim data-0-{POD} is not there" in row["why"]


def test_a_pod_of_a_cluster_that_is_gone_is_asked_for_nothing_that_is_known():
    played = platform()
    played.items(KAFKAS).clear()
    row = node(played)
    assert (row["wanted_memory"], row["wanted_heap"], row["wanted_storage"]) == (None, None, None)
    assert "no Kafka resource orders" in row["why"]


def test_without_pod_sets_the_question_has_no_meaning():
    played = platform()
    del played.answers["/apis/core.strimzi.io"]
    assert "no resources of core.strimzi.io" in played.observe("strimzi_node").inapplicable
