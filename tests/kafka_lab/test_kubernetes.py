"""The control plane as far as it can be tested without running it; the rest: tests/live/{api_server,kubernetes}."""

import ssl
from pathlib import Path

import pytest
import yaml

from kafka_lab.certificates import Authority
from kafka_lab.errors import LabError
from kafka_lab.kubernetes import binaries, objects
from kafka_lab.kubernetes.admin import collection, path_of
from kafka_lab.kubernetes.faults import FAULTS, in_lab
from kafka_lab.parts import kubernetes as part
from kafka_lab.state import LabState

ROOT = Path(__file__).parents[2]


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RUNBOOK_CACHE", str(tmp_path / "cache"))
    return tmp_path


def _go(folder: Path, says: str) -> None:
    program = folder / "bin" / "go"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\necho {says}\n")
    program.chmod(0o755)


def test_without_go_it_says_what_to_install(empty_cache: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(empty_cache))
    assert "install Go 1.26 or newer" in part.lacking()
    with pytest.raises(LabError, match=r"install Go 1\.26"):
        binaries.programs(lambda _: None)


@pytest.mark.parametrize(("says", "enough"), [("go1.26.8", True), ("go1.27.0", True), ("go1.25.3", False), ("", False)])
def test_a_go_that_is_too_old_is_said_so(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch, says: str, *, enough: bool
):
    _go(empty_cache, says)
    monkeypatch.setenv("PATH", str(empty_cache / "bin"))
    assert ("too old" in binaries.lacking()) is not enough


def test_a_build_that_fails_leaves_nothing_behind(empty_cache: Path, monkeypatch: pytest.MonkeyPatch):
    _go(empty_cache, "go1.26.8; [ $1 = env ] || { echo no network >&2; exit 1; }")
    monkeypatch.setenv("PATH", f"{empty_cache / 'bin'}:/bin")
    with pytest.raises(LabError, match="no network"):
        binaries.programs(lambda _: None)
    assert not binaries.built()
    assert [path.name for path in (empty_cache / "cache").iterdir() if not path.name.endswith(".lock")] == []


def test_what_is_built_needs_no_go(empty_cache: Path, monkeypatch: pytest.MonkeyPatch):
    binaries.folder().mkdir(parents=True)
    for name in ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok", "stages.yaml"):
        binaries.folder().joinpath(name).touch()
    monkeypatch.setenv("PATH", str(empty_cache))
    assert binaries.lacking() == ""
    assert binaries.programs(lambda _: None) == binaries.folder()


def test_every_module_is_pinned_with_its_digest():
    folder = ROOT / "checks" / "kafka_lab" / "kubernetes"
    wanted = folder.joinpath("go.mod").read_text("utf-8")
    sums = folder.joinpath("go.sum").read_text("utf-8")
    assert f"k8s.io/kubernetes v{binaries.VERSION}" in wanted
    assert f"k8s.io/kubernetes v{binaries.VERSION} h1:" in sums


def test_certificates_are_of_one_authority_and_can_be_used(tmp_path: Path):
    authority = Authority(tmp_path)
    authority.issue("server", "server", names=["127.0.0.1", "localhost"])
    authority.issue("user", "somebody", groups=["system:masters"])
    context = ssl.create_default_context(cafile=str(tmp_path / "ca.crt"))
    for name in ("server", "user"):
        context.load_cert_chain(tmp_path / f"{name}.crt", tmp_path / f"{name}.key")
    authority.issue_signer("accounts")
    assert b"PUBLIC KEY" in tmp_path.joinpath("accounts.pub").read_bytes()


def test_every_object_of_the_manifests_has_a_place_and_a_name():
    found = [*objects.manifest("kafka.yaml", data="/data"), *objects.manifest("strimzi.yaml")]
    assert "$" not in yaml.safe_dump(found)
    paths = [path_of(thing) for thing in found]
    assert len(paths) == len(set(paths))
    assert objects.STATEFUL_SET in paths
    assert f"{objects.BUDGETS}/kafka" in paths


@pytest.mark.parametrize(
    ("version", "kind", "namespace", "path"),
    [
        ("v1", "Node", "", "/api/v1/nodes"),
        ("v1", "Pod", "kafka", "/api/v1/namespaces/kafka/pods"),
        ("storage.k8s.io/v1", "StorageClass", "", "/apis/storage.k8s.io/v1/storageclasses"),
        ("policy/v1", "PodDisruptionBudget", "kafka", "/apis/policy/v1/namespaces/kafka/poddisruptionbudgets"),
    ],
)
def test_objects_belong_to_the_list_of_their_kind(version: str, kind: str, namespace: str, path: str):
    metadata = {"name": "x"} | ({"namespace": namespace} if namespace else {})
    assert collection({"apiVersion": version, "kind": kind, "metadata": metadata}) == path


def test_every_fault_can_be_chosen_by_name():
    from kafka_lab.breaking import faults

    assert set(FAULTS) <= set(faults())


def test_a_fault_needs_a_lab_with_kubernetes(tmp_path: Path):
    inject, _, _ = in_lab("no-budget")
    with pytest.raises(LabError, match="--with kubernetes"):
        inject(LabState("x", str(tmp_path), "c", "4", "/nowhere", []))
