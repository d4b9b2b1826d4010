from typing import Any

import pytest

from runbook.answers.kubernetes.pod import heap
from runbook.model.errors import Garbled, Misconfigured
from support.recorded_kubernetes import Played

PODS = "/api/v1/namespaces/kafka/pods"


def broker(played: Played, name: str = "kafka-2") -> dict[str, Any]:
    return played.row("kubernetes_pod", pod=name)


def test_a_brokers_pod_tells_who_and_where_it_is():
    row = broker(Played("healthy"))
    assert (row["roles"], row["broker"], row["node"]) == (["broker", "controller"], 2, "kafka-2-rack-b")
    assert (row["phase"], row["ready"], row["waiting"], row["restarts"]) == ("Running", True, "", 0)
    assert (row["owner_kind"], row["owner"], row["subdomain"]) == ("StatefulSet", "kafka", "kafka-brokers")
    assert (row["last_exit"], row["minutes_since_exit"], row["minutes_since_restart"]) == ("", -1, -1)


def test_it_tells_what_it_may_use():
    row = broker(Played("healthy"))
    assert (row["cpu_request"], row["cpu_limit"]) == (2000, 4000)
    assert (row["memory_request"], row["memory_limit"]) == (8 << 30, 8 << 30)
    assert (row["heap_min"], row["heap_max"]) == (2 << 30, 2 << 30)
    assert row["env"] == ["KAFKA_HEAP_OPTS", "POD_NAME"]
    assert (row["qos"], row["priority_class"], row["grace_seconds"]) == ("Burstable", "kafka", 300)


def test_it_tells_when_it_counts_as_well():
    row = broker(Played("healthy"))
    assert (row["startup"], row["liveness"], row["readiness"]) == ("tcp", "tcp", "tcp")
    assert (row["startup_seconds"], row["liveness_seconds"]) == (1800, 60)


def test_it_tells_what_it_may_do_and_where_its_data_is():
    row = broker(Played("healthy"))
    assert row["non_root"]
    assert row["read_only_root"]
    assert not row["privileged"]
    assert not row["escalation"]
    assert not row["token_mounted"]
    assert row["pinned"]
    assert (row["claims"], row["host_paths"]) == (["data-kafka-2"], [])
    assert row["mounts"]["/var/lib/kafka"] == "claim data-kafka-2"
    assert row["mounts"]["/tmp"] == "emptyDir"


def test_it_tells_what_it_keeps_off():
    row = broker(Played("everything"))
    assert row["anti_affinity"] == ["kubernetes.io/hostname"]
    assert row["spread"] == ["topology.kubernetes.io/zone"]
    assert row["keeps_off"] == ["broker", "controller"]


@pytest.mark.parametrize(("skew", "keys"), [(1, ["kubernetes.io/hostname"]), (5, [])])
def test_a_spread_that_lets_several_pods_share_a_node_is_none(skew: int, keys: list[str]):
    played = Played("healthy")
    pod = played.item(PODS, "kafka-2")
    constraint = {"maxSkew": skew, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "DoNotSchedule"}
    selector = {"labelSelector": {"matchLabels": pod["metadata"]["labels"]}}
    pod["spec"]["topologySpreadConstraints"] = [constraint | selector]
    assert broker(played)["spread"] == keys


def test_single_files_and_sockets_of_agents_give_nothing_of_the_node_away():
    played = Played("healthy")
    paths = [
        {"path": "/etc/localtime"},
        {"path": "/var/run/datadog/apm.socket", "type": "Socket"},
        {"path": "/etc/ssl/bundle.pem", "type": "File"},
        {"path": "/data", "type": "DirectoryOrCreate"},
        {"path": "/mnt"},
        {"path": "/var/run/docker.sock", "type": "Socket"},
        {"path": "/dev/nvme1n1", "type": "BlockDevice"},
        {"path": "/dev/fuse", "type": "CharDevice"},
    ]
    played.item(PODS, "kafka-2")["spec"]["volumes"] += [
        {"name": f"of-node-{number}", "hostPath": path} for number, path in enumerate(paths)
    ]
    assert broker(played)["host_paths"] == ["/data", "/dev/fuse", "/dev/nvme1n1", "/mnt", "/var/run/docker.sock"]


def test_pods_of_other_kinds_are_rows_without_a_role():
    rows = {row["pod"]: row for row in Played("healthy").observe("kubernetes_pod").rows()}
    [connect] = [row for name, row in rows.items() if name.startswith("connect-")][:1]
    assert (connect["roles"], connect["broker"]) == ([], -1)
    assert connect["escalation"]


def test_a_role_narrows_the_rows():
    played = Played("everything")
    assert played.observe("kubernetes_pod", role="broker").columns["pod"] == ["kafka-1", "kafka-2", "kafka-3"]
    assert played.observe("kubernetes_pod", role="zookeeper").columns["pod"] == [f"zookeeper-{n}" for n in range(3)]
    assert len(played.observe("kubernetes_pod", role="quorum")) == 6
    assert len(played.observe("kubernetes_pod", role="kafka")) == 6


def test_a_crash_loop_is_told():
    row = broker(Played("crash-loop"))
    assert (row["ready"], row["waiting"], row["restarts"]) == (False, "CrashLoopBackOff", 17)
    assert row["last_exit_code"] == 1


def test_a_kill_for_memory_is_told():
    row = broker(Played("out-of-memory"))
    assert (row["last_exit"], row["last_exit_code"]) == ("OOMKilled", 137)
    assert row["minutes_since_exit"] > 0


def status_of(name: str, restarts: int, finished: str | None) -> dict[str, Any]:
    """The status of a container that was restarted; its last end as the kubelet tells it."""
    ended = {"exitCode": 1, "reason": "Error", "finishedAt": finished}
    return {"name": name, "restartCount": restarts, "state": {"running": {}}, "lastState": {"terminated": ended}}


def with_sidecars(*, noted: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """The row of a broker that was restarted, and the same with init containers and its own end long ago."""
    alone, played = Played("out-of-memory"), Played("out-of-memory")
    pod = played.item(PODS, "kafka-2")
    [main] = pod["status"]["containerStatuses"]
    at = main["lastState"]["terminated"]["finishedAt"]
    main["lastState"]["terminated"]["finishedAt"] = "2020-01-01T00:00:00Z"
    pod["spec"]["initContainers"] = [{"name": "proxy", "restartPolicy": "Always"}, {"name": "format"}]
    pod["status"]["initContainerStatuses"] = [status_of("proxy", 40, at if noted else None), status_of("format", 7, at)]
    return broker(alone), broker(played)


def test_restarts_of_sidecars_count_with_their_moments():
    alone, row = with_sidecars(noted=True)
    assert alone["minutes_since_restart"] == alone["minutes_since_exit"]
    assert (row["restarts"], row["minutes_since_restart"]) == (alone["restarts"] + 40, alone["minutes_since_exit"])
    assert row["minutes_since_exit"] > row["minutes_since_restart"]


def test_when_a_sidecar_ended_that_the_kubelet_lost_sight_of_is_not_known():
    _, row = with_sidecars(noted=False)
    assert row["minutes_since_restart"] is None


def test_when_a_restarted_sidecar_ended_of_which_no_end_is_noted_is_not_known():
    played = Played("out-of-memory")
    [main] = played.item(PODS, "kafka-2")["status"]["containerStatuses"]
    sidecar = {"name": "proxy", "restartCount": 1, "state": {"running": {}}, "lastState": {}}
    played.item(PODS, "kafka-2")["status"]["containerStatuses"] = [main, sidecar]
    row = broker(played)
    assert (row["restarts"], row["minutes_since_restart"]) == (main["restartCount"] + 1, None)
    assert row["minutes_since_exit"] > 0


def test_when_a_container_ended_that_the_kubelet_lost_sight_of_is_not_known():
    played = Played("out-of-memory")
    [status] = played.item(PODS, "kafka-2")["status"]["containerStatuses"]
    status["lastState"]["terminated"] = {"exitCode": 137, "reason": "ContainerStatusUnknown", "finishedAt": None}
    row = broker(played)
    assert (row["last_exit"], row["last_exit_code"]) == ("ContainerStatusUnknown", 137)
    assert row["minutes_since_exit"] is None


def test_a_folder_of_the_node_is_told():
    row = broker(Played("host-path"), "kafka-by-hand-9")
    assert row["host_paths"] == ["/var/lib/kafka"]
    assert (row["owner_kind"], row["broker"]) == ("", 9)


def test_a_pod_that_no_node_takes_says_so():
    played = Played("healthy")
    pod = played.item(PODS, "kafka-2")
    pod["spec"].pop("nodeName")
    pod["status"] = {
        "phase": "Pending",
        "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}],
    }
    row = broker(played)
    assert (row["waiting"], row["node"], row["ready"]) == ("Unschedulable", "", False)


@pytest.mark.parametrize("status", [{}, {"conditions": [{"type": "PodScheduled", "status": "True"}]}])
def test_a_pod_that_no_scheduler_or_kubelet_has_seen_waits_all_the_same(status: dict[str, Any]):
    played = Played("healthy")
    played.item(PODS, "kafka-2")["status"] = {"phase": "Pending"} | status
    assert broker(played)["waiting"] == "Pending"


def test_no_broker_at_all_is_no_good_news():
    said = r"none of the \d+ pods in namespace kafka of .* is a broker by its labels \(those of the inventory\): set"
    with pytest.raises(Misconfigured, match=said):
        Played("healthy", brokers="app=none").observe("kubernetes_pod", role="broker")


def test_a_namespace_without_pods_is_said_to_have_none():
    played = Played("healthy")
    played.answers["/api/v1/namespaces/kafka/pods"]["items"] = []
    with pytest.raises(Misconfigured, match=r"namespace kafka of .* has no pods: set `namespace` of kubernetes"):
        played.observe("kubernetes_pod", role="kafka")


@pytest.mark.parametrize("deleted", [None, "2026-10-05T08:00:00Z"])
def test_a_pod_that_is_being_deleted_takes_no_traffic_any_more(deleted: str | None):
    played = Played("healthy")
    played.item(PODS, "kafka-2")["metadata"]["deletionTimestamp"] = deleted
    row = broker(played)
    assert (row["phase"], row["ready"]) == (("Terminating", False) if deleted else ("Running", True))


def test_no_zookeeper_is_normal_unless_the_inventory_names_some():
    assert "no ZooKeeper" in Played("healthy").observe("kubernetes_pod", role="zookeeper").inapplicable
    with pytest.raises(Misconfigured, match="is a ZooKeeper server by its labels"):
        Played("healthy", zookeeper="app=none").observe("kubernetes_pod", role="zookeeper")


def test_controllers_that_nobody_names_are_not_known():
    played = Played("healthy", controllers="app=none")
    with pytest.raises(Misconfigured, match="or `controllers` or `zookeeper` to the labels"):
        played.observe("kubernetes_pod", role="quorum")


def test_an_unknown_role_is_refused():
    with pytest.raises(Misconfigured, match="did you mean broker"):
        Played("healthy").observe("kubernetes_pod", role="brokr")


def test_two_pods_that_look_like_one_broker_are_a_gap():
    played = Played("healthy")
    twin = played.item(PODS, "kafka-2") | {"metadata": {"name": "other-2", "labels": {"app": "kafka"}}}
    played.items(PODS).append(twin)
    fact = played.observe("kubernetes_pod", role="broker")
    assert [gap.keys for gap in fact.gaps] == [{"broker": 2}]


@pytest.mark.parametrize(
    ("name", "labels", "env", "offset", "node_id"),
    [
        ("kafka-4", {"app": "kafka"}, [], 0, 4),
        ("kafka-4", {"app": "kafka"}, [], 100, 104),
        ("orders-dual-7", {"app": "kafka", "strimzi.io/cluster": "orders"}, [], 100, 7),
        ("kafka-4", {"app": "kafka"}, [{"name": "KAFKA_NODE_ID", "value": "11"}], 0, 11),
        ("kafka-4", {"app": "kafka"}, [{"name": "KAFKA_NODE_ID", "valueFrom": {}}], 0, 4),
        ("kafka", {"app": "kafka"}, [], 0, None),
    ],
)
def test_the_node_id_is_told_from_environment_or_name(
    name: str, labels: dict[str, str], env: list[Any], offset: int, node_id: int | None
):
    played = Played("healthy", broker_offset=offset)
    pod = played.item(PODS, "kafka-2")
    pod["metadata"] |= {"name": name, "labels": labels}
    pod["spec"]["containers"][0]["env"] = env
    assert broker(played, name)["broker"] == node_id


@pytest.mark.parametrize(
    ("env", "low", "high"),
    [
        ([{"name": "KAFKA_HEAP_OPTS", "value": "-Xms512m -Xmx4G -XX:+UseG1GC"}], 512 << 20, 4 << 30),
        ([{"name": "KAFKA_HEAP_OPTS", "value": "-Xms=2G -Xmx=2G"}], 0, 0),
        ([{"name": "KAFKA_HEAP_OPTS", "value": "-Xmx2097152"}], 0, 2097152),
        ([{"name": "KAFKA_HEAP_OPTS", "valueFrom": {"configMapKeyRef": {}}}], None, None),
        ([], 0, 0),
    ],
)
def test_the_heap_is_read_as_the_jvm_reads_it(env: list[Any], low: int | None, high: int | None):
    played = Played("healthy")
    played.item(PODS, "kafka-2")["spec"]["containers"][0]["env"] = env
    row = broker(played)
    assert (row["heap_min"], row["heap_max"]) == (low, high)


@pytest.mark.parametrize(("limit", "low", "high"), [("4Gi", 1 << 30, 3 << 30), (None, None, None)])
def test_a_share_of_the_memory_limit_is_a_heap(limit: str | None, low: int | None, high: int | None):
    """As Bitnami's chart writes it; without a limit it is a share of the node's memory."""
    played = Played("healthy")
    container = played.item(PODS, "kafka-2")["spec"]["containers"][0]
    options = "-XX:InitialRAMPercentage=25 -XX:MaxRAMPercentage=75.0"
    container["env"] = [{"name": "KAFKA_HEAP_OPTS", "value": options}]
    container["resources"] = {"limits": {"memory": limit}} if limit else {}
    row = broker(played)
    assert (row["heap_min"], row["heap_max"]) == (low, high)


def test_a_heap_that_may_come_from_elsewhere_is_not_known():
    played = Played("healthy")
    played.item(PODS, "kafka-2")["spec"]["containers"][0] |= {"env": [], "envFrom": [{"configMapRef": {"name": "x"}}]}
    assert broker(played)["heap_max"] is None


def test_no_value_of_the_environment_is_shown():
    played = Played("healthy")
    hidden = [{"name": "DB_PASSWORD", "value": "planted-secret"}]
    played.item(PODS, "kafka-2")["spec"]["containers"][0]["env"] += hidden
    assert "planted-secret" not in str(played.observe("kubernetes_pod").columns)


@pytest.mark.parametrize(
    ("container", "whole", "non_root"),
    [
        ({}, {}, False),
        ({}, {"runAsNonRoot": True}, True),
        ({}, {"runAsUser": 1000}, True),
        ({"runAsUser": 0}, {"runAsUser": 1000}, False),
        ({"runAsNonRoot": False}, {"runAsNonRoot": True}, False),
        ({"runAsNonRoot": True}, {}, True),
    ],
)
def test_the_containers_own_word_on_its_user_wins(container: dict[str, Any], whole: dict[str, Any], *, non_root: bool):
    played = Played("healthy")
    spec = played.item(PODS, "kafka-2")["spec"]
    spec["securityContext"], spec["containers"][0]["securityContext"] = whole, container
    assert broker(played)["non_root"] is non_root


def test_a_side_container_that_is_privileged_is_told():
    played = Played("healthy")
    containers = played.item(PODS, "kafka-2")["spec"]["containers"]
    containers.insert(0, {"name": "proxy", "image": "p", "securityContext": {"privileged": True}})
    row = broker(played)
    assert row["privileged"]
    assert row["container"] == "kafka"


@pytest.mark.parametrize("kind", ["initContainers", "ephemeralContainers"])
@pytest.mark.parametrize("privileged", [True, False])
def test_a_container_that_passes_counts_where_it_is_privileged_and_not_where_it_is_root(kind: str, *, privileged: bool):
    played = Played("healthy")
    context = {"runAsUser": 0, "runAsNonRoot": False, "privileged": privileged}
    played.item(PODS, "kafka-2")["spec"][kind] = [{"name": "first", "image": "p", "securityContext": context}]
    row = broker(played)
    assert (row["privileged"], row["non_root"]) == (privileged, True)


def test_an_init_container_that_restarts_always_stays():
    played = Played("healthy")
    context = {"runAsUser": 0, "runAsNonRoot": False}
    side = {"name": "proxy", "image": "p", "restartPolicy": "Always", "securityContext": context}
    played.item(PODS, "kafka-2")["spec"]["initContainers"] = [side]
    assert not broker(played)["non_root"]


def test_scripts_of_probes_are_named_without_their_arguments():
    played = Played("healthy")
    played.item(PODS, "kafka-2")["spec"]["containers"][0]["livenessProbe"] = {
        "exec": {"command": ["sh", "-c", "/opt/kafka/bin/kafka-topics.sh --password planted-secret --list"]}
    }
    row = broker(played)
    assert row["liveness"] == "exec"
    assert "kafka-topics.sh" in row["liveness_tools"]
    assert "planted-secret" not in str(row)


def test_a_pod_of_another_shape_is_refused_not_guessed():
    played = Played("healthy")
    played.item(PODS, "kafka-2")["spec"]["containers"] = "many"
    with pytest.raises(Garbled, match=r"kafka-2 has .* as spec\.containers"):
        broker(played)


@pytest.mark.parametrize("value", [5, [], {"a": 1}])
def test_heap_options_that_are_no_text_are_refused(value: object):
    with pytest.raises(Garbled):
        heap({"spec": {"containers": [{"env": [{"name": "KAFKA_HEAP_OPTS", "value": value}]}]}})


@pytest.mark.parametrize("value", ["\u00b2", "9" * 5000, "", "-1"])
def test_a_node_id_that_is_no_number_is_not_taken_for_one(value: str):
    """The first is a digit to Unicode, and none to a number."""
    pod: dict[str, Any] = {"metadata": {"name": "kafka-7", "labels": {"app": "kafka"}}}
    pod["spec"] = {"containers": [{"env": [{"name": "KAFKA_NODE_ID", "value": value}]}]}
    assert Played("healthy").kubernetes.broker_of(pod) == 7
