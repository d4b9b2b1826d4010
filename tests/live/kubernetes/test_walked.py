"""Nodes drained, disks lost, updates rolled out and tuned: kubernetes.md walked by its text, every record counted.

The API server, its controllers and the scheduler are real, and so are the brokers. Kubelets are simulated: a hand stops
the broker whose pod has gone, and starts it once the pod runs again. The walks that are kept say so.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from kafka_lab import LabState
from kafka_lab.brokers import start
from kafka_lab.configuration import properties_file
from kafka_lab.content import delete_topics
from kafka_lab.inventory import environment
from kafka_lab.kubernetes.admin import Admin
from kafka_lab.kubernetes.control_plane import Plane
from kafka_lab.kubernetes.objects import add_node
from kafka_lab.processes import terminate
from kafka_lab.recovery import bring_back, revive, wait_for_loss
from kafka_lab.state import LabBroker
from kafka_lab.waiting import wait_for_brokers, wait_for_full_isr, wait_until
from live.kubernetes.scenes import lacking
from support.careful_walker import Hand, Walked, does_nothing
from support.evidence.labs import kafka_lab
from support.forgetful import Forgetful, Notes, Walker, walkers, wrong
from support.kept_walks import Keep
from support.numbered_records import GROUP, TOPIC
from support.operators import Operator, completed, under_load, with_numbered_topic
from support.two_sites_move import forget

LACKING: Final = lacking() or ("" if shutil.which("kubectl") else "kubectl is not installed")
pytestmark = [
    *(pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(1800)),
    pytest.mark.skipif(bool(LACKING), reason=LACKING),
]
WITHIN: Final = 120.0  # seconds on a busy machine
WHERE: Final = "kubernetes, kubelets simulated"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabState]:
    """Brokers with a control plane of their own."""
    with kafka_lab("kube", tmp_path_factory.mktemp("labs"), ["kubernetes"]) as up:
        yield up


@pytest.fixture
def operator(lab: LabState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Operator:
    """Somebody who may do everything in Kubernetes."""
    plane = msgspec.convert(lab.parts["kubernetes"]["plane"], Plane)
    monkeypatch.setenv("KUBECONFIG", str(plane.file("admin.kubeconfig")))
    (tmp_path / "environments.yaml").write_text(json.dumps({"environments": {lab.name: environment(lab)}}), "utf-8")
    return Operator(lab, tmp_path)


@pytest.fixture
def at_work(operator: Operator, lab: LabState) -> Iterator[Operator]:
    """The same, where numbered records are written and read meanwhile."""
    with_numbered_topic(lab)
    try:
        with under_load(operator, lab, WITHIN):
            yield operator
    finally:
        bring_back(lab)
        forget(lab, GROUP)
        delete_topics(lab, [TOPIC])


def kubectl(*words: str) -> Any:
    """What kubectl tells of something in the namespace."""
    command = ["kubectl", "-n", "kafka", *words, "-o", "json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, timeout=800).stdout)


def node_of(broker: LabBroker) -> str:
    """The node of a broker's pod; empty while it has none."""
    return str(kubectl("get", "pod", f"kafka-{broker.number}")["spec"].get("nodeName", ""))


def ready(broker: LabBroker) -> bool:
    """Whether its pod is."""
    found = kubectl("get", "pods", "-l", "app=kafka")["items"]
    pods = [pod for pod in found if pod["metadata"]["name"] == f"kafka-{broker.number}"]
    conditions = [one for pod in pods for one in pod["status"].get("conditions", [])]
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)


def test_a_broker_is_asked_from_where_its_pod_would_be(operator: Operator, lab: LabState, keeps: Keep) -> None:
    def asks_beside_the_pod(commands: Sequence[str]) -> None:
        [command] = commands
        inside = command.partition(" -- /opt/kafka/bin/")[2]  # no kubelet is there to run it in the container
        operator.types()([inside.replace("localhost:9093", lab.brokers[0].address)])
        assert "ApiVersions" in operator.output

    record = Walked(
        *(operator.folder, "kubernetes#test-readiness-by-hand", lab.name),
        words={"POD": f"kafka-{lab.brokers[0].number}"},
    ).by([asks_beside_the_pod, does_nothing])
    assert completed(record), record.entries[-3:]
    keeps(record, f"{WHERE}: the command ran beside the pod")


@pytest.mark.parametrize("walker", walkers((2,), (3,), (1,)))
def test_a_node_is_drained_and_comes_back(
    at_work: Operator, lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    broker = lab.brokers[1]
    words = {"NODE": node_of(broker)}
    types = at_work.types(words)

    def drains(commands: Sequence[str]) -> None:
        types(commands)
        terminate(broker.process, patience=60)  # as a kubelet does with the pod

    def works_and_uncordons(commands: Sequence[str]) -> None:
        types(commands)
        wait_until(lambda: ready(broker), "the pod to be ready", within=WITHIN)
        if broker.condition == "stopped":
            start(lab, broker)  # as a kubelet does with the pod

    person = walker(lab)
    record = person.walks(
        Walked(at_work.folder, "kubernetes#drain-a-node", lab.name, words=words),
        [types, drains, works_and_uncordons],
    )
    notes(person.lines("kubernetes#drain-a-node"))
    assert completed(record), record.entries[-3:]
    wait_for_full_isr(lab)
    at_work.counts()
    keeps(record, WHERE, person.way, person.noticed, at_work.ledger)


def manifest(file: Path, tag: str) -> None:
    """The broker's set as its team keeps it, which names no partition, with an image."""
    found = kubectl("get", "statefulset", "kafka")
    wanted = {name: found["metadata"][name] for name in ("name", "namespace", "labels")}
    spec = {name: value for name, value in found["spec"].items() if name != "updateStrategy"}
    spec["template"]["spec"]["containers"][0]["image"] = f"registry.example/kafka:{tag}"
    file.write_text(json.dumps({**found, "metadata": wanted, "spec": spec, "status": None}), "utf-8")


def image_of(broker: LabBroker) -> str:
    """The image of its pod; empty while there is none."""
    pods = kubectl("get", "pods", "-l", "app=kafka")["items"]
    mine = [pod for pod in pods if pod["metadata"]["name"] == f"kafka-{broker.number}"]
    return str(mine[0]["spec"]["containers"][0]["image"]) if mine else ""


@pytest.mark.parametrize("left_out", wrong((2,), (3,)))
def test_an_update_is_rolled_out_to_one_broker_first(
    at_work: Operator, lab: LabState, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    tag = f"next-{len(left_out)}-{sum(left_out)}"
    manifest(at_work.folder / "kafka.json", tag)
    words = {"NAME": "kafka", "PARTITION": "2"}
    types = at_work.types({**words, "MANIFEST": "kafka.json"})
    shown: list[str] = []

    def is_rolled(broker: LabBroker) -> None:
        wait_until(lambda: image_of(broker).endswith(tag) and ready(broker), "the pod to be made anew", within=WITHIN)
        terminate(broker.process, patience=60)  # as a kubelet does with the pod, and starts it with the new image
        start(lab, broker)
        wait_for_brokers(lab)
        wait_for_full_isr(lab)

    def holds_back(commands: Sequence[str]) -> None:
        types(commands)
        shown.extend(commands)

    def applies(commands: Sequence[str]) -> None:
        types(commands)
        is_rolled(lab.brokers[-1])
        assert not any(image_of(broker).endswith(tag) for broker in lab.brokers[:-1])

    def goes_on(_: Sequence[str]) -> None:
        for partition, broker in ((1, lab.brokers[1]), (0, lab.brokers[0])):
            at_work.types()([command.replace('"partition":2', f'"partition":{partition}') for command in shown])
            is_rolled(broker)

    person = Forgetful(left_out)
    record = person.walks(
        Walked(at_work.folder, "kubernetes#roll-out-to-a-canary-first", lab.name, words=words),
        [holds_back, applies, goes_on],
    )
    notes(person.lines("kubernetes#roll-out-to-a-canary-first"))
    assert completed(record), record.entries[-3:]
    assert all(image_of(broker).endswith(tag) for broker in lab.brokers)
    at_work.counts()
    keeps(record, WHERE, person.way, person.noticed, at_work.ledger)


def test_what_a_budget_allows_is_seen(operator: Operator, lab: LabState, keeps: Keep) -> None:
    outputs = []
    types = operator.types({"NAME": "kafka"})

    def looks(commands: Sequence[str]) -> None:
        types(commands)
        outputs.append(operator.output)

    record = Walked(operator.folder, "kubernetes#inspect-a-disruption-budget", lab.name).by(
        [looks, looks, does_nothing]
    )
    assert completed(record), record.entries[-3:]
    assert "ALLOWED DISRUPTIONS" in outputs[0]
    assert "expectedPods: 3" in outputs[1]
    keeps(record, WHERE)


def patched(kind: str, name: str, change: dict[str, Any]) -> Hand:
    """A hand that changes an object of the namespace."""

    def acts(_: Sequence[str]) -> None:
        kubectl("patch", kind, name, "--type=merge", "-p", json.dumps({"spec": change}))

    return acts


@pytest.mark.parametrize("left_out", wrong((2,), (3,)))
def test_rollouts_are_tuned(
    operator: Operator, lab: LabState, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    patched("statefulset", "kafka", {"minReadySeconds": 0})([])
    rolling = {"maxUnavailable": 1, "maxSurge": 0}
    patched("deployment", "connect", {"strategy": {"rollingUpdate": rolling}})([])
    person = Forgetful(left_out)
    record = person.walks(
        Walked(operator.folder, "kubernetes#tune-rollouts", lab.name),
        [
            does_nothing,
            patched("statefulset", "kafka", {"minReadySeconds": 10}),
            patched("deployment", "connect", {"strategy": {"rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}}}),
        ],
    )
    notes(person.lines("kubernetes#tune-rollouts"))
    assert completed(record), record.entries[-3:]
    keeps(record, WHERE, person.way, person.noticed)


def spare_node(lab: LabState, lost: str, name: str) -> None:
    """A node in the place of one that is lost, with an empty disk of its own."""
    plane = msgspec.convert(lab.parts["kubernetes"]["plane"], Plane)
    zone = kubectl("get", "node", lost)["metadata"]["labels"]["topology.kubernetes.io/zone"]
    [disk] = [one for one in kubectl("get", "pv")["items"] if lost in json.dumps(one["spec"]["nodeAffinity"])]
    spec = {key: value for key, value in disk["spec"].items() if key != "claimRef"}
    spec["nodeAffinity"]["required"]["nodeSelectorTerms"][0]["matchExpressions"][0]["values"] = [name]
    with closing(Admin(plane.file("admin.kubeconfig"))) as admin:
        add_node(admin, name, zone, "kafka")
        admin.create({"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": f"of-{name}"}, "spec": spec})


@pytest.mark.parametrize("walker", walkers((4,), (1, 5), (2,), (3,), once=(2, 3, 4)))
def test_a_broker_whose_disk_is_lost_is_replaced(
    at_work: Operator, lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    broker, person = lab.brokers[1], walker(lab)
    lost, settings, data = node_of(broker), properties_file(lab, broker), lab.data_of(broker)
    [old] = re.findall(r"directory.id=(\S+)", (data / "meta.properties").read_text("utf-8"))
    words = {"NODE": lost, "CLAIM": f"data-kafka-{broker.number}", "POD": f"kafka-{broker.number}"}
    words |= {"ID": str(broker.number), "DIRECTORY_ID": old}
    types = at_work.types(words)
    spare_node(lab, lost, f"spare-{type(person).__name__.lower()}-{len(person.steps)}")
    terminate(broker.process, patience=0)
    shutil.rmtree(data)
    wait_for_loss(lab, {broker.number})

    def starts_anew(_: Sequence[str]) -> None:
        wait_until(lambda: ready(broker) and node_of(broker) != lost, "a new pod elsewhere", within=WITHIN)
        form = f"kafka-storage.sh format --cluster-id {lab.cluster_id} --config {settings} --no-initial-controllers"
        at_work.types()([f"{form} --ignore-formatted"])  # as the image's start script does
        revive(lab, {broker.number})
        wait_for_brokers(lab)

    def votes_anew(commands: Sequence[str]) -> None:
        asks, takes_out, adds = commands
        votes = re.compile(rf"^{broker.number}\s+{re.escape(old)}.*(Leader|Follower)", re.MULTILINE)
        is_there = re.compile(rf"^{broker.number}\s+(?!{re.escape(old)})\S+\s", re.MULTILINE)  # observes, or votes

        def keeps_up() -> bool:
            types([asks])
            return bool(is_there.search(at_work.output))

        types([asks])
        if votes.search(at_work.output):  # who did this before sees that it is out, and at most observes
            types([takes_out])
        wait_until(keeps_up, "the new one to be there", within=WITHIN)
        types([adds.replace("controller.properties", str(settings))])

    record = person.walks(
        Walked(at_work.folder, "kubernetes#replace-a-broker-whose-disk-is-lost", lab.name, words=words),
        [does_nothing, types, starts_anew, votes_anew, does_nothing],
    )
    notes(person.lines("kubernetes#replace-a-broker-whose-disk-is-lost"))
    assert completed(record), record.entries[-3:]
    at_work.counts()
    keeps(record, WHERE, person.way, person.noticed, at_work.ledger)
