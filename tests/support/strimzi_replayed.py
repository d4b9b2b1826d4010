"""Strimzi's cluster operator, replayed from its published source against a real API server and real brokers.

This is not the operator. It does in order what `AbstractOperator`, `KafkaAssemblyOperator`, `KafkaReconciler`,
`KafkaRoller`, `KafkaAvailability`, `KRaftVersionChangeCreator`, `KRaftMetadataManager` and `KafkaSpecChecker` of 0.51
to 1.2 do with a Kafka resource, as far as an upgrade goes: it is paused or not, refuses what it does not know, writes
pod sets, restarts pods one after the other, raises the metadata version, and says so in the status. Brokers are
restarted for real, with the binaries that they had. It looks when something has changed, and not each two minutes too.
A broker that died while it rolls is started again, as a kubelet does with a container.
"""

import logging
import re
import subprocess
import time
from contextlib import closing, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final, NamedTuple, Self

from kafka_lab import LabState
from kafka_lab.brokers import start
from kafka_lab.errors import LabError
from kafka_lab.kubernetes.admin import Admin
from kafka_lab.processes import terminate
from kafka_lab.recovery import revive
from kafka_lab.state import LabBroker
from kafka_lab.waiting import wait_for_brokers, wait_until

NAMESPACE: Final = "kafka"
CLUSTER: Final = "orders"
POOL: Final = "dual"
DEPLOYMENT: Final = f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments/strimzi-cluster-operator"
PODS: Final = f"/api/v1/namespaces/{NAMESPACE}/pods"
_PAUSED: Final = "strimzi.io/pause-reconciliation"
_REVISION, _VERSION = "strimzi.io/revision", "strimzi.io/kafka-version"
_LOG = logging.getLogger(__name__)
_IN_ORDER, _WITHIN = 60.0, 120.0  # seconds for a broker to end, and to be back
_TRIES, _FIRST_WAIT = 10, 0.25  # KafkaReconciler's BackOff(250, 2, 10): tries for a pod, each wait twice the one before
_POLL = 0.5  # seconds
_IDLE: Final = 20.0  # seconds with a Deployment that does not run, or asks for a version of the API that is gone

Object = dict[str, Any]


class RefusedError(Exception):
    """Why a reconciliation ends: the condition's reason is the name of the operator's exception."""

    def __init__(self, reason: str, message: str) -> None:
        """Say both as the condition has them."""
        super().__init__(message)
        self.reason = reason


class Operator(NamedTuple):
    """What its Deployment says of the operator that runs."""

    version: str
    images: dict[str, str]

    @property
    def api(self) -> str:
        """The version of the API that it asks for: v1 from 1.0 on."""
        return "v1beta2" if self.version.startswith("0.") else "v1"


def pod_name(broker: LabBroker) -> str:
    """The pod of a broker."""
    return f"{CLUSTER}-{POOL}-{broker.number}"


class ReplayedOperator:
    """The operator, in a thread of its own.

    Attributes:
        rolls: each pod that it restarted, with the image that it got.
        failure: what ended the replay, which is a mistake of this module or of the lab.
    """

    def __init__(self, lab: LabState, kubeconfig: Path, tools: Path) -> None:
        """Nothing runs yet; Kafka's scripts are in the folder of tools."""
        self._lab = lab
        self._kubeconfig = kubeconfig
        self._tools = tools
        self._ends = Event()
        self._done: tuple[Any, ...] = ()
        self._thread = Thread(target=self._watches, daemon=True)
        self.rolls: list[tuple[str, str]] = []
        self.failure: BaseException | None = None

    def __enter__(self) -> Self:
        """Begin to watch."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End once what goes on has come to its end."""
        self._ends.set()
        self._thread.join(_WITHIN)

    def settles(self, within: float = 300.0) -> None:
        """Wait until it has done with what is described now, or no operator acts at all.

        Raises:
            LabError: it took too long.
            AssertionError: the replay itself failed.
        """
        acted = time.monotonic()

        def is_done() -> bool:
            nonlocal acted
            seen = self._sees(admin)
            if seen:
                acted = time.monotonic()
            return self.failure is not None or self._done == seen or time.monotonic() - acted > _IDLE

        with closing(Admin(self._kubeconfig)) as admin:
            wait_until(is_done, "the replayed operator to be done", within=within)
        assert self.failure is None, self.failure

    def _watches(self) -> None:
        with closing(Admin(self._kubeconfig)) as admin:
            while not self._ends.wait(_POLL):
                try:
                    seen = self._sees(admin)
                    if seen not in ((), self._done):
                        self._reconciles(admin)
                        self._done = seen
                except LabError as error:
                    # A definition is replaced, or a status was written meanwhile.
                    _LOG.info("The replayed operator looks again: %s", error)
                except BaseException as error:
                    self.failure = error
                    raise

    def _sees(self, admin: Admin) -> tuple[Any, ...]:
        """What makes it look again; empty where no operator runs, or its version of the API is not served."""
        try:
            operator = self._operator(admin)
            kafka = admin.get(_kafka(operator.api)) if operator else None
        except LabError:
            return ()
        if operator is None or kafka is None:
            return ()
        return (operator.version, kafka["metadata"]["generation"], _is_paused(kafka))

    def _operator(self, admin: Admin) -> Operator | None:
        found = admin.get(DEPLOYMENT)
        status = found.get("status", {})
        if status.get("observedGeneration") != found["metadata"]["generation"] or not status.get("readyReplicas"):
            return None
        [container] = found["spec"]["template"]["spec"]["containers"]
        given = {one["name"]: one.get("value", "") for one in container["env"]}
        images = dict(line.split("=") for line in given["STRIMZI_KAFKA_IMAGES"].split())
        return Operator(container["image"].rpartition(":")[2], images)

    def _reconciles(self, admin: Admin) -> None:
        operator = self._operator(admin)
        assert operator is not None
        kafka = admin.get(_kafka(operator.api))
        before = kafka.get("status", {})
        if _is_paused(kafka):  # AbstractOperator.reconcileResource: nothing but this is left of the status
            kept = {name: before[name] for name in ("clusterId",) if name in before}
            seen = before.get("observedGeneration", 0)
            self._says(
                admin, operator, {**kept, "observedGeneration": seen, "conditions": [_true("ReconciliationPaused")]}
            )
            return
        said: Object = {name: before[name] for name in _KEPT if name in before}
        said["observedGeneration"] = kafka["metadata"]["generation"]
        try:
            said |= self._carries_out(admin, operator, kafka)
            said["operatorLastSuccessfulVersion"] = operator.version
            said["conditions"] = [*said.pop("warnings"), _true("Ready")]
        except RefusedError as refused:
            said["conditions"] = [_true("NotReady", refused.reason, str(refused))]
        self._says(admin, operator, said)

    def _says(self, admin: Admin, operator: Operator, said: Object) -> None:
        def all_of_it(status: Object) -> None:
            status.clear()
            status.update(said)

        admin.replace_status(_kafka(operator.api), all_of_it)

    def _carries_out(self, admin: Admin, operator: Operator, kafka: Object) -> Object:
        asked = kafka["spec"]["kafka"]
        version = asked.get("version") or max(operator.images)
        if version not in operator.images:
            known = ", ".join(sorted(operator.images))
            text = f"Unsupported Kafka.spec.kafka.version: {version}. Supported versions are: [{known}]"
            raise RefusedError("UnsupportedKafkaVersionException", text)
        level = _level(asked.get("metadataVersion"), kafka.get("status", {}), version, _versions(admin))
        warnings = []
        if not version.startswith(level[: len("4.2")]):
            warnings.append(
                _true("Warning", "KafkaMetadataVersion", "Metadata version is older than the Kafka version")
            )
        self._rolls(admin, operator, version)
        in_force, failed = self._raises(level)
        return {
            "kafkaVersion": version,
            "kafkaMetadataVersion": in_force,
            "warnings": [*warnings, *failed],
        }

    def _rolls(self, admin: Admin, operator: Operator, version: str) -> None:
        """KafkaReconciler.podSet and rollingUpdate: the set is written, then pods restarted that are not as listed."""
        path = pod_set(operator.api)
        owner = owner_of(admin, operator.api)
        pods = [pod_of(broker, operator.images[version], version, owner) for broker in self._lab.brokers]
        listed = {pod["metadata"]["name"]: pod for pod in pods}
        admin.patch(path, {"spec": {"pods": [*listed.values()]}})
        waiting = [broker for broker in self._lab.brokers if self._is_old(admin, listed[pod_name(broker)])]
        tries = 0
        while waiting:
            self._revives()
            broker = next((one for one in waiting if len(waiting) == 1 or one.number != self._active()), waiting[0])
            if not self._can_roll(broker):
                tries += 1
                if tries == _TRIES:
                    raise RefusedError("UnforceableProblem", f"Pod {pod_name(broker)} cannot be updated right now.")
                self._ends.wait(_FIRST_WAIT * 2 ** (tries - 1))
                continue
            self._restarts(admin, broker, listed[pod_name(broker)])
            waiting.remove(broker)
        status = {"pods": len(listed), "readyPods": len(listed), "currentPods": len(listed)}
        generation = admin.get(path)["metadata"]["generation"]
        admin.replace_status(path, lambda said: said.update(status, observedGeneration=generation))

    def _is_old(self, admin: Admin, listed: Object) -> bool:
        found = admin.get(f"{PODS}/{listed['metadata']['name']}")
        return bool(found["metadata"]["annotations"][_REVISION] != listed["metadata"]["annotations"][_REVISION])

    def _restarts(self, admin: Admin, broker: LabBroker, listed: Object) -> None:
        path = f"{PODS}/{pod_name(broker)}"
        old = admin.get(path)["metadata"]["uid"]
        admin.delete(path)
        terminate(broker.process, patience=_IN_ORDER)  # as a kubelet does with the pod
        wait_until(lambda: _uid(admin, path) != old, "the old pod to be gone", within=_WITHIN)
        admin.create(listed)  # as StrimziPodSetController does with one that is listed and not there
        admin.wait(path, is_ready, f"pod {pod_name(broker)}", within=_WITHIN)
        start(self._lab, broker)
        wait_until(self._revives, "all brokers to answer", within=_WITHIN)
        self.rolls.append((pod_name(broker), listed["spec"]["containers"][0]["image"]))

    def _revives(self) -> bool:
        """As kubelets do: what died is started again. Gives whether all answer; a LabError says what does not."""
        revive(self._lab, {broker.number for broker in self._lab.brokers})
        wait_for_brokers(self._lab, within=_WITHIN)
        return True

    def _active(self) -> int:
        said = self._asks_kafka("kafka-metadata-quorum.sh", "describe", "--status")
        return int(re.findall(r"LeaderId:\s+(\d+)", said)[-1])

    def _can_roll(self, broker: LabBroker) -> bool:
        """KafkaAvailability: no partition falls below its min.insync.replicas, and none of the broker's is below."""
        for option, place in (("--at-min-isr-partitions", "Isr"), ("--under-min-isr-partitions", "Replicas")):
            said = self._asks_kafka("kafka-topics.sh", "--describe", option)
            held = re.findall(rf"{place}: ([0-9,]+)", said)
            if any(str(broker.number) in ids.split(",") for ids in held):
                return False
        return True

    def _raises(self, level: str) -> tuple[str, list[Object]]:
        """KRaftMetadataManager: metadata.version alone; what Kafka refuses becomes a warning."""
        if self._level_in_force() == level:
            return level, []
        way = "upgrade" if level > self._level_in_force() else "downgrade"
        try:
            self._asks_kafka("kafka-features.sh", way, "--metadata", level)
        except LabError:
            text = f"Failed to update metadata version to {level}"
            return self._level_in_force(), [_true("Warning", "MetadataUpdateFailed", text)]
        return self._level_in_force(), []

    def _level_in_force(self) -> str:
        said = self._asks_kafka("kafka-features.sh", "describe")
        return str(re.findall(r"metadata.version.*FinalizedVersionLevel: (\S+)", said)[0])

    def _asks_kafka(self, tool: str, *words: str) -> str:
        command = [str(self._tools / tool), "--bootstrap-server", self._lab.bootstrap, *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=_WITHIN, check=False)
        if done.returncode != 0:
            raise LabError(f"{tool} {' '.join(words)}: {(done.stdout + done.stderr)[-400:]}")
        return done.stdout


_KEPT: Final = ("clusterId", "operatorLastSuccessfulVersion", "kafkaVersion", "kafkaMetadataVersion")
_LEVELS: Final = {"4.1": "4.1-IV1", "4.2": "4.2-IV1", "4.3": "4.3-IV0"}
"""Kafka's release → its metadata version, as kafka-versions.yaml has it."""


def _level(desired: str | None, said: Object, version: str, versions: set[str]) -> str:
    """KRaftVersionChangeCreator: which metadata version is to be in force in the end."""
    own, now = _LEVELS[version[:3]], said.get("kafkaMetadataVersion")
    if versions == {version}:  # no version of Kafka changes
        wanted = _LEVELS.get(desired or "", desired) or own
        return wanted if wanted <= own else now or own
    return str(now or _LEVELS[min(versions)[:3]])


def _versions(admin: Admin) -> set[str]:
    found = admin.get(PODS)["items"]
    return {
        pod["metadata"]["annotations"][_VERSION]
        for pod in found
        if pod["metadata"]["labels"].get("strimzi.io/cluster") == CLUSTER
    }


def _kafka(api: str) -> str:
    return f"/apis/kafka.strimzi.io/{api}/namespaces/{NAMESPACE}/kafkas/{CLUSTER}"


def _is_paused(kafka: Object) -> bool:
    return bool(kafka["metadata"].get("annotations", {}).get(_PAUSED) == "true")


def is_ready(pod: Object) -> bool:
    """Whether a pod is."""
    conditions = pod.get("status", {}).get("conditions", [])
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)


def _uid(admin: Admin, path: str) -> str:
    with suppress(LabError):
        return str(admin.get(path)["metadata"]["uid"])
    return ""


def _true(kind: str, reason: str = "", message: str = "") -> Object:
    told = {name: value for name, value in (("reason", reason), ("message", message)) if value}
    return {"type": kind, "status": "True", **told}


def pod_set(api: str) -> str:
    """The path of the pod set."""
    return f"/apis/core.strimzi.io/{api}/namespaces/{NAMESPACE}/strimzipodsets/{CLUSTER}-{POOL}"


def owner_of(admin: Admin, api: str) -> Object:
    """What pods say of the set that keeps them."""
    kept_by = admin.get(pod_set(api))
    return {
        "apiVersion": f"core.strimzi.io/{api}",
        "kind": "StrimziPodSet",
        "name": kept_by["metadata"]["name"],
        "uid": kept_by["metadata"]["uid"],
        "controller": True,
    }


def pod_of(broker: LabBroker, image: str, version: str, owner: Object) -> Object:
    """A pod as the operator writes it, in few words: on the node and the claim that the broker has."""
    labels = {
        "app.kubernetes.io/name": "kafka",
        "strimzi.io/cluster": CLUSTER,
        "strimzi.io/kind": "Kafka",
        "strimzi.io/name": f"{CLUSTER}-kafka",
        "strimzi.io/component-type": "kafka",
        "strimzi.io/broker-role": "true",
        "strimzi.io/controller-role": "true",
        "strimzi.io/pool-name": POOL,
        "strimzi.io/pod-name": pod_name(broker),
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": pod_name(broker),
            "namespace": NAMESPACE,
            "labels": labels,
            "annotations": {_REVISION: image.rpartition(":")[2], _VERSION: version},
            "ownerReferences": [owner],
        },
        "spec": {
            "hostname": pod_name(broker),
            "subdomain": f"{CLUSTER}-kafka-brokers",
            "nodeName": f"kafka-{broker.number}-{broker.rack}",
            "terminationGracePeriodSeconds": 30,
            "tolerations": [{"operator": "Exists"}],
            "containers": [
                {
                    "name": "kafka",
                    "image": image,
                    "volumeMounts": [{"name": "data", "mountPath": "/var/lib/kafka/data-0"}],
                }
            ],
            "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": f"data-kafka-{broker.number}"}}],
        },
    }
