"""A kubeconfig's plugin is run only where the person who runs this said so, outside of all files."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from runbook.model.ask import Ask
from runbook.parse.allowed import COMMANDS_ALLOWED, in_full
from runbook.parse.inventory import Environment, Target
from runbook.plugins.catalog import catalog
from runbook.run.gather import narrowed
from runbook.run.worker import Job, Outlet, run_job
from support.recorded_kubernetes import Played
from support.strimzi_played import KAFKAS, PODS, POOLS, TOPICS, USERS, platform


def reasons(settings: dict[str, Any]) -> list[str]:
    """Why a worker can't look with these settings."""
    told: list[Any] = []
    outlet = Outlet(None)  # type: ignore[arg-type]
    outlet.send = told.append  # type: ignore[method-assign]
    run_job(Job("kubernetes", settings, 5.0, {0: Ask("prod", "kubernetes", "kubernetes_pod", "{}")}), outlet)
    return [gap.reason for frame in told for fact in (frame.facts or {}).values() for gap in fact.gaps]


@pytest.mark.parametrize(("variable", "runs"), [("", False), ("yes", False), ("1", True)])
def test_a_plugin_waits_for_the_person(
    *, variable: str, runs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(COMMANDS_ALLOWED, variable)
    plugin = {"apiVersion": "client.authentication.k8s.io/v1", "command": "touch", "args": [str(tmp_path / "ran")]}
    kubeconfig = {
        "current-context": "c",
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:1"}}],
        "users": [{"name": "u", "user": {"exec": plugin | {"interactiveMode": "Never"}}}],
    }
    (tmp_path / "kc").write_text(yaml.safe_dump(kubeconfig))
    [reason] = reasons({"kubeconfig": str(tmp_path / "kc"), "exec": True})
    assert (tmp_path / "ran").exists() == runs
    assert (f"set {COMMANDS_ALLOWED}=1" in reason) != runs


# -- one of several clusters of Strimzi in a namespace


def two_clusters() -> Played:
    """The platform that is well, and beside it another cluster: a resource, a pool, a topic, a user and a pod."""
    played = platform(**in_full("kubernetes", {"cluster": "orders"}))
    for path in (KAFKAS, POOLS, TOPICS, USERS, PODS):
        twin = deepcopy(played.items(path)[0])
        twin["metadata"]["name"] = "payments" if path == KAFKAS else "of-payments-0"
        twin["metadata"]["labels"] = twin["metadata"]["labels"] | {"strimzi.io/cluster": "payments"}
        played.items(path).append(twin)
    return played


def test_its_pods_are_told_by_the_operators_label_unless_other_labels_are_given() -> None:
    told = in_full("kubernetes", {"namespace": "kafka", "cluster": "orders"})
    assert told == {
        "namespace": "kafka",
        "brokers": "strimzi.io/cluster=orders,strimzi.io/broker-role=true",
        "controllers": "strimzi.io/cluster=orders,strimzi.io/controller-role=true",
    }
    assert in_full("kubernetes", {"cluster": "orders", "brokers": "a=b"})["brokers"] == "a=b"
    assert in_full("kubernetes", {"namespace": "kafka"}) == {"namespace": "kafka"}


def test_pods_of_the_other_cluster_are_no_brokers() -> None:
    pods = two_clusters().observe("kubernetes_pod", role="kafka").columns["pod"]
    assert "of-payments-0" not in pods
    assert len(pods) == 15


@pytest.mark.parametrize("probe", [name for name in catalog("probes").names() if name.startswith("strimzi_")])
def test_of_strimzis_resources_those_of_the_other_cluster_are_left_out(probe: str) -> None:
    seen = two_clusters().observe(probe)
    target = Target("prod", Environment(), {"kubernetes": {"cluster": "orders"}})
    told = narrowed(Ask("prod", "kubernetes", probe), seen, target)
    alone = platform().observe(probe)
    assert told.gaps == seen.gaps
    assert len(told) == len(alone)
    unnamed = narrowed(Ask("prod", "kubernetes", probe), seen, Target("prod", Environment(), {"kubernetes": {}}))
    assert len(unnamed) == len(seen)


def test_the_other_cluster_is_seen_where_none_is_named() -> None:
    assert len(two_clusters().observe("strimzi_topic")) == len(platform().observe("strimzi_topic")) + 1
