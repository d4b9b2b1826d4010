"""Nodes as they are declared, by Strimzi or values of a chart: how many, on what storage, with what memory."""

from collections.abc import Callable, Iterator
from typing import Annotated, Any

from msgspec.structs import replace

from runbook.answers.kubernetes.objects import flag, many, number, part, storage, text, texts
from runbook.answers.kubernetes.pod import hard_spread, own_anti_affinity
from runbook.answers.manifests import UnreadManifest
from runbook.formats.declared import Means, at
from runbook.formats.statements import NodesStated
from runbook.model.errors import Garbled
from runbook.model.fact import Gap, Observed
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, Row, row_of
from runbook.probes._other_tools import with_others
from runbook.probes._strimzi import (
    SOURCE,
    Declared,
    Declares,
    PlacedRow,
    declared_if_any,
    each,
    heap,
    kept_apart,
    observed,
    probe_of,
    requested,
    unread,
    without_kafka,
)


class NodeDeclaration(PlacedRow):
    """Nodes that are alike; what a node pool leaves out is taken from its Kafka resource, as the operator does.

    Before there were pools, brokers and ZooKeeper servers stood in the Kafka resource: these are pools called so.
    """

    pool: Annotated[str, Cell("Name of the resource, or file and part of the values.", key=True)] = at("name")
    tool: Annotated[str, Cell("The tool that makes it so, as Strimzi.")]
    kafka: Annotated[str, Cell("The cluster it belongs to, by its label; empty for none.")] = at("cluster")
    version: Annotated[str, Cell("Version of the API it is written in, such as v1; empty for no API.")] = at("version")
    source: Annotated[str, SOURCE] = at("source")
    replicas: Annotated[int, Cell("Nodes asked for.", unit="pods")] = at(
        "spec.replicas", absent=Means(0, "the operator refuses a pool without them")
    )
    roles: Annotated[list[str], Cell("What its nodes are: broker, controller, zookeeper.", written="spec.roles")]
    volumes: Annotated[int, Cell("Volumes of each node.", unit="volumes", written="spec.storage")]
    ephemeral: Annotated[
        list[str], Cell("Volumes that are lost with their pod, by id; `-` for the only one.", written="spec.storage")
    ]
    deleted: Annotated[
        list[str],
        Cell("Volumes whose claim is deleted with the resource, by id (deleteClaim).", written="spec.storage"),
    ]
    sizes: Annotated[
        list[str],
        Cell("Different sizes of its persistent volumes, as they are written.", written="spec.storage.volumes"),
    ]
    smallest: Annotated[
        Bytes, Cell("Size of the smallest persistent volume; 0 if there is none.", written="spec.storage")
    ]
    classes: Annotated[list[str], Cell("Storage classes it names; none is the default class.", written="spec.storage")]
    cpu_request: Annotated[
        int | None,
        Cell(
            "CPU asked for; 0 for none.",
            unit="thousandths of a CPU",
            why="why",
            written="spec.resources.requests.cpu",
        ),
    ]
    memory_request: Annotated[
        Bytes | None, Cell("Memory asked for; 0 for none.", why="why", written="spec.resources.requests.memory")
    ]
    memory_limit: Annotated[
        Bytes | None, Cell("Most memory it may use; 0 for no limit.", why="why", written="spec.resources.limits.memory")
    ]
    apart: Annotated[
        list[str] | None,
        Cell(
            "Topology keys over which its pods must keep off each other, or be spread evenly.",
            why="why",
            written="spec.template.pod",
        ),
    ]
    heap_min: Annotated[Bytes | None, Cell("-Xms; 0 where it is not set.", why="why", written="spec.jvmOptions.-Xms")]
    heap_max: Annotated[
        Bytes | None,
        Cell(
            "-Xmx; 0 where it is not set: half of the memory limit, 5 GiB at most.",
            why="why",
            written="spec.jvmOptions.-Xmx",
        ),
    ]
    why: Annotated[str, Cell("Why it is not known what its Kafka resource gives it; empty where that is.")]


PROBE = probe_of(
    NodeDeclaration,
    "kafkas",
    "kafkanodepools",
    help="One row per KafkaNodePool of Strimzi, and per StatefulSet that values of a chart declare.",
)


def observe(strimzi: Declares) -> Observed:
    """Observe the pools that are declared."""

    def pools(found: list[Declared]) -> Iterator[Row | Gap]:
        kafkas = {kafka.home: kafka for kafka in declared_if_any(strimzi, "kafkas")} if found else {}
        lost = unread(strimzi, "kafkas") if found else []
        return each(found, lambda one: _of_kafka(one, kafkas.get(one.home), lost))

    def without(found: list[Declared]) -> Iterator[Row | Gap]:
        pooled = {pool.home for pool in declared_if_any(strimzi, "kafkanodepools")}
        alone = [kafka for kafka in found if kafka.home not in pooled]
        return each(alone, lambda kafka: [_row(pool, {}) for pool in _before_pools(kafka)])

    seen = observed(strimzi, {"kafkanodepools": pools, "kafkas": without})
    return with_others(strimzi, seen, "cluster", lambda files: map(_of_other, files.nodes()))


def _before_pools(kafka: Declared) -> Iterator[Declared]:
    """What stood where pools stand now; the operator calls the brokers' one `kafka`, too."""
    for called, role in (("kafka", "broker"), ("zookeeper", "zookeeper")):
        spec = part(kafka.spec, called)
        if "storage" in spec:
            marks = replace(kafka.marks, spec=("spec", called)) if kafka.marks else None
            yield replace(kafka, name=called, spec={"roles": [role]} | spec, marks=marks)


def _of_kafka(one: Declared, kafka: Declared | None, lost: list[UnreadManifest]) -> NodeDeclaration:
    """The row of a pool; of one whose Kafka resource is not known only what it says itself is."""
    if kafka is not None:
        return _row(one, part(kafka.spec, "kafka"))
    alone = _row(one, {})
    unset = [] if "pod" in part(one.spec, "template") else ["apart"]
    unset += [] if "jvmOptions" in one.spec else ["heap_min", "heap_max"]
    resources = ["cpu_request", "memory_request", "memory_limit"]
    unset += [] if "resources" in one.spec or one.version == "v1" else resources
    return replace(alone, **dict.fromkeys(unset), why=without_kafka(one, lost) if unset else "")


def _row(one: Declared, kafka: dict[str, Any]) -> NodeDeclaration:
    volumes = _volumes(part(one.spec, "storage"))
    lasting = [volume for volume in volumes if text(volume, "type") == "persistent-claim"]
    # an empty one counts as well (KafkaPool.fromCrd); v1 has no resources in a Kafka resource: they are dropped there
    room = requested(part(kafka if "resources" not in one.spec and one.version != "v1" else one.spec, "resources"))
    of_pods = one.spec if "pod" in part(one.spec, "template") else kafka  # not merged: the one or the other
    template = part(of_pods, "template", "pod")
    options = part(one.spec if "jvmOptions" in one.spec else kafka, "jvmOptions")
    return row_of(
        NodeDeclaration,
        one,
        tool="Strimzi",
        places=one.places(
            NodeDeclaration,
            ephemeral=_first(volumes, "type", text(one.spec, "storage", "type"), lambda volume: volume not in lasting),
            deleted=_first(
                volumes, "deleteClaim", text(one.spec, "storage", "type"), lambda volume: flag(volume, "deleteClaim")
            ),
        ),
        roles=texts(one.spec, "roles"),
        apart=_apart(one, template),
        volumes=len(volumes),
        ephemeral=[_id(volume) for volume in volumes if text(volume, "type") == "ephemeral"],
        deleted=[_id(volume) for volume in lasting if flag(volume, "deleteClaim")],
        sizes=sorted({text(volume, "size") for volume in lasting}),
        smallest=min((storage(volume.get("size")) for volume in lasting), default=Bytes(0)),
        classes=sorted({text(volume, "class") for volume in lasting} - {""}),
        cpu_request=room.cpu,
        memory_request=room.memory,
        memory_limit=room.limit,
        heap_min=heap(options, "-Xms"),
        heap_max=heap(options, "-Xmx"),
        why="",
    )


def _apart(one: Declared, template: dict[str, Any]) -> list[str]:
    """The topology keys that rules of a pod's template name which select the pool's own pods."""
    kind = "zookeeper" if "zookeeper" in texts(one.spec, "roles") else "kafka"
    roles = {
        f"strimzi.io/{role}-role": str(role in texts(one.spec, "roles")).lower() for role in ("broker", "controller")
    }
    keeper = {"strimzi.io/controller": "strimzipodset", "strimzi.io/controller-name": f"{one.cluster}-{one.name}"}
    own = roles | keeper | {"strimzi.io/kind": "Kafka", "strimzi.io/pool-name": one.name}
    return kept_apart(one, template, component=kind, name=f"{one.cluster}-{kind}", own=own)


def _volumes(declared: dict[str, Any]) -> list[dict[str, Any]]:
    return many(declared, "volumes") if text(declared, "type") == "jbod" else [declared]


def _first(
    volumes: list[dict[str, Any]], field: str, kind: str, offends: Callable[[dict[str, Any]], bool]
) -> tuple[str | int, ...]:
    """The path of a field of the first volume that offends, else of the storage."""
    place = next((at for at, volume in enumerate(volumes) if offends(volume)), None)
    if place is None:
        return ("spec", "storage")
    return ("spec", "storage", "volumes", place, field) if kind == "jbod" else ("spec", "storage", field)


def _id(volume: dict[str, Any]) -> str:
    found = number(volume, "id", default=-1)
    return "-" if found < 0 else str(found)


def _of_other(one: NodesStated | UnreadManifest) -> NodeDeclaration | Gap:
    """The row of nodes that another tool is to make."""
    if isinstance(one, UnreadManifest):
        return one.gap()
    try:
        room = None if one.resources is None else requested(one.resources)
    except Garbled as garbled:
        return Gap.of(garbled, says=f"{one.source}: {one.pool} is not judged: {garbled}")
    lost = [] if one.lasting else ["-"]
    return NodeDeclaration(
        namespace=one.namespace,
        pool=one.pool,
        tool=one.by,
        kafka=one.kafka,
        version="",
        source=one.source,
        replicas=one.replicas,
        roles=one.roles,
        volumes=one.volumes,
        ephemeral=lost * one.volumes,
        deleted=["-"] if one.lasting and one.deleted else [],
        sizes=[one.size] if one.lasting else [],
        smallest=storage(one.size) if one.lasting else Bytes(0),
        classes=[one.storage_class] if one.storage_class else [],
        cpu_request=None if room is None else room.cpu,
        memory_request=None if room is None else room.memory,
        memory_limit=None if room is None else room.limit,
        apart=None if one.pod is None else sorted({*one.apart, *own_anti_affinity(one.pod), *hard_spread(one.pod)}),
        heap_min=None if one.heap_min is None else Bytes(one.heap_min),
        heap_max=None if one.heap_max is None else Bytes(one.heap_max),
        why=one.why,
        places=one.places,
    )
