"""The Strimzi platform that is well, on a real API server: made of what `strimzi_platform` says, with its statuses.

There is no operator: what it would make is made by hand, and what controllers of Kubernetes make they make themselves.
"""

import datetime as dt
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import yaml

from kafka_lab.certificates import Authority
from kafka_lab.kubernetes.admin import Admin
from kafka_lab.kubernetes.objects import definition
from runbook.formats import strimzi_fields
from support import strimzi_platform
from support.strimzi_declared import CLUSTER, MADE, NAMESPACE, Object

DEFINITIONS: Final = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
OWN_DEFINITIONS: Final = "RUNBOOK_STRIMZI_CRDS"
"""Variable of the environment: a folder with a release's definitions, instead of what our table of fields says."""
_CORE: Final = ("pods", "services", "persistentvolumeclaims", "serviceaccounts", "configmaps")
_WIDE: Final = ("nodes", "persistentvolumes")
_GROUPS: Final = {
    "deployments": "apps/v1",
    "poddisruptionbudgets": "policy/v1",
    "strimzipodsets": "core.strimzi.io/v1",
    "roles": "rbac.authorization.k8s.io/v1",
}
PLURALS: Final = {
    "nodes": "Node",
    "persistentvolumes": "PersistentVolume",
    "storageclasses": "StorageClass",
    "pods": "Pod",
    "services": "Service",
    "persistentvolumeclaims": "PersistentVolumeClaim",
    "deployments": "Deployment",
    "poddisruptionbudgets": "PodDisruptionBudget",
    "strimzipodsets": "StrimziPodSet",
    "kafkas": "Kafka",
    "kafkanodepools": "KafkaNodePool",
    "kafkatopics": "KafkaTopic",
    "kafkausers": "KafkaUser",
    "kafkaconnects": "KafkaConnect",
    "kafkaconnectors": "KafkaConnector",
    "kafkamirrormaker2s": "KafkaMirrorMaker2",
    "kafkabridges": "KafkaBridge",
    "kafkarebalances": "KafkaRebalance",
}
_OPERATOR: Final = "strimzi-cluster-operator"
_IMAGE: Final = "quay.example/strimzi/operator:1.2.0"


def path_of(plural: str, name: str = "") -> str:
    """The path of a kind of object in the namespace, or of one."""
    if plural in _WIDE:
        root = f"/api/v1/{plural}"
    elif plural in _CORE:
        root = f"/api/v1/namespaces/{NAMESPACE}/{plural}"
    else:
        root = f"/apis/{_GROUPS.get(plural, 'kafka.strimzi.io/v1')}/namespaces/{NAMESPACE}/{plural}"
    return f"{root}/{name}" if name else root


def make(admin: Admin, folder: Path) -> None:
    """Make it, and wait until all is well.

    Args:
        admin: who may do everything.
        folder: for an authority's files.

    Raises:
        LabError: the server refused something, or controllers took too long.
    """
    answers = strimzi_platform.answers()
    admin.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    admin.create({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": _named(f"{CLUSTER}-kafka")})
    for thing in definitions():
        admin.create(thing)
        admin.wait(f"{DEFINITIONS}/{thing['metadata']['name']}", is_established, "a definition of Strimzi")
    status = answers[path_of("kafkas")]["items"][0]["status"]
    status["listeners"] = listeners(folder, days=300)
    for path in sorted(answers, key=_rank):
        plural = path.rpartition("/")[2]
        for item in answers[path].get("items", ()) if plural in PLURALS else ():
            add(admin, path, plural, completed(plural, item))
    for thing in _beside():
        add(admin, path_of("deployments"), "deployments", thing)
    settle(admin)


def definitions() -> Iterator[Object]:
    """The definitions of Strimzi's kinds, of a release where its folder is named, else with the fields that we know."""
    if folder := os.environ.get(OWN_DEFINITIONS):
        yield from (yaml.safe_load(file.read_text("utf-8")) for file in sorted(Path(folder).glob("04*-Crd-*.yaml")))
        return
    fields = json.loads(Path(strimzi_fields.__file__).with_suffix(".json").read_text("utf-8"))
    for kind in PLURALS.values():
        if kind.startswith("Kafka"):
            thing = definition("kafka.strimzi.io", kind, ["v1"])
            [version] = thing["spec"]["versions"]
            version["schema"]["openAPIV3Schema"] = {
                "type": "object",
                "properties": {"spec": _schema(fields["kinds"][kind]["v1"], fields["nodes"]), "status": _ANYTHING},
            }
            yield thing
    yield definition("core.strimzi.io", "StrimziPodSet", ["v1"])


_ANYTHING: Final = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
_PLAIN: Final = {"s": "string", "i": "integer", "n": "number", "b": "boolean"}


def _schema(place: int, nodes: list[Any]) -> Object:
    """A node of our table of fields as a schema: by it the server drops fields, and refuses values."""
    node = nodes[place]
    if not isinstance(node, dict):
        if node == "q":
            return {"x-kubernetes-int-or-string": True}
        return {"type": _PLAIN[node]} if node in _PLAIN else {"x-kubernetes-preserve-unknown-fields": True}
    if "e" in node:
        return {"type": "string", "enum": node["e"]} if not node["e"][0].isdigit() else {"type": "integer"}
    if "l" in node:
        return {"type": "array", "items": _schema(node["l"], nodes)}
    if "m" in node:
        return {"type": "object", "additionalProperties": _schema(node["m"], nodes)}
    fields = {name: _schema(each, nodes) for name, each in node["f"].items()}
    return {"type": "object", "properties": fields} | ({"required": node["r"]} if node.get("r") else {})


def listeners(folder: Path, *, days: int) -> list[Object]:
    """What the operator says of listeners: among it the certificate of the cluster's authority."""
    Authority(folder).issue(f"authority-{days}", "cluster-ca", days=days)
    certificate = (folder / f"authority-{days}.crt").read_text("utf-8")
    addresses = {"tls": f"{CLUSTER}-kafka-bootstrap:9093", "outside": "kafka.example:9094"}
    return [
        {"name": name, "bootstrapServers": address, "certificates": [certificate]}
        for name, address in addresses.items()
    ]


def add(admin: Admin, path: str, plural: str, item: Object) -> Object:
    """Create an object with its status, as if it had been there for long."""
    status = item.pop("status", None)
    for owner in item["metadata"].get("ownerReferences", ()):
        keeper = admin.get(path_of("strimzipodsets", owner["name"]))
        owner |= {"apiVersion": keeper["apiVersion"], "uid": keeper["metadata"]["uid"]}
    known = {key: item["metadata"][key] for key in _KEPT if key in item["metadata"]}
    version = path.removeprefix("/apis/").partition(f"/{'namespaces' if 'namespaces' in path else plural}")[0]
    head = {"apiVersion": "v1" if path.startswith("/api/") else version, "kind": PLURALS[plural]}
    admin.post(path, {**item, **head, "metadata": known})
    mine = f"{path}/{known['name']}"
    if status is not None and plural.startswith(("kafka", "strimzi")):
        admin.replace_status(mine, lambda found: found.update(status))
        see(admin, mine)
    if plural.startswith(("kafka", "strimzi")):
        age(admin, mine, dt.datetime.fromisoformat(MADE))
    return admin.get(mine)


_KEPT: Final = ("name", "namespace", "labels", "annotations", "ownerReferences", "finalizers")


def see(admin: Admin, path: str) -> None:
    """Let an operator have seen the newest description of an object."""
    generation = admin.get(path)["metadata"]["generation"]
    admin.replace_status(path, lambda status: status.update(observedGeneration=generation))


def age(admin: Admin, path: str, at: dt.datetime) -> None:
    """Put back when an object was written, as its managers of fields tell.

    The server leaves the times as they are where nothing else is written: so another writer writes when it was.
    """
    thing = admin.get(path)
    thing["metadata"].setdefault("annotations", {})["runbook.lab/aged"] = dt.datetime.now(dt.UTC).isoformat()
    for entry in thing["metadata"]["managedFields"]:
        entry["time"] = at.strftime("%Y-%m-%dT%H:%M:%SZ")
    admin.replace(f"{path}?fieldManager=clock", thing)


def settle(admin: Admin) -> None:
    """Wait until pods are ready, the budget counts them, and Services lead to them; pods have then run for long."""
    admin.wait(path_of("pods"), all_ready, "the pods", within=120)
    for pod in admin.get(path_of("pods"))["items"]:
        if pod["status"].get("startTime") != MADE and pod["metadata"]["labels"].get("strimzi.io/kind") == "Kafka":
            admin.replace_status(path_of("pods", pod["metadata"]["name"]), lambda status: status.update(startTime=MADE))
    admin.wait(path_of("poddisruptionbudgets", f"{CLUSTER}-kafka"), _one_may_go, "the budget", within=60)
    admin.wait(path_of("deployments"), _all_up, "the Deployments", within=60)
    admin.wait(path_of("persistentvolumeclaims"), _all_bound, "the claims", within=60)


def _rank(path: str) -> int:
    """Nodes, classes and volumes first, and pods after the sets that own them."""
    order = ("nodes", "storageclasses", "persistentvolumes", "persistentvolumeclaims", "strimzipodsets", "pods")
    plural = path.rpartition("/")[2]
    return order.index(plural) if plural in order else len(order)


def _named(name: str) -> Object:
    return {"name": name, "namespace": NAMESPACE}


def completed(plural: str, item: Object) -> Object:
    """What a real server asks for beside what is judged."""
    name = item["metadata"]["name"]
    if plural in ("nodes", "persistentvolumes"):
        item["metadata"].pop("namespace", None)
    if plural == "nodes":
        room = {"cpu": "8", "memory": "32Gi", "pods": "110"}
        item["metadata"]["annotations"] = {"kwok.x-k8s.io/node": "fake"}
        item["status"] = {"capacity": room, "allocatable": room}
    elif plural == "persistentvolumes":
        item["spec"]["csi"]["volumeHandle"] = name
        item["spec"]["accessModes"] = ["ReadWriteOnce"]
    elif plural == "persistentvolumeclaims":
        item["spec"]["resources"] = {"requests": {"storage": "500Gi"}}
    elif plural == "services" and item["spec"]["clusterIP"] != "None":
        del item["spec"]["clusterIP"]
    elif plural == "strimzipodsets":
        item["metadata"]["labels"] = {"strimzi.io/cluster": CLUSTER, "strimzi.io/kind": "Kafka"}
        item["spec"]["selector"] = {"matchLabels": {"strimzi.io/cluster": CLUSTER}}
        for pod in item["spec"]["pods"]:
            del pod["status"]
    elif plural == "deployments":
        _runs(item)
    return item


def _runs(item: Object, image: str = _IMAGE) -> None:
    template = item["spec"]["template"]
    item["spec"]["selector"] = {"matchLabels": template["metadata"]["labels"]}
    template["spec"] = {"containers": [{"name": "main", "image": image}]}


def _beside() -> Iterator[Object]:
    """The operator itself, and the pods of a bridge."""
    for name, pods, labels in (
        (_OPERATOR, 1, {"name": _OPERATOR, "strimzi.io/kind": "cluster-operator"}),
        ("web-bridge", 2, {"strimzi.io/cluster": "web", "strimzi.io/kind": "KafkaBridge", "strimzi.io/name": "web"}),
    ):
        rolling = {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}}
        spec = {"replicas": pods, "strategy": rolling, "template": {"metadata": {"labels": labels}}}
        item: Object = {"metadata": _named(name) | {"labels": labels}, "spec": spec}
        _runs(item)
        yield item


def is_established(seen: Object) -> bool:
    return any(each["type"] == "Established" and each["status"] == "True" for each in _conditions(seen))


def _conditions(thing: Object) -> list[Object]:
    return list(thing.get("status", {}).get("conditions") or ())


def _every(holds: Callable[[Any], bool]) -> Callable[[Object], bool]:
    return lambda seen: bool(seen["items"]) and all(map(holds, seen["items"]))


def is_ready(thing: Object) -> bool:
    """Whether a pod or a node is ready."""
    return any(each["type"] == "Ready" and each["status"] == "True" for each in _conditions(thing))


all_ready: Final = _every(is_ready)
_all_up: Final = _every(lambda one: one["status"].get("readyReplicas") == one["spec"]["replicas"])
_all_bound: Final = _every(lambda one: one["status"].get("phase") == "Bound")


def _one_may_go(seen: Object) -> bool:
    return bool(seen.get("status", {}).get("disruptionsAllowed") == 1)
