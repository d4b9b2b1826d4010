"""Does the faults of `tests/records/manifests/live.yaml` to a platform on a real API server, and undoes them."""

import datetime as dt
import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from kafka_lab.errors import LabError
from kafka_lab.kubernetes.admin import Admin
from kafka_lab.kubernetes.objects import PODS
from support import strimzi_server
from support.strimzi_declared import CLUSTER, MADE, NAMESPACE, Object
from support.strimzi_fault import merged
from support.strimzi_platform import answers
from support.strimzi_server import DEFINITIONS, age, path_of, see

_LONG_AGO: Final = dt.datetime.fromisoformat(MADE)
_OF_SERVER: Final = ("uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "deletionTimestamp")
_ROLE: Final = "roles/runbook"
Step = dict[str, Any]


class Hand:
    """Does the steps of one fault, and then undoes what it did, the last first."""

    def __init__(self, admin: Admin, folder: Path) -> None:
        """Nothing is done yet.

        Args:
            admin: who may do everything.
            folder: for the files of certificates.
        """
        self._admin = admin
        self._folder = folder
        self._undo: list[Callable[[], None]] = []
        self._held: set[str] = set()
        self.settings: dict[str, Any] = {}

    def does(self, steps: list[Step]) -> None:
        """Do them in their order."""
        for step in steps:
            verb = next(iter(step))
            getattr(self, f"_{verb}")(_timed(step))

    def undoes(self) -> None:
        """Leave the platform as it was."""
        while self._undo:
            self._undo.pop()()
        strimzi_server.settle(self._admin)

    def _patch(self, step: Step) -> None:
        path = self._hold(step["patch"])
        self._admin.patch(path, _change(self._admin.get(path), step))

    def _status(self, step: Step) -> None:
        path = self._hold(step["status"])
        self._admin.patch(f"{path}/status", {"status": step["with"]})

    def _seen(self, step: Step) -> None:
        see(self._admin, self._hold(step["seen"]))

    def _aged(self, step: Step) -> None:
        age(self._admin, self._hold(step["aged"]), _ago(step["minutes"]))

    def _delete(self, step: Step) -> None:
        self._admin.delete(self._hold(step["delete"]))

    def _remake(self, step: Step) -> None:
        path = self._hold(step["remake"])
        made = _fresh(self._admin.get(path))
        made = merged(made, _change(made, step))
        self._gone(path)
        self._admin.create(made)
        if "nodeName" in made["spec"]:
            self._admin.wait(path, strimzi_server.is_ready, "the pod")

    def _settings(self, step: Step) -> None:
        self.settings |= step["settings"]

    def _deny(self, step: Step) -> None:
        path = self._hold(_ROLE)
        role = self._admin.get(path)
        for rule in role["rules"]:
            rule["resources"] = [one for one in rule["resources"] if one != step["deny"]] or ["nothing"]
        self._admin.replace(path, role)

    def _undefine(self, step: Step) -> None:
        path = f"{DEFINITIONS}/{step['undefine']}"
        definition, plural = _fresh(self._admin.get(path)), step["undefine"].partition(".")[0]
        held = self._admin.get(path_of(plural))["items"]
        self._admin.delete(path)
        self._admin.wait(
            DEFINITIONS, lambda seen: step["undefine"] not in map(_name, seen["items"]), "the definition to go"
        )

        def put_back() -> None:
            self._admin.create(definition)
            self._admin.wait(path, strimzi_server.is_established, "the definition to be back")
            for thing in held:
                strimzi_server.add(self._admin, path_of(plural), plural, thing)

        self._undo.append(put_back)

    def _revise(self, step: Step) -> None:
        """Describe the pods of a set anew, of which some are already so."""
        path = self._hold(f"strimzipodsets/{step['revise']}")
        notes = {"metadata": {"annotations": {"strimzi.io/revision": "0a1b2c3d"}}}
        pods = [merged(pod, notes) for pod in self._admin.get(path)["spec"]["pods"]]
        self._admin.patch(path, {"spec": {"pods": pods}})
        see(self._admin, path)
        age(self._admin, path, _ago(step["aged"]))
        for number in step["but"]:
            self._admin.patch(self._hold(f"pods/{step['revise']}-{number}"), notes)

    def _authority(self, step: Step) -> None:
        path = self._hold(f"kafkas/{step['authority']}")
        said = strimzi_server.listeners(self._folder, days=step["days"])
        self._admin.replace_status(path, lambda status: status.update(listeners=said))

    def _second(self, step: Step) -> None:
        """Add another cluster: three nodes with both roles, of which the operator says that they are not ready."""
        named = step["second"]
        kafka, pool, pods = (
            self._admin.get(path_of(plural, name))
            for plural, name in (
                ("kafkas", CLUSTER),
                ("kafkanodepools", "brokers"),
                ("strimzipodsets", f"{CLUSTER}-brokers"),
            )
        )
        text = json.dumps([kafka, pool, pods]).replace(f"{CLUSTER}-", f"{named}-").replace(f'"{CLUSTER}"', f'"{named}"')
        text = text.replace('"brokers"', '"brokers-too"')
        kafka, pool, pods = json.loads(text)
        pool["metadata"]["name"] = "brokers-too"
        pool["spec"]["replicas"] = 3
        for part in ("entityOperator", "cruiseControl", "kafkaExporter"):
            del kafka["spec"][part]
        pool["spec"]["roles"] = ["broker", "controller"]
        if step.get("ill"):
            kafka["spec"]["kafka"]["config"] = {}
            kafka["status"]["conditions"] = [{"type": "NotReady", "status": "True", "reason": "Creating"}]
        pods["spec"]["pods"] = pods["spec"]["pods"][:3]
        for plural, thing in (("kafkas", kafka), ("kafkanodepools", pool), ("strimzipodsets", pods)):
            strimzi_server.add(self._admin, path_of(plural), plural, thing)
            self._undo.append(partial(self._gone, path_of(plural, _name(thing))))
        account = {"name": f"{named}-kafka", "namespace": NAMESPACE}
        self._admin.create({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": account})
        for pod in pods["spec"]["pods"]:
            made = pod | {"metadata": {**pod["metadata"], "namespace": NAMESPACE}}
            made["spec"].pop("volumes")
            made["spec"]["containers"][0].pop("volumeMounts")
            strimzi_server.add(self._admin, PODS, "pods", made)
            self._undo.append(partial(self._gone, path_of("pods", _name(pod))))
        self._admin.wait(PODS, strimzi_server.all_ready, "the pods of the other cluster")

    def _hold(self, named: str) -> str:
        """The path of an object, of which is known how to put it back."""
        plural, _, name = named.partition("/")
        path = path_of(plural, name)
        whole = path_of(plural, name.partition("/")[0])
        if whole not in self._held:
            self._held.add(whole)
            was = self._admin.get(whole)
            self._undo.append(lambda: self._put_back(plural, whole, was))
        return path

    def _put_back(self, plural: str, path: str, was: Object) -> None:
        if plural in ("persistentvolumes", "persistentvolumeclaims"):
            self._rebind(was)
        elif plural in ("pods", "deployments", "poddisruptionbudgets", "services"):
            self._gone(path)
            self._admin.post(path.rpartition("/")[0], _fresh(was))
        elif plural in ("nodes", "roles"):
            now = self._admin.get(path)
            notes = {
                "labels": dict.fromkeys(now["metadata"].get("labels", {}), None) | was["metadata"].get("labels", {})
            }
            self._admin.patch(path, {"metadata": notes} | ({"rules": was["rules"]} if plural == "roles" else {}))
            if plural == "nodes":
                self._admin.wait(path, strimzi_server.is_ready, "the node to be back", within=60)
                self._renew_pods(path.rpartition("/")[2])
        else:
            self._described_again(path, plural, was)

    def _described_again(self, path: str, plural: str, was: Object) -> None:
        """Put a custom resource back in its place, as what it owns goes with it where it is made again."""
        found = {one["metadata"]["name"]: one for one in self._admin.get(path_of(plural))["items"]}
        now = found.get(was["metadata"]["name"])
        if now is None or "deletionTimestamp" in now["metadata"]:
            self._gone(path)
            strimzi_server.add(self._admin, path_of(plural), plural, was)
            return
        kept = {key: value for key, value in now["metadata"].items() if key in _OF_SERVER}
        self._admin.replace(path, was | {"metadata": _fresh(was)["metadata"] | kept})
        now = self._admin.get(path)
        self._admin.replace(f"{path}/status", now | {"status": was["status"]})
        see(self._admin, path)
        age(self._admin, path, _LONG_AGO)

    def _rebind(self, was: Object) -> None:
        """Make a volume and its claim again, as one of them can't be had without the other."""
        claim = was["spec"].get("claimRef", {}).get("name") or _name(was)
        both = {"persistentvolumeclaims": claim, "persistentvolumes": claim.replace("data-0-", "pv-")}
        for plural, name in both.items():
            self._gone(path_of(plural, name))
        for plural, name in reversed(both.items()):
            [item] = [one for one in answers()[path_of(plural)]["items"] if _name(one) == name]
            strimzi_server.add(self._admin, path_of(plural), plural, strimzi_server.completed(plural, item))

    def _renew_pods(self, node: str) -> None:
        """A simulated kubelet doesn't look at a pod again that was marked as not ready with its node."""
        for pod in self._admin.get(PODS)["items"]:
            if pod["spec"].get("nodeName") == node:
                path = path_of("pods", pod["metadata"]["name"])
                self._gone(path)
                self._admin.create({"apiVersion": "v1", "kind": "Pod", **_fresh(pod)})

    def _gone(self, path: str) -> None:
        """Delete an object, whatever holds it."""
        plural, _, name = path.rpartition("/")
        self._admin.delete(f"{path}?gracePeriodSeconds=0&propagationPolicy=Background")

        def is_gone(seen: Object) -> bool:
            found = [one for one in seen["items"] if _name(one) == name]
            if found and found[0]["metadata"].get("finalizers"):
                with suppress(LabError):  # it has gone meanwhile
                    self._admin.patch(path, {"metadata": {"finalizers": None}})
            return not found

        self._admin.wait(plural, is_gone, name)


def _change(thing: Object, step: Step) -> Object:
    """What a step merges into an object: into each of a list, or those of it that are `where` says."""
    change = step["with"]
    if "each" not in step:
        return dict(change)
    found: Any = thing
    for key in step["each"]:
        found = found[key]
    where = step.get("where", {}).items()
    change = [merged(one, change) if where <= one.items() else one for one in found]
    for key in reversed(step["each"]):
        change = {key: change}
    return dict(change)


def _name(thing: Object) -> str:
    return str(thing["metadata"]["name"])


def _fresh(thing: Object) -> Object:
    """An object to be made again: without what the server wrote, and its status."""
    metadata = {key: value for key, value in thing["metadata"].items() if key not in _OF_SERVER}
    kept = {key: value for key, value in thing.items() if key != "status"} | {"metadata": metadata}
    if "clusterIP" in kept.get("spec", {}) and kept["spec"]["clusterIP"] != "None":
        kept["spec"] = {key: value for key, value in kept["spec"].items() if key not in ("clusterIP", "clusterIPs")}
    return kept


def _ago(minutes: float) -> dt.datetime:
    return dt.datetime.now(dt.UTC) - dt.timedelta(minutes=minutes)


def _timed(value: Any) -> Any:
    """Put a moment where a step says how many minutes ago."""
    if isinstance(value, dict):
        if value.keys() == {"ago"}:
            return _ago(value["ago"]).strftime("%Y-%m-%dT%H:%M:%SZ")
        return {key: _timed(each) for key, each in value.items()}
    return [_timed(each) for each in value] if isinstance(value, list) else value
