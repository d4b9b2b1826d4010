"""What a Kubernetes cluster is asked: each list once, however many probes need it."""

import io
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from runbook.answers.files import ClientFile
from runbook.answers.gc_logs import GcLog, LogFile
from runbook.answers.kubernetes import reads
from runbook.answers.kubernetes.objects import Absent, labels, many, name, part, text
from runbook.answers.kubernetes.pod import container_status, main_container
from runbook.answers.kubernetes.strimzi import CLUSTER, of_another
from runbook.connections._client_files import ClientEntry, each_client
from runbook.connections._memory import Memory
from runbook.connections.kubernetes.api import Api
from runbook.connections.kubernetes.certificates import last_end
from runbook.connections.kubernetes.errors import NotFound
from runbook.connections.kubernetes.roles import ROLES, Roles
from runbook.connections.kubernetes.settings import Access
from runbook.model.errors import CannotLook, Denied, Garbled, Misconfigured, did_you_mean
from runbook.model.fact import Gap
from runbook.model.quantity import BrokerId, Bytes, Moment

_NODE_ID_VARIABLES: Final = ("KAFKA_NODE_ID", "KAFKA_BROKER_ID", "KAFKA_CFG_NODE_ID", "KAFKA_CFG_BROKER_ID")
_NODE_ID: Final = re.compile(r"[0-9]{1,9}")
_GROUPS: Final = {"quorum": ("controller", "zookeeper"), "kafka": ("broker", "controller", "zookeeper")}
_CALLED: Final = {"broker": "broker", "controller": "controller", "zookeeper": "ZooKeeper server"}
_SETTINGS: Final = {"broker": "brokers", "controller": "controllers", "zookeeper": "zookeeper"}

_LINES: Final = 200_000
"""Of a pod's log, its newest: 24 MB of a GC log's lines, a day or more of a busy broker. Our judgement."""

Object = dict[str, Any]


class Kubernetes:
    """A Kubernetes cluster and the namespace in it where Kafka lives."""

    def __init__(self, api: Api, access: Access) -> None:
        """Ask through this seam; nothing is asked yet."""
        self._api = api
        self.clock = api.clock
        self._memory = Memory()
        self._offset = access.broker_offset
        self._clients = access.clients
        self._logs = access.logs
        self._cluster = access.cluster
        self.namespace = access.namespace
        self.roles = Roles(access.selectors, access.cluster)

    @property
    def server(self) -> str:
        """How sentences name the API server."""
        return self._api.server

    def version(self) -> Object:
        """Return the API server's version.

        It is asked before everything else: a server that does not answer is waited for once, not once for each list.
        """
        return self._memory.once("version", lambda: self._api.get(reads.VERSION))

    def listed(self, path: str, **fills: str) -> list[Object]:
        """Return all objects of one of the paths in `reads`, without those of other Kafka clusters where one is named.

        Raises:
            CannotLook: they were not given, or it is not certain that there are none.
        """
        self._greet()
        found = self._everyones(path, **fills)
        if not found and "{namespace}" in path:
            self._memory.once("namespace", self._see_namespace)
        if not self._cluster:
            return found
        return [pod for pod in found if not of_another(self._cluster, pod, fills.get("resource", ""))]

    def _everyones(self, path: str, **fills: str) -> list[Object]:
        where = path.format(namespace=self.namespace, **fills)
        return self._memory.once(where, lambda: self._api.items(path, namespace=self.namespace, **fills))

    def pods(self, role: str = "") -> list[Object]:
        """Return the pods of a role or of a group of roles (quorum, kafka), or all of the namespace.

        Raises:
            CannotLook: no pod has the role: then it is more likely that the selector is wrong than that there are none.
        """
        if role and role not in (*ROLES, *_GROUPS):
            raise Misconfigured(f"no pod has the role {role}: {did_you_mean(role, [*ROLES, *_GROUPS])}")
        found = self.listed(reads.PODS)
        if not role:
            return found
        wanted = _GROUPS.get(role, (role,))
        chosen = [pod for pod in found if set(wanted) & set(self.roles.of(labels(pod)))]
        if not chosen:
            raise Misconfigured(self._nobody(len(found), wanted))
        return chosen

    def custom(self, group: str, resource: str) -> tuple[str, list[Object]]:
        """Return the version that was asked, and all custom resources of a kind; v1 before v1beta2 and others.

        Raises:
            Absent: the cluster has no such kind.
            CannotLook: they were not given.
        """
        self._greet()
        try:
            served = self._memory.once(group, lambda: self._api.get(reads.GROUP, group=group))
        except NotFound:
            raise Absent(f"the cluster has no resources of {group}") from None
        versions = sorted((text(version, "version") for version in many(served, "versions")), key=_maturity)
        for version in versions:
            try:
                return version, self.listed(reads.CUSTOM_RESOURCES, group=group, version=version, resource=resource)
            except NotFound:
                continue
        raise Absent(f"the cluster has no {resource}.{group}")

    def strays(self, group: str, resource: str) -> list[Object]:
        """Custom resources that are left out as those of another cluster, though no Kafka resource has its name.

        Raises:
            Absent: the cluster has no such kind.
            CannotLook: they were not given.
        """
        if not self._cluster:
            return []
        version, mine = self.custom(group, resource)
        kafkas, found = (
            self._everyones(reads.CUSTOM_RESOURCES, group=group, version=version, resource=kind)
            for kind in ("kafkas", resource)
        )
        known = {name(kafka) for kafka in kafkas}
        return [one for one in found if one not in mine and labels(one).get(CLUSTER) not in known]

    def last_end(self, certificates: Iterable[str]) -> Moment:
        """Until when the one of some certificates, as PEM, that holds longest does.

        Raises:
            Garbled: one can't be read.
        """
        return last_end(certificates)

    def gc_logs(self) -> tuple[list[GcLog], list[Gap]]:
        """Read the logs of the broker pods, into which their JVMs may log collections; a gap for each that can't be.

        A kubelet gives the newest file of a pod's log, 10 MiB of it where nobody configured otherwise.

        Raises:
            CannotLook: the pods can't be listed, or the inventory does not let logs be read.
        """
        if not self._logs:
            raise Misconfigured("logs of pods are not read: `logs: true` of kubernetes lets them be")
        logs, gaps = [], []
        for pod in self.pods("broker"):
            broker = self.broker_of(pod)
            if broker is None:
                gaps.append(
                    Gap(f"pod {name(pod)} is a broker and does not tell which: set broker_offset of kubernetes")
                )
                continue
            try:
                logs.append(self._gc_log(pod, BrokerId(broker)))
            except CannotLook as failure:
                gaps.append(Gap.of(failure, {"broker": broker}, f"the GC log of broker {broker}: {failure}"))
        return logs, gaps

    def _gc_log(self, pod: Object, broker: BrokerId) -> GcLog:
        query: dict[str, str | int] = {"container": text(main_container(pod), "name"), "tailLines": _LINES}
        fills = {"namespace": self.namespace, "name": name(pod)}
        log = self._memory.once(("log", name(pod)), lambda: self._api.text(reads.POD_LOG, query, **fills))
        where = f"the log of pod {name(pod)}"
        file = LogFile(
            path=where,
            size=Bytes(len(log)),
            modified=self.clock.now("log of a pod"),
            last=lambda size: io.BytesIO(log[len(log) - size :]),
            dated=False,
        )
        runs = "running" in part(container_status(pod), "state")
        return GcLog(broker=broker, host=text(pod, "spec", "nodeName"), path=where, files=[file], runs=runs)

    def clients(self) -> tuple[list[ClientFile], list[Gap]]:
        """Read what configures the clients that the inventory lists; a gap for each that can't be read."""
        return each_client(self._clients, lambda entry: [self._client(entry)])

    def _client(self, entry: ClientEntry) -> ClientFile:
        name, key = entry.where["config_map"], entry.where["key"]
        namespace = entry.where.get("namespace", self.namespace)
        self._greet()
        try:
            thing = self._memory.once(
                (namespace, name), lambda: self._api.get(reads.CONFIG_MAP, namespace=namespace, name=name)
            )
        except NotFound:
            raise Misconfigured(f"{self.server} has no ConfigMap {name} in namespace {namespace}") from None
        entries = labels(thing, "data")
        if key not in entries:
            held = did_you_mean(key, sorted(entries)) if entries else "it holds no text"
            raise Misconfigured(f'the ConfigMap {name} in namespace {namespace} has no key "{key}": {held}')
        return ClientFile(
            name=entry.name, kind=entry.kind, path=f"ConfigMap {namespace}/{name}, {key}", text=entries[key]
        )

    def broker_of(self, pod: Mapping[str, Any]) -> BrokerId | None:
        """Return the node id of a broker's pod; None if it can't be told.

        It is what a container's environment says, else the number at the end of the name (the node id with Strimzi,
        the ordinal of a StatefulSet's pod) plus the inventory's `broker_offset`.
        """
        if "broker" not in self.roles.of(labels(pod)):
            return None
        for container in many(pod, "spec", "containers"):
            for variable in many(container, "env"):
                value = str(variable.get("value", ""))
                if variable.get("name") in _NODE_ID_VARIABLES and _NODE_ID.fullmatch(value):
                    return BrokerId(int(value))
        number = re.search(r"-(\d{1,9})$", name(pod))
        if number is None:
            return None
        return BrokerId(int(number[1]) + (0 if CLUSTER in labels(pod) else self._offset))

    def close(self) -> None:
        """Close the connection."""
        self._api.close()

    def _greet(self) -> None:
        try:
            self.version()
        except (Denied, NotFound):  # it answers, if only to say no: each list then says what it may not give
            return

    def _see_namespace(self) -> Object:
        """Make sure that the namespace exists: lists of one that does not are empty, without an error."""
        try:
            return self._api.get(reads.NAMESPACE, namespace=self.namespace)
        except NotFound:
            raise Misconfigured(
                f"{self.server} has no namespace {self.namespace}: set namespace of kubernetes in the inventory"
            ) from None

    def _nobody(self, pods: int, wanted: tuple[str, ...]) -> str:
        """What was looked for among so many pods, where, and what to do."""
        where = f"namespace {self.namespace} of {self.server}"
        marks = [labels(pod) for pod in self._everyones(reads.PODS)]
        others = sorted({mark[CLUSTER] for mark in marks if self._cluster and Roles({}).of(mark) and CLUSTER in mark})
        if others and self._cluster not in others:
            return (
                f"no pod in {where} is of the Kafka resource {self._cluster}, only of {', '.join(others)}: "
                "correct `cluster` of kubernetes in the inventory"
            )
        if not pods:
            return f"{where} has no pods: set `namespace` of kubernetes in the inventory to that of Kafka"
        sought = " or ".join(_CALLED[role] for role in wanted)
        by = "; ".join(dict.fromkeys(self.roles.said_by(role) for role in wanted))
        settings = " or ".join(f"`{_SETTINGS[role]}`" for role in wanted)
        return (
            f"none of the {pods} pods in {where} is a {sought} by its labels ({by}): set `namespace` of kubernetes in "
            f"the inventory to that of Kafka, or {settings} to the labels of these pods"
        )


def _maturity(version: str) -> tuple[int, int, int]:
    """Order versions of an API as Kubernetes does: v2, v1, v1beta2, v1beta1, v1alpha1."""
    found = re.fullmatch(r"v(\d{1,9})(?:(alpha|beta)(\d{1,9}))?", version)
    if found is None:
        raise Garbled(f"{version!r} is no version of a Kubernetes API")
    # not made up: a version such as v1 has no number after alpha or beta
    return {None: 0, "beta": 1, "alpha": 2}[found[2]], -int(found[1]), -int(found[3] or 0)
