"""The pods of the Kafka cluster's namespace: where they run, how they fare, what they may and must."""

import datetime as dt
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from msgspec.structs import replace

from runbook.answers.kubernetes import pod as reading
from runbook.answers.kubernetes import reads
from runbook.answers.kubernetes.labels import matches
from runbook.answers.kubernetes.namespaced import Namespaced
from runbook.answers.kubernetes.objects import DEFAULT, is_leaving, is_true, labels, many, name, phase, text
from runbook.answers.kubernetes.strimzi import CLUSTER
from runbook.formats.declared import Means, at, by
from runbook.model.fact import Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Bytes
from runbook.model.row import Cell, row_of

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes


class KubernetesPod(Namespaced):
    """A pod."""

    pod: Annotated[str, Cell("Name.", key=True, entity="pod")] = at("metadata.name")
    roles: Annotated[list[str], Cell("What it is to Kafka: broker, controller, zookeeper; empty for anything else.")]
    cluster: Annotated[str, Cell("The cluster it belongs to, by the label of its operator; empty for none.")] = at(
        f"metadata.labels['{CLUSTER}']"
    )
    broker: Annotated[
        BrokerId | None,
        Cell("Node id of a broker; -1 for other pods, unknown where it can't be decided, as among several clusters."),
    ]
    node: Annotated[str, Cell("Node it is on; empty when it is on none.", entity="node")] = at("spec.nodeName")
    phase: Annotated[str, Cell("Pending, Running, Succeeded, Failed or Unknown; Terminating while it is deleted.")] = (
        by(phase)
    )
    ready: Annotated[bool, Cell("Whether it takes traffic (condition Ready), and is not being deleted.")] = by(
        lambda pod: is_true(pod, "Ready") and not is_leaving(pod)
    )
    waiting: Annotated[
        str, Cell("Why it does not run, such as CrashLoopBackOff or Unschedulable; empty if it does.")
    ] = by(reading.waiting_for)
    restarts: Annotated[int, Cell("Restarts of its containers since the pod was made.", unit="restarts")] = by(
        reading.restarts
    )
    last_exit: Annotated[
        str, Cell("Why the container ended last, such as OOMKilled; empty if it never did, or if that is not noted.")
    ]
    last_exit_code: Annotated[int, Cell("Its exit code then; 0 if it never ended.")]
    minutes_since_exit: Annotated[
        int | None,
        Cell("How long ago that was; -1 if it never ended, unknown if that is not noted.", unit="minutes", moves=True),
    ]
    minutes_since_restart: Annotated[
        int | None,
        Cell(
            "How long ago any of its containers ended before a restart; -1 if none did, unknown if one's end is not "
            "noted.",
            unit="minutes",
            moves=True,
        ),
    ]
    owner_kind: Annotated[str, Cell("What keeps it: StatefulSet, StrimziPodSet…; empty if nothing does.")]
    owner: Annotated[str, Cell("The name of that.")]
    container: Annotated[str, Cell("Name of the main container.")]
    image: Annotated[str, Cell("Its image, as asked for.")]
    pinned: Annotated[bool, Cell("Whether the image is asked for by digest.")]
    qos: Annotated[str, Cell("Guaranteed, Burstable or BestEffort.")] = at("status.qosClass")
    cpu_request: Annotated[int, Cell("CPU set aside for it; 0 for none.", unit="thousandths of a CPU")]
    cpu_limit: Annotated[int, Cell("CPU it is held to; 0 for no limit.", unit="thousandths of a CPU")]
    memory_request: Annotated[Bytes, Cell("Memory set aside for it; 0 for none.")]
    memory_limit: Annotated[Bytes, Cell("Memory at which it is killed; 0 for no limit.")]
    heap_min: Annotated[Bytes | None, Cell("Least heap by KAFKA_HEAP_OPTS; 0 if not set, unknown if set elsewhere.")]
    heap_max: Annotated[Bytes | None, Cell("Greatest heap by KAFKA_HEAP_OPTS; 0 if not set, unknown if set elsewhere.")]
    env: Annotated[list[str], Cell("Names of its environment variables; values are not given.")]
    liveness: Annotated[str, Cell("How the liveness probe asks: exec, http, tcp, grpc; empty for none.")]
    liveness_tools: Annotated[list[str], Cell("Scripts and Kafka tools that it names.")]
    readiness: Annotated[str, Cell("How the readiness probe asks; empty for none.")]
    readiness_tools: Annotated[list[str], Cell("Scripts and Kafka tools that it names.")]
    startup: Annotated[str, Cell("How the startup probe asks; empty for none.")]
    startup_seconds: Annotated[int, Cell("How long it lets a start take; 0 for no startup probe.", unit="s")]
    liveness_seconds: Annotated[int, Cell("How long liveness lets a start take; 0 for no liveness probe.", unit="s")]
    grace_seconds: Annotated[int, Cell("How long it may take to stop before it is killed.", unit="s")] = at(
        "spec.terminationGracePeriodSeconds", absent=Means(30, DEFAULT)
    )
    non_root: Annotated[bool, Cell("Whether every container is kept from running as root.")]
    read_only_root: Annotated[bool, Cell("Whether every container has a root file system it can't write to.")]
    privileged: Annotated[bool, Cell("Whether any container is privileged.")]
    escalation: Annotated[bool, Cell("Whether any container may gain privileges its parent lacks.")]
    host_namespaces: Annotated[list[str], Cell("hostNetwork, hostPID, hostIPC, as far as it uses them.")]
    host_paths: Annotated[list[str], Cell("Folders, sockets and devices of the node that it mounts.")] = by(
        reading.host_paths
    )
    mounts: Annotated[
        dict[str, str],
        Cell("Path in the container -> what is there: claim NAME, hostPath PATH, emptyDir…"),
    ] = by(reading.mounts)
    claims: Annotated[list[str], Cell("Persistent volume claims that it mounts.")] = by(reading.claims)
    service_account: Annotated[str, Cell("The account it runs as.")] = at("spec.serviceAccountName")
    token_mounted: Annotated[bool, Cell("Whether it holds a token for the API server.")] = by(reading.token_mounted)
    priority_class: Annotated[str, Cell("Its priority class; empty for none.")] = at("spec.priorityClassName")
    anti_affinity: Annotated[list[str], Cell("Topology keys over which it must keep off pods like itself.")] = by(
        reading.own_anti_affinity
    )
    spread: Annotated[
        list[str], Cell("Topology keys over which pods like itself must be spread evenly (maxSkew 1).")
    ] = by(reading.hard_spread)
    keeps_off: Annotated[list[str], Cell("Roles of whose other pods it must share a node with none.")]
    subdomain: Annotated[str, Cell("The Service that gives it a name of its own; empty for none.")] = at(
        "spec.subdomain"
    )


PROBE = Probe(
    connections=("kubernetes",),
    help="One row per pod of the namespace, or of one role in it. What a container says is said of the main one.",
    row=KubernetesPod,
    requests=("GET /version", "GET /api/v1/namespaces/{namespace}/pods", "GET /api/v1/namespaces/{namespace}"),
    rights=("list pods in the namespace", "get the namespace, to tell an empty one from one that is not there"),
    parameters={
        "role": Parameter(
            type="string",
            default="",
            help="only pods of this role: broker, controller, zookeeper; quorum: the latter two; kafka: all three",
        )
    },
)


class _Member(NamedTuple):
    """A pod that is something to Kafka."""

    pod: str
    labels: dict[str, str]
    roles: list[str]


def observe(kubernetes: "Kubernetes", *, role: str = "") -> Observed:
    """Observe the pods; several clusters, or two pods that claim the same node id, are a gap: which is meant?"""
    if role == "zookeeper" and not kubernetes.roles.given(role) and not _any(kubernetes, role):
        return Observed(inapplicable=f"namespace {kubernetes.namespace} has no ZooKeeper pods")
    pods, now = kubernetes.pods(role), dt.datetime.fromtimestamp(kubernetes.clock.now("pods"), dt.UTC)
    members = _members(kubernetes)
    rows = [_row(kubernetes, pod, members, now) for pod in pods]
    if several := _several_clusters(kubernetes, pods):
        mixed = [replace(row, broker=None) if "broker" in row.roles else row for row in rows]
        return Observed(rows=mixed, gaps=several)
    return Observed(rows=rows, gaps=_twins(kubernetes, pods))


def _any(kubernetes: "Kubernetes", role: str) -> bool:
    return any(role in member.roles for member in _members(kubernetes))


def _members(kubernetes: "Kubernetes") -> list[_Member]:
    pods = kubernetes.listed(reads.PODS)
    known = [_Member(name(pod), labels(pod), kubernetes.roles.of(labels(pod))) for pod in pods]
    return [member for member in known if member.roles]


def _several_clusters(kubernetes: "Kubernetes", pods: list[dict[str, Any]]) -> list[Gap]:
    of = sorted({labels(pod).get(CLUSTER, "") for pod in pods if kubernetes.roles.of(labels(pod))} - {""})
    if len(of) < 2:  # noqa: PLR2004 - several
        return []
    return [
        Gap(f"pods of {len(of)} Kafka clusters, {', '.join(of)}: name one by `cluster` of kubernetes in the inventory")
    ]


def _twins(kubernetes: "Kubernetes", pods: list[dict[str, Any]]) -> list[Gap]:
    ids = Counter(kubernetes.broker_of(pod) for pod in pods)
    return [
        Gap(
            f"{count} pods look like broker {broker}: name one cluster's by `brokers` of kubernetes in the inventory",
            {"broker": broker},
        )
        for broker, count in ids.items()
        if broker is not None and count > 1
    ]


def _row(kubernetes: "Kubernetes", pod: dict[str, Any], members: list[_Member], now: dt.datetime) -> KubernetesPod:
    roles = kubernetes.roles.of(labels(pod))
    container = reading.main_container(pod)
    live, fit, start = (reading.kubelet_check(pod, f"{kind}Probe") for kind in ("liveness", "readiness", "startup"))
    safe, heap, resources = reading.security(pod), reading.heap(pod), reading.resources(pod)
    ended, owner, image = reading.last_exit(pod, now), reading.owner(pod), text(container, "image")
    return row_of(
        KubernetesPod,
        pod,
        roles=roles,
        broker=kubernetes.broker_of(pod) if "broker" in roles else BrokerId(-1),
        last_exit=ended.reason,
        last_exit_code=ended.code,
        minutes_since_exit=ended.minutes_ago,
        minutes_since_restart=reading.minutes_since_restart(pod, now),
        owner_kind=owner.kind,
        owner=owner.name,
        container=text(container, "name"),
        image=image,
        pinned="@sha256:" in image,
        cpu_request=resources.cpu_request,
        cpu_limit=resources.cpu_limit,
        memory_request=resources.memory_request,
        memory_limit=resources.memory_limit,
        heap_min=heap.least,
        heap_max=heap.most,
        env=sorted(text(variable, "name") for variable in many(container, "env")),
        liveness=live.handler,
        liveness_tools=live.tools,
        readiness=fit.handler,
        readiness_tools=fit.tools,
        startup=start.handler,
        startup_seconds=start.seconds,
        liveness_seconds=live.seconds,
        non_root=safe.non_root,
        read_only_root=safe.read_only_root,
        privileged=safe.privileged,
        escalation=safe.escalation,
        host_namespaces=safe.host_namespaces,
        keeps_off=_kept_off(pod, members),
    )


def _kept_off(pod: dict[str, Any], members: list[_Member]) -> list[str]:
    """Give the roles that have other pods, each of which the pod must not share a node with."""
    shunned = list(reading.keeps_off(pod, reading.HOSTNAME))
    kept: dict[str, bool] = {}
    for other in members if shunned else ():
        off = any(matches(term, other.labels) for term in shunned)
        for role in other.roles if other.pod != name(pod) else ():
            kept[role] = kept.get(role, True) and off
    return [role for role, every in kept.items() if every]
