"""The pods of the Kafka cluster's namespace: where they run, how they fare, what they may and must."""

import datetime as dt
from collections import Counter
from typing import Any, NamedTuple

from runbook.connections.kubernetes import Kubernetes, reads
from runbook.connections.kubernetes import pod as reading
from runbook.connections.kubernetes.labels import matches
from runbook.connections.kubernetes.objects import is_true, labels, many, name, number, text
from runbook.engine.column import Column
from runbook.engine.fact import Gap, Observed
from runbook.engine.parameter import Parameter
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kubernetes",),
    help="One row per pod of the namespace, or of one role in it. What a container says is said of the main one.",
    columns=(
        Column("pod", "string", "Name.", key=True, entity="pod"),
        Column("roles", "list[string]", "What it is to Kafka: broker, controller, zookeeper; empty for anything else."),
        Column(
            "broker", "int", "Node id of a broker; -1 for other pods, unknown when it can't be told.", entity="broker"
        ),
        Column("node", "string", "Node it is on; empty when it is on none.", entity="node"),
        Column("phase", "string", "Pending, Running, Succeeded, Failed or Unknown."),
        Column("ready", "bool", "Whether it takes traffic (condition Ready)."),
        Column(
            "waiting", "string", "Why it does not run, such as CrashLoopBackOff or Unschedulable; empty if it does."
        ),
        Column("restarts", "int", "Restarts of its containers since the pod was made.", unit="restarts"),
        Column("last_exit", "string", "Why the container ended last, such as OOMKilled; empty if it never did."),
        Column("last_exit_code", "int", "Its exit code then; 0 if it never ended."),
        Column("minutes_since_exit", "int", "How long ago that was; -1 if it never ended.", unit="minutes"),
        Column("owner_kind", "string", "What keeps it: StatefulSet, StrimziPodSet…; empty if nothing does."),
        Column("owner", "string", "The name of that."),
        Column("container", "string", "Name of the main container."),
        Column("image", "string", "Its image, as asked for."),
        Column("pinned", "bool", "Whether the image is asked for by digest."),
        Column("qos", "string", "Guaranteed, Burstable or BestEffort."),
        Column("cpu_request", "int", "CPU set aside for it; 0 for none.", unit="thousandths of a CPU"),
        Column("cpu_limit", "int", "CPU it is held to; 0 for no limit.", unit="thousandths of a CPU"),
        Column("memory_request", "int", "Memory set aside for it; 0 for none.", unit="bytes"),
        Column("memory_limit", "int", "Memory at which it is killed; 0 for no limit.", unit="bytes"),
        Column("heap_min", "int", "-Xms of KAFKA_HEAP_OPTS; 0 if not set, unknown if set elsewhere.", unit="bytes"),
        Column("heap_max", "int", "-Xmx of KAFKA_HEAP_OPTS; 0 if not set, unknown if set elsewhere.", unit="bytes"),
        Column("env", "list[string]", "Names of its environment variables; values are not given."),
        Column("liveness", "string", "How the liveness probe asks: exec, http, tcp, grpc; empty for none."),
        Column("liveness_tools", "list[string]", "Scripts and Kafka tools that it names."),
        Column("readiness", "string", "How the readiness probe asks; empty for none."),
        Column("readiness_tools", "list[string]", "Scripts and Kafka tools that it names."),
        Column("startup", "string", "How the startup probe asks; empty for none."),
        Column("startup_seconds", "int", "How long it lets a start take; 0 for no startup probe.", unit="s"),
        Column("liveness_seconds", "int", "How long liveness lets a start take; 0 for no liveness probe.", unit="s"),
        Column("grace_seconds", "int", "How long it may take to stop before it is killed.", unit="s"),
        Column("non_root", "bool", "Whether every container is kept from running as root."),
        Column("read_only_root", "bool", "Whether every container has a root file system it can't write to."),
        Column("privileged", "bool", "Whether any container is privileged."),
        Column("escalation", "bool", "Whether any container may gain privileges its parent lacks."),
        Column("host_namespaces", "list[string]", "hostNetwork, hostPID, hostIPC, as far as it uses them."),
        Column("host_paths", "list[string]", "Folders of the node that it mounts."),
        Column("mounts", "map[string]", "Path in the container -> what is there: claim NAME, hostPath PATH, emptyDir…"),
        Column("claims", "list[string]", "Persistent volume claims that it mounts."),
        Column("service_account", "string", "The account it runs as."),
        Column("token_mounted", "bool", "Whether it holds a token for the API server."),
        Column("priority_class", "string", "Its priority class; empty for none."),
        Column("anti_affinity", "list[string]", "Topology keys over which it must keep off pods like itself."),
        Column("spread", "list[string]", "Topology keys over which pods like itself must be spread evenly."),
        Column("keeps_off", "list[string]", "Roles of whose other pods it must share a node with none."),
        Column("subdomain", "string", "The Service that gives it a name of its own; empty for none."),
    ),
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


def observe(kubernetes: Kubernetes, *, role: str = "") -> Observed:
    """Observe the pods; two that claim the same node id are a gap, as either may be another cluster's."""
    if role == "zookeeper" and not kubernetes.roles.given(role) and not _any(kubernetes, role):
        return Observed(inapplicable=f"namespace {kubernetes.namespace} has no ZooKeeper pods")
    pods, now = kubernetes.pods(role), dt.datetime.now(dt.UTC)
    members = _members(kubernetes)
    rows = [_row(kubernetes, pod, members, now) for pod in pods]
    return Observed(rows=rows, gaps=_twins(kubernetes, pods))


def _any(kubernetes: Kubernetes, role: str) -> bool:
    return any(role in one.roles for one in _members(kubernetes))


def _members(kubernetes: Kubernetes) -> list[_Member]:
    pods = kubernetes.listed(reads.PODS)
    known = [_Member(name(pod), labels(pod), kubernetes.roles.of(labels(pod))) for pod in pods]
    return [one for one in known if one.roles]


def _twins(kubernetes: Kubernetes, pods: list[dict[str, Any]]) -> list[Gap]:
    ids = Counter(kubernetes.broker_of(pod) for pod in pods)
    return [
        Gap(
            f"{count} pods look like broker {broker}: name one cluster's by `brokers` of kubernetes in the inventory",
            {"broker": broker},
        )
        for broker, count in ids.items()
        if broker is not None and count > 1
    ]


def _row(kubernetes: Kubernetes, pod: dict[str, Any], members: list[_Member], now: dt.datetime) -> tuple[Any, ...]:
    roles = kubernetes.roles.of(labels(pod))
    container = reading.main_container(pod)
    live, fit, start = (reading.kubelet_check(pod, f"{kind}Probe") for kind in ("liveness", "readiness", "startup"))
    safe = reading.security(pod)
    image = text(container, "image")
    return (
        name(pod),
        roles,
        kubernetes.broker_of(pod) if "broker" in roles else -1,
        text(pod, "spec", "nodeName"),
        text(pod, "status", "phase"),
        is_true(pod, "Ready"),
        reading.waiting_for(pod),
        reading.restarts(pod),
        *reading.last_exit(pod, now),
        *reading.owner(pod),
        text(container, "name"),
        image,
        "@sha256:" in image,
        text(pod, "status", "qosClass"),
        *reading.resources(pod),
        *reading.heap(pod),
        sorted(text(one, "name") for one in many(container, "env")),
        live.handler,
        live.tools,
        fit.handler,
        fit.tools,
        start.handler,
        start.seconds,
        live.seconds,
        number(pod, "spec", "terminationGracePeriodSeconds", default=30),
        safe.non_root,
        safe.read_only_root,
        safe.privileged,
        safe.escalation,
        safe.host_namespaces,
        reading.host_paths(pod),
        reading.mounts(pod),
        reading.claims(pod),
        text(pod, "spec", "serviceAccountName"),
        reading.token_mounted(pod),
        text(pod, "spec", "priorityClassName"),
        reading.own_anti_affinity(pod),
        reading.hard_spread(pod),
        _kept_off(pod, members),
        text(pod, "spec", "subdomain"),
    )


def _kept_off(pod: dict[str, Any], members: list[_Member]) -> list[str]:
    """Give the roles that have other pods, each of which the pod must not share a node with."""
    shunned = list(reading.keeps_off(pod, reading.HOSTNAME))
    kept: dict[str, bool] = {}
    for other in members if shunned else ():
        off = any(matches(one, other.labels) for one in shunned)
        for role in other.roles if other.pod != name(pod) else ():
            kept[role] = kept.get(role, True) and off
    return [role for role, every in kept.items() if every]
