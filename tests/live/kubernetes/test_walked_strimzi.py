"""Strimzi's operator upgraded, and Kafka with it: kubernetes.md walked by its text, every record counted.

The API server is real, and so are kubectl, the brokers and their metadata version. Not live: the operator, whose work
is replayed by its published source (`support.strimzi_replayed`), the files of both releases, which stand here in few
words of our own (`support.strimzi_files`), the conversion tool, in whose place a script does the same requests, and
kubelets. Brokers keep their binaries.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from kafka_lab import LabState
from kafka_lab.admin import committed
from kafka_lab.brokers import run_tool, start
from kafka_lab.configuration import properties_file
from kafka_lab.errors import LabError
from kafka_lab.inventory import environment
from kafka_lab.kubernetes.admin import Admin
from kafka_lab.kubernetes.control_plane import Plane
from kafka_lab.kubernetes.objects import STATEFUL_SET
from kafka_lab.processes import terminate
from kafka_lab.waiting import wait_for_brokers, wait_until
from live.kubernetes.scenes import lacking
from support import strimzi_files
from support.careful_walker import Hand, Walked, does_nothing
from support.evidence.labs import kafka_lab
from support.forgetful import Notes, Walker, walkers
from support.kept_walks import Keep
from support.numbered_records import GROUP, TOPIC
from support.operators import Operator, completed, under_load, with_numbered_topic
from support.strimzi_replayed import (
    CLUSTER,
    DEPLOYMENT,
    PODS,
    POOL,
    ReplayedOperator,
    is_ready,
    owner_of,
    pod_name,
    pod_of,
)

_TOOLS: Final = [tool for tool in ("kubectl", "jq") if not shutil.which(tool)]
LACKING: Final = lacking() or (f"{' and '.join(_TOOLS)} not installed" if _TOOLS else "")
pytestmark = [
    *(pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(1800)),
    pytest.mark.skipif(bool(LACKING), reason=LACKING),
]
WITHIN: Final = 120.0  # seconds on a busy machine
WHERE: Final = "kubernetes, kubelets simulated; not live: the operator's rolls are replayed from its source"
OLD, NEW = "0.51.0", "1.2.0"
OLD_KAFKA, OLD_LEVEL = "4.2.0", "4.2"
WORDS: Final = {"NAME": CLUSTER, "STRIMZI": NEW, "RELEASE": "4.3.0", "LEVEL": "4.3-IV0"}
_DEFINITIONS: Final = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_CONVERSION: Final = """\
#!/bin/sh -e
# Stands for Strimzi's conversion tool: the requests that CrdUpgradeCommand of 0.51 makes. Nothing needs converting.
test "$1" = crd-upgrade || exit 0
for crd in $(kubectl get crds -o name | grep strimzi.io); do
  kubectl get "$crd" -o json | jq '.spec.versions |= map(.storage = (.name == "v1"))' | kubectl replace -f -
done
kubectl -n kafka get strimzi -o json | kubectl replace -f -
for crd in $(kubectl get crds -o name | grep strimzi.io); do
  kubectl patch "$crd" --subresource=status --type=merge -p '{"status": {"storedVersions": ["v1"]}}'
done
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabState]:
    """Brokers with a control plane of their own, without the StatefulSet that keeps their pods elsewhere."""
    with kafka_lab("strimzi", tmp_path_factory.mktemp("labs"), ["kubernetes"]) as up:
        with closing(Admin(_kubeconfig(up))) as admin:
            admin.delete(STATEFUL_SET)
            admin.wait(PODS, lambda seen: not any("kafka-" in _name(pod) for pod in seen["items"]), "pods to go")
        yield up


def _kubeconfig(lab: LabState) -> Path:
    return msgspec.convert(lab.parts["kubernetes"]["plane"], Plane).file("admin.kubeconfig")


def _name(thing: dict[str, Any]) -> str:
    return str(thing["metadata"]["name"])


@pytest.fixture
def older(lab: LabState) -> LabState:
    """Its brokers begun anew with the metadata version of the older release: it goes up only once."""
    voters = ",".join(f"{one.number}@127.0.0.1:{one.controller_port}:{one.directory_id}" for one in lab.brokers)
    for broker in lab.brokers:
        terminate(broker.process, patience=0)
        shutil.rmtree(lab.data_of(broker))
        place = ["--cluster-id", lab.cluster_id, "--config", str(properties_file(lab, broker))]
        begun = ["--release-version", OLD_LEVEL, "--initial-controllers", voters]
        run_tool(lab, "kafka.tools.StorageTool", ["format", *place, *begun])
    for broker in lab.brokers:
        start(lab, broker)
    wait_for_brokers(lab, within=WITHIN)
    wait_until(lambda: _has_a_coordinator(lab), "positions of groups to be kept", within=WITHIN)
    return with_numbered_topic(lab)


def _has_a_coordinator(lab: LabState) -> bool:
    try:
        committed(lab, GROUP, TOPIC)
    except LabError:  # the question makes the topic of positions, which takes a moment
        return False
    return True


@pytest.fixture
def operator(older: LabState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Operator:
    """Somebody who may do everything in Kubernetes, with the files of the new release."""
    monkeypatch.setenv("KUBECONFIG", str(_kubeconfig(older)))
    found = environment(older)
    for role in ("brokers", "controllers"):
        del found["kubernetes"][role]  # Strimzi's pods are known by their labels
    (tmp_path / "environments.yaml").write_text(json.dumps({"environments": {older.name: found}}), "utf-8")
    person = Operator(older, tmp_path)
    strimzi_files.write(NEW, tmp_path)
    tool = tmp_path / "bin" / "v1-api-conversion.sh"
    tool.write_text(_CONVERSION, "utf-8")
    tool.chmod(0o755)
    return person


def kubectl(*words: str) -> None:
    """Run it."""
    done = subprocess.run(["kubectl", *words], text=True, capture_output=True, timeout=800, check=False)
    assert done.returncode == 0, done.stderr


def kafka_of_old() -> dict[str, Any]:
    """A Kafka resource that names no version, as many do."""
    listeners = [{"name": "plain", "port": 9092, "type": "internal", "tls": False}]
    return {
        "apiVersion": "kafka.strimzi.io/v1beta2",
        "kind": "Kafka",
        "metadata": {"name": CLUSTER, "namespace": "kafka"},
        "spec": {"kafka": {"listeners": listeners, "config": {"min.insync.replicas": 2}}},
    }


def pool_of_old() -> dict[str, Any]:
    """The pool of its three nodes."""
    volumes = [{"id": 0, "type": "persistent-claim", "size": "100Gi"}]
    return {
        "apiVersion": "kafka.strimzi.io/v1beta2",
        "kind": "KafkaNodePool",
        "metadata": {"name": POOL, "namespace": "kafka", "labels": {"strimzi.io/cluster": CLUSTER}},
        "spec": {
            "replicas": 3,
            "roles": ["broker", "controller"],
            "storage": {"type": "jbod", "volumes": volumes},
        },
    }


@pytest.fixture
def replayed(older: LabState, operator: Operator, tmp_path: Path) -> Iterator[ReplayedOperator]:
    """The older Strimzi installed from its files, its cluster described and carried out; all of it gone in the end."""
    files = strimzi_files.write(OLD, tmp_path / "old")
    operator.types()([f"sed -i 's/namespace: .*/namespace: kafka/' {files}/*RoleBinding*.yaml"])
    pods = {"selector": {"matchLabels": {"strimzi.io/cluster": CLUSTER}}, "pods": []}
    named = {"name": f"{CLUSTER}-{POOL}", "namespace": "kafka", "labels": {"strimzi.io/cluster": CLUSTER}}
    kubectl("-n", "kafka", "create", "-f", str(files))
    try:
        with closing(Admin(_kubeconfig(older))) as admin:
            kept = {"apiVersion": "core.strimzi.io/v1beta2", "kind": "StrimziPodSet", "metadata": named, "spec": pods}
            for described in (kafka_of_old(), pool_of_old(), kept):
                wait_until(partial(made, admin, described), "a definition to be served", within=WITHIN)
            image = strimzi_files.RELEASES[OLD].image(OLD_KAFKA)
            owner = owner_of(admin, "v1beta2")
            for broker in older.brokers:
                admin.create(pod_of(broker, image, OLD_KAFKA, owner))
            for broker in older.brokers:
                admin.wait(f"{PODS}/{pod_name(broker)}", is_ready, "the pod", within=WITHIN)
        with ReplayedOperator(older, _kubeconfig(older), operator.path) as acts:
            acts.settles()
            assert acts.rolls == []
            yield acts
    finally:
        remove(older)


def made(admin: Admin, described: dict[str, Any]) -> bool:
    """Make it, or raise a LabError where its kind is not served yet."""
    admin.create(described)
    return True


def remove(lab: LabState) -> None:
    """Strimzi and all that it kept."""
    with closing(Admin(_kubeconfig(lab))) as admin:
        admin.delete(DEPLOYMENT)
        for definition in admin.get(_DEFINITIONS)["items"]:
            admin.delete(f"{_DEFINITIONS}/{_name(definition)}")
        admin.wait(_DEFINITIONS, lambda seen: not seen["items"], "Strimzi's definitions to go")
        for broker in lab.brokers:
            admin.delete(f"{PODS}/{pod_name(broker)}")
        admin.wait(PODS, lambda seen: not any(CLUSTER in _name(pod) for pod in seen["items"]), "its pods to go")
        for kind in ("rolebindings", "clusterrolebindings", "clusterroles", "serviceaccounts", "configmaps"):
            kubectl("-n", "kafka", "delete", kind, "-l", "app=strimzi")


@pytest.mark.parametrize("walker", walkers((2, 4, 8), (3, 7), (6, 10), (1, 5, 9, 11), once=(2,)))
def test_strimzi_is_upgraded_and_kafka_with_it(
    operator: Operator, older: LabState, replayed: ReplayedOperator, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    types = operator.types({"NAMESPACE": "kafka", **WORDS})

    def types_and_waits(commands: Sequence[str]) -> None:
        types(commands)
        replayed.settles()

    hands: list[Hand] = [types, types_and_waits, types, types_and_waits, types, types_and_waits]
    hands += [types_and_waits, types_and_waits, does_nothing, types_and_waits, types]
    person = walker(older)
    with under_load(operator, older, WITHIN):
        walked = Walked(operator.folder, "kubernetes#upgrade-with-strimzi", older.name, words=WORDS)
        record = person.walks(walked, hands)
        notes(person.lines("kubernetes#upgrade-with-strimzi"))
        assert completed(record), record.entries[-3:]
        images = [strimzi_files.RELEASES[NEW].image(version) for version in (OLD_KAFKA, WORDS["RELEASE"])]
        assert [image for _, image in replayed.rolls] == [images[0]] * 3 + [images[1]] * 3
        operator.counts()
        old = operator.folder / "old" / "install" / "cluster-operator"
        types([f"kubectl replace -f '{old}/04*-Crd-*.yaml'"])  # as the procedure's undo says
        path = f"/apis/kafka.strimzi.io/v1beta2/namespaces/kafka/kafkas/{CLUSTER}"
        with closing(Admin(_kubeconfig(older))) as admin:
            wait_until(lambda: bool(admin.get(path)), "what the old operator asks for", within=WITHIN)
    keeps(record, WHERE, person.way, person.noticed, operator.ledger)
