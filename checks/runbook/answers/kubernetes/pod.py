"""What a pod's specification and status mean, for the container that runs Kafka or ZooKeeper."""

import datetime as dt
import re
from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from runbook.answers.kubernetes.labels import Selector, matches, object_selector
from runbook.answers.kubernetes.objects import flag, labels, many, name, number, part, text, texts
from runbook.formats.chart_values import heap_of
from runbook.formats.quantity import quantity
from runbook.formats.statements import NotStated
from runbook.model.quantity import Bytes

HOSTNAME: Final = "kubernetes.io/hostname"
"""The topology key that stands for one node."""

_MAIN: Final = ("kafka", "zookeeper", "broker", "controller", "kraft", "server")
_HANDLERS: Final = {"exec": "exec", "httpGet": "http", "tcpSocket": "tcp", "grpc": "grpc"}
_SCRIPT: Final = re.compile(r"[\w.-]+\.sh\b|[\w.-]*(?:kafka|zookeeper|zk)[\w.-]*", re.IGNORECASE)
_FILES: Final = ("File", "FileOrCreate")
"""Types of a hostPath that is one file: a socket may control the node, and a device may hold its data."""
_TIME_ZONE: Final = ("/etc/localtime", "/etc/timezone")
"""Files of the time zone, which manifests mount without a type."""
_AGENTS: Final = ("/var/run/datadog/",)
"""Where agents that clients send measurements to have their sockets: Datadog's documentation, unix domain sockets."""

Object = dict[str, Any]


class HealthProbe(Struct, frozen=True):
    """A probe of the kubelet's: how it asks ("" for none), the scripts it names, and how long it may fail.

    `seconds` is how long a container may fail it before something happens.
    """

    handler: str
    tools: list[str]
    seconds: int


class Security(Struct, frozen=True):
    """What a pod's containers may do; the worst of them decides."""

    non_root: bool
    read_only_root: bool
    privileged: bool
    escalation: bool
    host_namespaces: list[str]


class Exit(Struct, frozen=True, kw_only=True):
    """How a container ended last: "", 0 and -1 if it never did; when is None where that is not noted."""

    reason: str
    code: int
    minutes_ago: int | None


class Resources(Struct, frozen=True, kw_only=True):
    """Request and limit of CPU, in thousandths, and of memory; 0 for none."""

    cpu_request: int
    cpu_limit: int
    memory_request: Bytes
    memory_limit: Bytes


class HeapOptions(Struct, frozen=True, kw_only=True):
    """Least and greatest heap; 0 where they are not set, None where that is said elsewhere."""

    least: Bytes | None
    most: Bytes | None


class Owner(Struct, frozen=True, kw_only=True):
    """Kind and name; both empty for a pod made by hand."""

    kind: str
    name: str


def main_container(pod: Object) -> Object:
    """Give the container that runs the server: the one with a known name, else the first."""
    containers = many(pod, "spec", "containers")
    known = [container for container in containers if any(word in text(container, "name").lower() for word in _MAIN)]
    return (known or containers or [{}])[0]


def container_status(pod: Object) -> Object:
    """Give the status of that container; empty before it was made."""
    wanted = text(main_container(pod), "name")
    return next((status for status in many(pod, "status", "containerStatuses") if status.get("name") == wanted), {})


def restarts(pod: Object) -> int:
    """Count the restarts of all containers of a pod, sidecars included."""
    return sum(number(status, "restartCount") for status in _staying(pod))


def _staying(pod: Object) -> list[Object]:
    """The statuses of containers that stay: a sidecar may be an init container that restarts always."""
    sidecars = {
        text(one, "name") for one in many(pod, "spec", "initContainers") if text(one, "restartPolicy") == "Always"
    }
    first = (status for status in many(pod, "status", "initContainerStatuses") if text(status, "name") in sidecars)
    return [*many(pod, "status", "containerStatuses"), *first]


def minutes_since_restart(pod: Object, now: dt.datetime) -> int | None:
    """How long ago any restarted container of a pod ended last: -1 if none was, None where that is not noted."""
    restarted = [status for status in _staying(pod) if number(status, "restartCount")]
    ended = [_exit(status, now).minutes_ago for status in restarted]
    return None if None in ended else min((minutes for minutes in ended if minutes is not None), default=-1)


def waiting_for(pod: Object) -> str:
    """Say why a pod does not run: a container's reason (CrashLoopBackOff) or the scheduler's; empty if it runs.

    Of a pod that neither scheduler nor kubelet has seen yet there is no reason but its phase.
    """
    for status in [*many(pod, "status", "initContainerStatuses"), *many(pod, "status", "containerStatuses")]:
        if reason := text(status, "state", "waiting", "reason"):
            return reason
    for condition in many(pod, "status", "conditions"):
        if condition.get("type") == "PodScheduled" and condition.get("status") == "False":
            return str(condition.get("reason") or "Unscheduled")
    return "Pending" if text(pod, "status", "phase") == "Pending" else ""


def last_exit(pod: Object, now: dt.datetime) -> Exit:
    """How the main container ended last.

    Of a container that the kubelet lost sight of it tells a reason, ContainerStatusUnknown, and no moment (Kubernetes'
    `kubelet_pods.go`, convertToAPIContainerStatuses).
    """
    return _exit(container_status(pod), now)


def _exit(status: Object, now: dt.datetime) -> Exit:
    ended = part(status, "state", "terminated") or part(status, "lastState", "terminated")
    if not ended:  # the status of one that was restarted has no end once its dead container is removed
        return Exit(reason="", code=0, minutes_ago=None if number(status, "restartCount") else -1)
    at = text(ended, "finishedAt")
    minutes = max(0, int((now - dt.datetime.fromisoformat(at)).total_seconds() // 60)) if at else None
    return Exit(reason=text(ended, "reason"), code=number(ended, "exitCode"), minutes_ago=minutes)


def resources(pod: Object) -> Resources:
    """What the main container asks for, and may use at most.

    A pod may state them as a whole instead (Kubernetes 1.34); what it states holds where the container says nothing.
    """
    of_container, of_pod = part(main_container(pod), "resources"), part(pod, "spec", "resources")

    def find(kind: str, resource: str, scale: int) -> int:
        mine = part(of_container, kind).get(resource)
        return quantity(part(of_pod, kind).get(resource) if mine is None else mine, scale=scale)

    return Resources(
        cpu_request=find("requests", "cpu", 1000),
        cpu_limit=find("limits", "cpu", 1000),
        memory_request=Bytes(find("requests", "memory", 1)),
        memory_limit=Bytes(find("limits", "memory", 1)),
    )


def kubelet_check(pod: Object, kind: str) -> HealthProbe:
    """Read the `livenessProbe`, `readinessProbe` or `startupProbe` of the main container, with Kubernetes' defaults."""
    probe = part(main_container(pod), kind)
    handler = next((word for key, word in _HANDLERS.items() if key in probe), "")
    tools = sorted({found for word in texts(probe, "exec", "command") for found in _SCRIPT.findall(word)})
    delay = number(probe, "initialDelaySeconds")
    seconds = delay + number(probe, "periodSeconds", default=10) * number(probe, "failureThreshold", default=3)
    return HealthProbe(handler, tools, seconds if handler else 0)


def heap(pod: Object) -> HeapOptions:
    """The heap as KAFKA_HEAP_OPTS says it: a size, or a share of the memory limit (-XX:MaxRAMPercentage)."""
    for variable in many(main_container(pod), "env"):
        if variable.get("name") == "KAFKA_HEAP_OPTS":
            if "value" not in variable:
                return HeapOptions(least=None, most=None)
            try:
                least, most = heap_of(text(variable, "value"), resources(pod).memory_limit or None)
            except NotStated:  # a share of the node's memory
                return HeapOptions(least=None, most=None)
            return HeapOptions(least=Bytes(least), most=Bytes(most))
    unset = None if many(main_container(pod), "envFrom") else Bytes(0)
    return HeapOptions(least=unset, most=unset)


def security(pod: Object) -> Security:
    """Work out what the containers may do; a container's own context wins over the pod's.

    Privileged is what any container may do, those that prepare the pod or were added to look at it included; the rest
    is of those that stay: an init container does that restarts always.
    """
    of_pod = part(pod, "spec", "securityContext")
    first, added = many(pod, "spec", "initContainers"), many(pod, "spec", "ephemeralContainers")
    stay = [*many(pod, "spec", "containers"), *(one for one in first if text(one, "restartPolicy") == "Always")]
    contexts = [part(container, "securityContext") for container in stay]
    passing = [part(container, "securityContext") for container in (*first, *added)]
    return Security(
        non_root=all(_is_non_root(context, of_pod) for context in contexts),
        read_only_root=all(flag(context, "readOnlyRootFilesystem") for context in contexts),
        privileged=any(flag(context, "privileged") for context in (*contexts, *passing)),
        escalation=any(flag(context, "allowPrivilegeEscalation", default=True) for context in contexts),
        host_namespaces=[word for word in ("hostNetwork", "hostPID", "hostIPC") if flag(pod, "spec", word)],
    )


def _is_non_root(context: Object, of_pod: Object) -> bool:
    user = number(context, "runAsUser", default=number(of_pod, "runAsUser", default=-1))
    return user > 0 or flag(context, "runAsNonRoot", default=flag(of_pod, "runAsNonRoot"))


def mounts(pod: Object) -> dict[str, str]:
    """Give what the main container mounts: path -> `claim NAME`, `hostPath PATH`, `configMap NAME`, `emptyDir`."""
    volumes = {text(volume, "name"): _source(volume) for volume in many(pod, "spec", "volumes")}
    return {
        text(mount, "mountPath"): volumes.get(text(mount, "name"), "nothing")
        for mount in many(main_container(pod), "volumeMounts")
    }


def host_paths(pod: Object) -> list[str]:
    """Give the folders, sockets and devices of the node that a pod mounts, but single files and agents' sockets."""
    mounted = [volume for volume in many(pod, "spec", "volumes") if "hostPath" in volume]
    found = {(text(volume, "hostPath", "path"), text(volume, "hostPath", "type")) for volume in mounted}
    return sorted({path for path, kind in found if path not in _TIME_ZONE and not _is_harmless(path, kind)})


def _is_harmless(path: str, kind: str) -> bool:
    return kind in _FILES or (kind == "Socket" and path.startswith(_AGENTS))


def claims(pod: Object) -> list[str]:
    """Give the names of the persistent volume claims that a pod mounts."""
    found = (text(volume, "persistentVolumeClaim", "claimName") for volume in many(pod, "spec", "volumes"))
    return sorted(path for path in found if path)


def _source(volume: Object) -> str:
    kind = next((key for key in volume if key != "name"), "nothing")
    named = {"persistentVolumeClaim": "claimName", "hostPath": "path", "configMap": "name", "secret": "secretName"}
    word = "claim" if kind == "persistentVolumeClaim" else kind
    return f"{word} {text(volume, kind, named[kind])}" if kind in named else word


def token_mounted(pod: Object) -> bool:
    """Whether the pod gets a token for the API server: a projected one is there once the pod was admitted."""
    for volume in many(pod, "spec", "volumes"):
        if any("serviceAccountToken" in source for source in many(volume, "projected", "sources")):
            return True
    return False


def keeps_off(pod: Object, topology: str) -> Iterator[Selector]:
    """Yield the selectors of the pods that this one must not share a place with (required anti-affinity)."""
    path = ("podAntiAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    for term in many(pod, "spec", "affinity", *path):
        selector = object_selector(term.get("labelSelector"))
        if term.get("topologyKey") == topology and selector is not None and not term.get("namespaces"):
            yield selector


def own_anti_affinity(pod: Object) -> list[str]:
    """Give the topology keys over which a pod must keep off pods like itself."""
    path = ("podAntiAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    keys = {text(term, "topologyKey") for term in many(pod, "spec", "affinity", *path)}
    return sorted(key for key in keys if any(matches(term, labels(pod)) for term in keeps_off(pod, key)))


def hard_spread(pod: Object) -> list[str]:
    """Give the topology keys over which pods like this one must be spread evenly (DoNotSchedule, maxSkew 1).

    With a larger skew, so many pods may be in one place while another has none.
    """
    found = set()
    for constraint in many(pod, "spec", "topologySpreadConstraints"):
        selector = object_selector(constraint.get("labelSelector"))
        hard = constraint.get("whenUnsatisfiable") == "DoNotSchedule" and number(constraint, "maxSkew", default=1) == 1
        if hard and selector is not None and matches(selector, labels(pod)):
            found.add(text(constraint, "topologyKey"))
    return sorted(found)


def owner(pod: Object) -> Owner:
    """What made the pod and keeps it."""
    for reference in many(pod, "metadata", "ownerReferences"):
        if flag(reference, "controller"):
            return Owner(kind=text(reference, "kind"), name=text(reference, "name"))
    return Owner(kind="", name="")


def label(pod: Object) -> str:
    """How sentences name it."""
    return f"pod {name(pod)}"
