from typing import Any

from runbook.model.fact import Fact, Observed, tabulate
from runbook.views.log_dir_volume import VIEW, compute


def places(
    dirs: list[tuple[int, str]], *pods: tuple[str, int | None, dict[str, str], list[str]]
) -> tuple[list[dict[str, Any]], Observed]:
    log_dir = Fact(
        "kafka_log_dir", {"broker": [directory[0] for directory in dirs], "path": [directory[1] for directory in dirs]}
    )
    names = ("pod", "broker", "mounts", "claims")
    pod = Fact("kubernetes_pod", {name: [pod[i] for pod in pods] for i, name in enumerate(names)})
    observed = compute(log_dir=log_dir, pod=pod)
    return list(tabulate("x", VIEW.columns, observed).rows()), observed


def test_a_directory_below_a_mount_is_on_its_claim():
    [row], observed = places([(1, "/data/kafka/logs")], ("k1", 1, {"/data": "claim data-k1", "/": "x"}, ["data-k1"]))
    assert (row["kind"], row["claim"], row["pod"], row["sharers"]) == ("claim", "data-k1", "k1", [])
    assert observed.gaps == []


def test_the_nearest_mount_decides():
    [row], _ = places([(1, "/data/tmp/x")], ("k1", 1, {"/data": "claim a", "/data/tmp": "emptyDir"}, ["a"]))
    assert (row["kind"], row["claim"]) == ("emptyDir", "")


def test_a_folder_whose_name_only_begins_alike_is_another():
    [row], _ = places([(1, "/database")], ("k1", 1, {"/data": "claim a"}, ["a"]))
    assert row["kind"] == "image"


def test_a_claim_that_two_pods_mount_names_the_other():
    [row], _ = places([(1, "/data")], ("k1", 1, {"/data": "claim a"}, ["a"]), ("k2", 2, {}, ["a"]))
    assert row["sharers"] == ["k2"]


def test_a_broker_without_a_known_pod_is_a_gap():
    rows, observed = places([(1, "/data"), (9, "/data")], ("k1", 1, {"/data": "hostPath /mnt"}, []))
    assert [row["kind"] for row in rows] == ["hostPath"]
    assert [gap.keys for gap in observed.gaps] == [{"broker": 9}]
