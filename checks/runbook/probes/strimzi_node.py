"""Pods of Strimzi's Kafka clusters beside what their resources ask for: where the two have drifted apart."""

import datetime as dt
from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import Struct

from runbook.answers.kubernetes import reads
from runbook.answers.kubernetes.namespaced import Namespaced
from runbook.answers.kubernetes.objects import Absent, described, labels, many, name, part, storage, text
from runbook.answers.kubernetes.pod import claims, heap, main_container
from runbook.answers.kubernetes.strimzi import CLUSTER
from runbook.formats.declared import at
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Bytes, Minutes
from runbook.model.row import Cell, row_of
from runbook.probes._strimzi import NAMESPACE, REQUESTS, Declared, declared, declared_if_any
from runbook.probes._strimzi import heap as options_heap

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes

Object = dict[str, Any]

_REVISIONS: Final = ("strimzi.io/revision", "strimzi.io/resource-revision")


class StrimziNode(Namespaced):
    """A pod of a Kafka cluster; `wanted_` is what its resources ask for."""

    pod: Annotated[str, Cell("Name of the pod.", key=True, entity="pod")] = at("metadata.name")
    kafka: Annotated[str, Cell("The Kafka resource it belongs to, by its label.")] = at(
        "metadata.labels['strimzi.io/cluster']"
    )
    pool: Annotated[str, Cell("The node pool it belongs to, by its label.")] = at(
        "metadata.labels['strimzi.io/pool-name']"
    )
    wanted: Annotated[bool, Cell("Whether the pod set of its pool lists it.")]
    current: Annotated[bool | None, Cell("Whether it is of the revision that the pod set lists.", why="why")]
    moved: Annotated[
        Minutes | None,
        Cell("Since its Kafka resource, pool or pod set was written, or a pod of its cluster started.", why="why"),
    ]
    version: Annotated[str, Cell("Version of Kafka that it was made for; empty where it does not tell.")] = at(
        "metadata.annotations['strimzi.io/kafka-version']"
    )
    wanted_version: Annotated[str, Cell("Version of Kafka asked for; empty where the operator chooses.")]
    memory: Annotated[Bytes, Cell("Its memory limit; 0 for none.")]
    wanted_memory: Annotated[Bytes | None, Cell("The memory limit asked for.", why="why")]
    heap: Annotated[Bytes | None, Cell("Its -Xmx; 0 where the image works it out.")]
    wanted_heap: Annotated[Bytes | None, Cell("The -Xmx asked for; 0 where none is.", why="why")]
    storage: Annotated[Bytes | None, Cell("What its volumes hold in all.", why="why")]
    wanted_storage: Annotated[Bytes | None, Cell("What they are asked to hold in all.", why="why")]
    why: Annotated[str, Cell("Why something of it is not known; empty where all is.")]


PROBE = Probe(
    connections=("kubernetes",),
    help="One row per pod of a Kafka cluster that Strimzi keeps, with what its resources ask for.",
    row=StrimziNode,
    requests=(
        *REQUESTS,
        "GET /api/v1/namespaces/{namespace}/pods",
        "GET /api/v1/namespaces/{namespace}/persistentvolumeclaims",
    ),
    rights=(
        "list kafkas and kafkanodepools of kafka.strimzi.io in the namespace",
        "list strimzipodsets.core.strimzi.io in the namespace",
        "list pods and persistentvolumeclaims in the namespace",
        NAMESPACE,
    ),
)


def observe(kubernetes: "Kubernetes") -> Observed:
    """Observe the pods of all clusters of the namespace."""
    try:
        declarations = _declarations(kubernetes)
    except Absent as absent:
        return Observed(inapplicable=str(absent))
    pods = [pod for pod in kubernetes.listed(reads.PODS) if labels(pod).get("strimzi.io/component-type") == "kafka"]
    held = {name(claim): claim for claim in kubernetes.listed(reads.CLAIMS)} if pods else {}
    newest = {
        kafka: [_moment(pod) for pod in pods if labels(pod).get(CLUSTER) == kafka] for kafka in declarations.kafkas
    }
    now = dt.datetime.fromtimestamp(kubernetes.clock.now("nodes of Strimzi"), dt.UTC)
    return Observed(rows=[_row(pod, declarations, held, newest, now) for pod in pods])


class _Declarations(Struct, frozen=True):
    """What is asked for: Kafka resources, their pools, and by the name of each pod its set and what the set lists."""

    kafkas: dict[str, Declared]
    pools: dict[tuple[str, str], Declared]
    listed: dict[str, tuple[Object, Object]]


def _declarations(kubernetes: "Kubernetes") -> _Declarations:
    kafkas = {resource.name: resource for resource in declared(kubernetes, "kafkas")}
    pools = {(resource.cluster, resource.name): resource for resource in declared_if_any(kubernetes, "kafkanodepools")}
    _, sets = kubernetes.custom("core.strimzi.io", "strimzipodsets")
    return _Declarations(
        kafkas,
        pools,
        {name(pod): (stateful_set, pod) for stateful_set in sets for pod in many(stateful_set, "spec", "pods")},
    )


def _row(
    pod: Object, declarations: _Declarations, held: dict[str, Object], started: dict[str, list[str]], now: dt.datetime
) -> StrimziNode:
    kafka_name, pool_name = labels(pod).get(CLUSTER, ""), labels(pod).get("strimzi.io/pool-name", "")
    kafka, pool = declarations.kafkas.get(kafka_name), declarations.pools.get((kafka_name, pool_name))
    keeper, model = declarations.listed.get(name(pod), ({}, {}))
    spec = part(kafka.spec, "kafka") if kafka else {}
    described = pool.spec if pool else spec
    mine = [held.get(claim) for claim in claims(pod)]
    return row_of(
        StrimziNode,
        pod,
        # not made up: pod sets were listed, and none of them lists the pod
        wanted=bool(model),
        current=_revisions(pod) == _revisions(model) if model and any(_revisions(pod)) else None,
        moved=_moved([keeper, *(one.whole for one in (kafka, pool) if one)], started.get(kafka_name, []), now),
        wanted_version=text(spec, "version"),
        memory=storage(part(main_container(pod), "resources", "limits").get("memory")),
        wanted_memory=storage(_of(described, spec, "resources", "limits").get("memory")) if kafka else None,
        heap=heap(pod).most,
        wanted_heap=options_heap(_of(described, spec, "jvmOptions"), "-Xmx") if kafka else None,
        storage=None if None in mine else Bytes(sum(_capacity(claim or {}) for claim in mine)),
        wanted_storage=_wanted(part(described, "storage")) if kafka else None,
        # not made up: pod sets were listed, and none of them lists the pod
        why=_why(pod, kafka, listed=bool(model), lost=[claim for claim in claims(pod) if claim not in held]),
    )


def _why(pod: Object, kafka: Declared | None, *, listed: bool, lost: list[str]) -> str:
    reasons = [] if kafka else [f"there is no Kafka resource {labels(pod).get(CLUSTER, '')}"]
    reasons += [] if listed else ["no pod set lists it"]
    reasons += [] if any(_revisions(pod)) else ["it has no revision"]
    reasons += [f"the claim {claim} is not there" for claim in lost]
    return "; ".join(reasons)


def _of(pool: Object, kafka: Object, *path: str) -> Object:
    """A part of a pool; where the pool does not have it at all, that of its Kafka resource."""
    return part(pool, *path) if path[0] in pool else part(kafka, *path)


def _revisions(pod: Object) -> list[str]:
    return [_notes(pod).get(key, "") for key in _REVISIONS]


def _notes(thing: Object) -> dict[str, str]:
    return labels(thing, "metadata", "annotations")


def _moment(pod: Object) -> str:
    return text(pod, "status", "startTime") or text(pod, "metadata", "creationTimestamp")


def _moved(asked: list[Object], started: list[str], now: dt.datetime) -> Minutes | None:
    """Minutes since something else was asked for, its pods were described anew, or one of the cluster's started."""
    known = [dt.datetime.fromisoformat(moment) for moment in (*map(described, asked), *started) if moment]
    return Minutes((now - max(known)).total_seconds() / 60) if known else None


def _capacity(claim: Object) -> int:
    """What a claim holds; before it is bound, what it asks for."""
    held = part(claim, "status", "capacity").get("storage")
    return storage(held if held is not None else part(claim, "spec", "resources", "requests").get("storage"))


def _wanted(declared_storage: Object) -> Bytes:
    volumes = many(declared_storage, "volumes") if text(declared_storage, "type") == "jbod" else [declared_storage]
    return Bytes(sum(storage(volume.get("size")) for volume in volumes if text(volume, "type") == "persistent-claim"))
