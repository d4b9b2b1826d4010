"""Node pools of Strimzi, as they are declared: how many nodes, on what storage, with what memory."""

from typing import Annotated, Any

from runbook.answers.kubernetes.objects import flag, many, number, part, storage, text
from runbook.formats.declared import Means, at
from runbook.formats.quantity import quantity
from runbook.model.fact import Observed
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, Row, row_of
from runbook.probes._strimzi import SOURCE, Declared, Declares, declared_if_any, heap, observed, probe_of


class StrimziNodePool(Row):
    """A node pool; what it leaves out is taken from its Kafka resource, as the operator does."""

    pool: Annotated[str, Cell("Name of the resource.", key=True)] = at("name")
    kafka: Annotated[str, Cell("The Kafka resource it belongs to, by its label; empty for none.")] = at("cluster")
    version: Annotated[str, Cell("Version of the API it is written in, such as v1 or v1beta2.")] = at("version")
    source: Annotated[str, SOURCE] = at("source")
    replicas: Annotated[int, Cell("Nodes asked for.", unit="pods")] = at(
        "spec.replicas", absent=Means(0, "the operator refuses a pool without them")
    )
    roles: Annotated[list[str], Cell("What its nodes are: broker, controller.")] = at("spec.roles")
    volumes: Annotated[int, Cell("Volumes of each node.", unit="volumes")]
    ephemeral: Annotated[list[str], Cell("Volumes that are lost with their pod, by id; `-` for the only one.")]
    deleted: Annotated[list[str], Cell("Volumes whose claim is deleted with the resource, by id (deleteClaim).")]
    sizes: Annotated[list[str], Cell("Different sizes of its persistent volumes, as they are written.")]
    smallest: Annotated[Bytes, Cell("Size of the smallest persistent volume; 0 if there is none.")]
    classes: Annotated[list[str], Cell("Storage classes it names; none is the default class.")]
    cpu_request: Annotated[int, Cell("CPU asked for; 0 for none.", unit="thousandths of a CPU")]
    memory_request: Annotated[Bytes, Cell("Memory asked for; 0 for none.")]
    memory_limit: Annotated[Bytes, Cell("Most memory it may use; 0 for no limit.")]
    heap_min: Annotated[Bytes, Cell("-Xms; 0 where it is not set.")]
    heap_max: Annotated[Bytes, Cell("-Xmx; 0 where it is not set: half of the memory limit, 5 GiB at most.")]


PROBE = probe_of(StrimziNodePool, "kafkas", "kafkanodepools", help="One row per KafkaNodePool of Strimzi.")


def observe(strimzi: Declares) -> Observed:
    """Observe the pools that are declared."""

    def rows(found: list[Declared]) -> list[StrimziNodePool]:
        kafkas = (
            {resource.name: part(resource.spec, "kafka") for resource in declared_if_any(strimzi, "kafkas")}
            if found
            else {}
        )
        return [_row(resource, kafkas.get(resource.cluster, {})) for resource in found]

    return observed(strimzi, {"kafkanodepools": rows})


def _row(one: Declared, kafka: dict[str, Any]) -> StrimziNodePool:
    volumes = _volumes(part(one.spec, "storage"))
    lasting = [volume for volume in volumes if text(volume, "type") == "persistent-claim"]
    resources = part(one.spec, "resources") or part(kafka, "resources")
    options = part(one.spec, "jvmOptions") or part(kafka, "jvmOptions")
    return row_of(
        StrimziNodePool,
        one,
        volumes=len(volumes),
        ephemeral=[_id(volume) for volume in volumes if text(volume, "type") == "ephemeral"],
        deleted=[_id(volume) for volume in lasting if flag(volume, "deleteClaim")],
        sizes=sorted({text(volume, "size") for volume in lasting}),
        smallest=min((storage(volume.get("size")) for volume in lasting), default=Bytes(0)),
        classes=sorted({text(volume, "class") for volume in lasting} - {""}),
        cpu_request=quantity(part(resources, "requests").get("cpu"), scale=1000),
        memory_request=storage(part(resources, "requests").get("memory")),
        memory_limit=storage(part(resources, "limits").get("memory")),
        heap_min=heap(options, "-Xms"),
        heap_max=heap(options, "-Xmx"),
    )


def _volumes(declared: dict[str, Any]) -> list[dict[str, Any]]:
    return many(declared, "volumes") if text(declared, "type") == "jbod" else [declared]


def _id(volume: dict[str, Any]) -> str:
    found = number(volume, "id", default=-1)
    return "-" if found < 0 else str(found)
