"""A real control plane with simulated nodes and pods of three brokers: what kubernetes.md says of each fault in it.

Kafka itself is left out: the pods stand for brokers, and the plane alone is up in a minute once it has been built.
"""

import importlib
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
import yaml

from kafka_lab.breaking import in_force
from kafka_lab.kubernetes import binaries, control_plane
from kafka_lab.kubernetes.admin import Admin
from kafka_lab.kubernetes.control_plane import Plane
from kafka_lab.kubernetes.faults import FAULTS
from kafka_lab.kubernetes.objects import ENTITY_OPERATOR, STRIMZI_KINDS, add_strimzi, fill, remove_strimzi
from kafka_lab.state import LabState
from live.kubernetes.strimzi_expected import CONTENT, DISCONTENT, ROUTES
from runbook.model.result import Outcome
from support.evidence.expected import Expected
from support.evidence.fault import none_of
from support.evidence.scene import Scene, State, scene

_RACKS: Final = ("az-a", "az-b", "az-c")
_LABELS: Final = {"brokers": "app=kafka", "controllers": "app=kafka"}
_ANY: Final = tuple(Outcome)


@dataclass(frozen=True)
class Cluster:
    """Such a cluster: its control plane, its owner, the kubeconfig of the shipped Role, and the lab it is a part of."""

    plane: Plane
    admin: Admin
    reader: Path
    lab: LabState


def systems() -> dict[str, str]:
    """What it runs."""
    return {"kubernetes": binaries.VERSION}


def lacking() -> str:
    """It is built from Go modules in minutes: only where that is allowed, or has been done."""
    if binaries.built() or os.environ.get(binaries.BUILD) == "1":
        return binaries.lacking()
    return f"the control plane is not built; {binaries.BUILD}=1 builds it, which takes minutes"


@contextmanager
def lab(folder: Path) -> Iterator[Cluster]:
    """The control plane, filled with what a Kafka cluster should be."""
    programs = _with_logs(binaries.programs(lambda _: None), folder)
    plane = control_plane.start(folder / "plane", programs, lambda _: None)
    try:
        with closing(Admin(plane.file("admin.kubeconfig"))) as admin:
            reader = fill(plane, admin, _RACKS, Path("/var/lib/kafka"))
            parts = {"kubernetes": {"plane": msgspec.to_builtins(plane), "kubeconfig": str(reader)}}
            yield Cluster(plane, admin, reader, LabState("kubernetes", str(folder), "", "", "", [], parts=parts))
    finally:
        control_plane.stop(plane)


def _with_logs(programs: Path, folder: Path) -> Path:
    """The same programs, and simulated kubelets that show a log as the output of each broker's pod."""
    copy = folder / "programs"
    copy.mkdir()
    for program in programs.iterdir():
        if program.name != "stages.yaml":
            copy.joinpath(program.name).symlink_to(program)
    shown = [
        {
            "apiVersion": "kwok.x-k8s.io/v1alpha1",
            "kind": "Logs",
            "metadata": {"name": f"kafka-{number}", "namespace": "kafka"},
            "spec": {"logs": [{"containers": ["kafka"], "logsFile": str(_written_log(folder / f"{number}.log"))}]},
        }
        for number in (1, 2, 3)
    ]
    stages = programs.joinpath("stages.yaml").read_text("utf-8")
    copy.joinpath("stages.yaml").write_text(f"{stages}\n---\n{yaml.safe_dump_all(shown)}")
    return copy


def _written_log(file: Path) -> Path:
    """As a container runtime keeps it: what a JVM wrote since yesterday, among its server's own lines."""
    lines = ["[2026-11-21 10:00:00,000] INFO started (kafka.server.KafkaServer)"]
    for number, age in enumerate((100_000, 600, 60)):
        at = time.strftime("%Y-%m-%dT%H:%M:%S.000+0000", time.gmtime(time.time() - age))
        lines.append(f"[{at}][gc] GC({number}) Pause Young (Normal) (G1 Evacuation Pause) 100M->50M(200M) 12.5ms")
    file.write_text("".join(f"2026-11-21T10:00:00.000000000Z stdout F {line}\n" for line in lines))
    return file


def settings(kubeconfig: Path) -> dict[str, Any]:
    """What the inventory says of the connection."""
    return {"kubeconfig": str(kubeconfig), "namespace": "kafka", **_LABELS}


def _inventory(cluster: Cluster, params: dict[str, Any] | None = None) -> dict[str, Any]:
    absent = {"kafka": "this cluster has pods only"}
    environment = {"kubernetes": settings(cluster.reader), "absent": absent, "labels": {"tier": "lab"}}
    return {"environments": {"lab": environment | {"params": params or {}}}}


def _secrets(cluster: Cluster) -> tuple[str, ...]:
    """The token of the shipped Role's account."""
    [user] = yaml.safe_load(cluster.reader.read_text("utf-8"))["users"]
    return (user["user"]["token"],)


_ROUTES: Final = dict.fromkeys(ROUTES, ("not_applicable", "unknown"))
_WELL = Expected(passes=frozenset({"the-budget-lets-one-broker-go"}), undetermined=_ROUTES)


def _fails(*checks: str, saying: str = "") -> dict[str, Expected]:
    return {"kubernetes": Expected(fails=dict.fromkeys(checks, saying), undetermined=_ROUTES)}


def _scene_of(fault: str, broken: dict[str, Expected]) -> Scene:
    module = importlib.import_module(f"kafka_lab.faults.{fault.replace('-', '_')}")
    well = {"kubernetes": _WELL}

    @scene({"before": well, "during": broken, "after": well}, faults=(fault,))
    def play(cluster: Cluster, folder: Path) -> Iterator[State]:
        del folder

        def claims() -> Mapping[str, bool]:
            return in_force(cluster.lab, fault)

        environments, secrets = _inventory(cluster), _secrets(cluster)
        yield State("before", environments, none_of(claims), secrets=secrets)
        module.inject(cluster.lab)
        try:
            yield State("during", environments, claims, secrets=secrets)
        finally:
            module.heal(cluster.lab)
        yield State("after", environments, none_of(claims), secrets=secrets)

    return Scene(fault, __name__, play.play, play.expected, play.faults)


_BROKEN: Final = {
    "no-budget": _fails("brokers-have-a-disruption-budget", "the-budget-lets-one-broker-go", "budgets-keep-a-quorum"),
    "toothless-budget": _fails("the-budget-lets-one-broker-go", "budgets-keep-a-quorum"),
    "blocking-budget": _fails("the-budget-does-not-block-maintenance"),
    # Kubernetes refuses to evict a pod under two budgets, whatever they say.
    "second-budget": _fails("no-pod-is-under-two-budgets", "the-budget-does-not-block-maintenance", saying="kafka-too"),
    # The pod is of no set, so it has neither a stable name nor a claim; and it waits for a node of its own in vain.
    "host-path": _fails(
        "no-broker-mounts-folders-of-its-node",
        "brokers-have-a-stable-identity",
        "every-pod-has-a-subdomain",
        "quorum-servers-have-claims",
        "every-broker-pod-is-ready",
        "no-broker-waits",
        "brokers-are-on-nodes-of-their-own",
        "quorum-has-an-odd-number-of-pods",
    ),
    "one-zone": _fails("brokers-are-in-three-zones"),
    "crash-loop": _fails(
        "every-broker-pod-is-ready",
        "no-broker-waits",
        "workloads-have-all-their-pods",
        "brokers-do-not-restart-again-and-again",
        "quorum-has-an-odd-number-of-pods",
    ),
    "out-of-memory": _fails("brokers-were-not-killed-for-memory"),
    "node-not-ready": _fails("the-nodes-of-brokers-are-well"),
}
SCENES = [_scene_of(fault, _BROKEN[fault]) for fault in FAULTS]

_CONFIG_MAP: Final = "/api/v1/namespaces/kafka/configmaps/kafka"
_AUTHORIZER: Final = "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer\n"
_DEPLOYED: Final = (
    "resources-without-an-acl-are-closed-as-deployed",
    "super-users-are-those-declared-as-deployed",
    "volumes-are-encrypted",
)
_DECLARED: Final = {
    "security/super-users-are-those-declared-as-deployed": {"declared": "User:CN=kafka"},
    "security/volumes-are-encrypted": {"always": ["kubernetes.io/no-provisioner"]},
}
# Nothing else of security can be read from what is deployed.
_DEPLOYED_RIGHT = Expected(passes=frozenset(_DEPLOYED), others=_ANY)
_DEPLOYED_WRONG = Expected(fails=dict.fromkeys(_DEPLOYED, ""), others=_ANY)


@scene({"right": {"security": _DEPLOYED_RIGHT}, "wrong": {"security": _DEPLOYED_WRONG}})
def what_is_deployed_of_security(cluster: Cluster, folder: Path) -> Iterator[State]:
    """What brokers start with: first with an authorizer that refuses, then with one that lets everybody in."""
    del folder
    admin, secrets = cluster.admin, _secrets(cluster)
    before = admin.get(_CONFIG_MAP)["data"]["server.properties"]
    right = f"{before}{_AUTHORIZER}super.users=User:CN=kafka\n"
    wrong = f"{before}{_AUTHORIZER}super.users=User:*\nallow.everyone.if.no.acl.found=true\n"

    def deployed(text: str) -> Mapping[str, bool]:
        [claim, *_] = admin.get("/apis/storage.k8s.io/v1/storageclasses")["items"]
        return {
            "the ConfigMap has what was deployed": admin.get(_CONFIG_MAP)["data"]["server.properties"] == text,
            "the StorageClass does not say that it encrypts": "encrypted" not in claim.get("parameters", {}),
        }

    try:
        _deploy(admin, right)
        yield State("right", _inventory(cluster, _DECLARED), lambda: deployed(right), secrets=secrets)
        _deploy(admin, wrong)
        yield State("wrong", _inventory(cluster), lambda: deployed(wrong), secrets=secrets)
    finally:
        _deploy(admin, before)


def _deploy(admin: Admin, properties: str) -> None:
    admin.patch(_CONFIG_MAP, {"data": {"server.properties": properties}})


_STRIMZI: Final = "/apis/kafka.strimzi.io"
_KAFKA: Final = f"{_STRIMZI}/v1/namespaces/kafka/kafkas/orders"


@scene({"content": {"kubernetes": CONTENT}, "discontent": {"kubernetes": DISCONTENT}})
def what_strimzi_says(cluster: Cluster, folder: Path) -> Iterator[State]:
    """Resources as Strimzi keeps them, read with the shipped Role; then as careless owners and operators leave them."""
    del folder
    admin, secrets = cluster.admin, _secrets(cluster)
    add_strimzi(admin)
    try:
        yield State("content", _inventory(cluster), lambda: _none_of_strimzi(admin), secrets=secrets)
        for kind, named, change in _CARELESS:
            admin.patch(f"{_resources(kind)}/{named}", change)
        admin.patch(ENTITY_OPERATOR, {"spec": {"replicas": 0}})
        for kind, named in (("Kafka", "orders"), ("KafkaTopic", "orders"), ("KafkaConnector", "warehouse")):
            admin.replace_status(f"{_resources(kind)}/{named}", _in_trouble)
        yield State("discontent", _inventory(cluster), lambda: _troubles_of_strimzi(admin), secrets=secrets)
    finally:
        remove_strimzi(admin)


def _resources(kind: str) -> str:
    return f"{_STRIMZI}/{STRIMZI_KINDS[kind][0]}/namespaces/kafka/{kind.lower()}s"


_PAUSED: Final = {"annotations": {"strimzi.io/pause-reconciliation": "true"}}
_CARELESS: Final[list[tuple[str, str, dict[str, Any]]]] = [
    (
        "Kafka",
        "orders",
        {
            "metadata": _PAUSED,
            "spec": {
                "kafka": {
                    "rack": {"topologyKey": "kubernetes.io/hostname"},
                    "listeners": [
                        {"name": "plain", "port": 9092, "type": "internal", "tls": False},
                        {"name": "outside", "port": 9094, "type": "nodeport", "tls": False},
                    ],
                    "authorization": {"type": None, "superUsers": ["ANONYMOUS"]},
                    "config": {
                        "default.replication.factor": None,
                        "min.insync.replicas": 3,
                        "offsets.topic.replication.factor": 1,
                        "unclean.leader.election.enable": True,
                        "super.users": "User:admin",
                    },
                    "metricsConfig": None,
                    "template": {"podDisruptionBudget": {"maxUnavailable": 3}},
                },
                "entityOperator": {"topicOperator": None, "userOperator": None},
                "clusterCa": {"renewalDays": 3},
            },
        },
    ),
    (
        "KafkaNodePool",
        "dual",
        {
            "metadata": _PAUSED,
            "spec": {
                "storage": {
                    "type": "jbod",
                    "volumes": [
                        {"id": 0, "type": "persistent-claim", "size": "100Gi", "deleteClaim": True},
                        {"id": 1, "type": "persistent-claim", "size": "50Gi"},
                        {"id": 2, "type": "ephemeral"},
                    ],
                },
                "resources": {"requests": None},
                "jvmOptions": {"-Xmx": "7g"},
            },
        },
    ),
    (
        "KafkaTopic",
        "orders",
        {
            "metadata": {"labels": {"strimzi.io/cluster": "orders"}},
            "spec": {"replicas": 2, "config": {"min.insync.replicas": 2, "unclean.leader.election.enable": "true"}},
        },
    ),
    (
        "KafkaUser",
        "billing",
        {"spec": {"authorization": {"acls": [{"resource": {"type": "topic", "name": "*"}, "operation": "All"}]}}},
    ),
    (
        "KafkaRebalance",
        "full",
        {"metadata": {"labels": {"strimzi.io/cluster": "order"}}},
    ),
    (
        "KafkaConnect",
        "connect",
        {"spec": {"replicas": 1, "tls": None, "config": {"offset.storage.replication.factor": 1}}},
    ),
    (
        "KafkaConnector",
        "warehouse",
        {"spec": {"autoRestart": None, "config": {"errors.deadletterqueue.topic.name": None}}},
    ),
    (
        "KafkaMirrorMaker2",
        "from-paris",
        {
            "spec": {
                "target": {"groupId": "connect"},
                "mirrors": [
                    {"source": {"alias": "paris", "bootstrapServers": "paris.example:9094"}, "sourceConnector": {}}
                ],
            }
        },
    ),
]


def _in_trouble(status: dict[str, Any]) -> None:
    status["observedGeneration"] = 2
    status["conditions"] = [
        {"type": "NotReady", "status": "True", "reason": "Unschedulable", "message": "decreasing partitions"},
        {"type": "Warning", "status": "True", "reason": "DeprecatedFields", "message": "spec.kafka.listeners is old"},
    ]


def _troubles_of_strimzi(admin: Admin) -> Mapping[str, bool]:
    found = admin.get(_KAFKA)
    types = {condition["type"] for condition in found["status"]["conditions"]}
    changed = {
        f"{kind} {named} is as careless as it was made": _holds(admin.get(f"{_resources(kind)}/{named}"), change)
        for kind, named, change in _CARELESS
    }
    return changed | {
        "somebody scaled the entity operator to none": admin.get(ENTITY_OPERATOR)["spec"]["replicas"] == 0,
        "its operator says that it is not ready": "NotReady" in types and "Ready" not in types,
        "its operator warns": "Warning" in types,
    }


def _holds(thing: Any, change: Any) -> bool:
    """Whether an object has all of a merged change: None is what is gone."""
    if not isinstance(change, dict):
        return bool(thing == change)
    return isinstance(thing, dict) and all(_holds(thing.get(key), value) for key, value in change.items())


def _none_of_strimzi(admin: Admin) -> Mapping[str, bool]:
    return none_of(lambda: _troubles_of_strimzi(admin))()
