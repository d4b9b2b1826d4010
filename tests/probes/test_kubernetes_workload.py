from support.recorded_kubernetes import Played

SETS = "/apis/apps/v1/namespaces/kafka/statefulsets"


def test_a_stateful_set_tells_its_pods_and_how_they_are_replaced():
    row = Played("healthy").row("kubernetes_workload", kind="StatefulSet", workload="kafka")
    assert row["roles"] == ["broker", "controller"]
    assert (row["replicas"], row["ready"], row["updated"], row["observed"]) == (3, 3, 3, True)
    assert (row["strategy"], row["partition"], row["pod_management"]) == ("RollingUpdate", 0, "Parallel")
    assert (row["min_ready_seconds"], row["service"], row["claim_templates"]) == (10, "kafka-brokers", 1)
    assert (row["claims_when_deleted"], row["claims_when_scaled"]) == ("Retain", "Retain")


def test_a_deployment_tells_its_surge():
    row = Played("healthy").row("kubernetes_workload", kind="Deployment", workload="connect")
    assert (row["max_unavailable"], row["max_surge"], row["partition"]) == ("0", "1", -1)
    assert (row["replicas"], row["ready"], row["roles"]) == (2, 2, [])


def test_a_crash_shows_as_a_pod_that_is_missing():
    assert Played("crash-loop").row("kubernetes_workload", workload="kafka")["ready"] == 2


def test_a_specification_nobody_has_seen_yet_is_told():
    played = Played("healthy")
    played.item(SETS, "kafka")["metadata"]["generation"] += 1
    assert played.row("kubernetes_workload", workload="kafka")["observed"] is False


def test_a_pod_set_of_strimzi_is_a_workload():
    played = Played("everything")
    pods = [{"metadata": {"name": f"orders-dual-{n}", "labels": {"strimzi.io/broker-role": "true"}}} for n in range(3)]
    played.answers["/apis/core.strimzi.io"] = {"versions": [{"version": "v1beta2"}]}
    played.answers["/apis/core.strimzi.io/v1beta2/namespaces/kafka/strimzipodsets"] = {
        "kind": "StrimziPodSetList",
        "metadata": {},
        "items": [
            {
                "metadata": {"name": "orders-dual", "generation": 4},
                "spec": {"pods": pods},
                "status": {"pods": 3, "readyPods": 2, "currentPods": 3, "observedGeneration": 4},
            }
        ],
    }
    played.kubernetes.roles._given.pop("broker")
    played.kubernetes.roles._known["broker"] = [()]
    row = played.row("kubernetes_workload", kind="StrimziPodSet")
    assert (row["replicas"], row["ready"], row["updated"], row["observed"]) == (3, 2, 3, True)
    assert row["strategy"] == "operator"
