"""Strimzi's resources as they are declared, and what a setting in them says."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Final, NamedTuple, Protocol, get_type_hints, runtime_checkable

from msgspec import Struct, structs

from runbook.answers.kubernetes.namespaced import ITS_NAMESPACE, Namespaced
from runbook.answers.kubernetes.objects import Absent, labels, name, part, storage, text
from runbook.answers.kubernetes.pod import hard_spread, own_anti_affinity
from runbook.answers.kubernetes.strimzi import CLUSTER
from runbook.answers.manifests import READS, Marks, UnreadManifest
from runbook.formats.declared import at, label, steps
from runbook.formats.quantity import quantity
from runbook.formats.strimzi_stored import stored
from runbook.model.errors import Garbled
from runbook.model.fact import Gap, Observed, distinct
from runbook.model.probe import Probe
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, Row

API_GROUP: Final = "kafka.strimzi.io"

REQUESTS: Final = (
    "GET /version",
    "GET /apis/{group}",
    "GET /apis/{group}/{version}/namespaces/{namespace}/{resource}",
    "GET /api/v1/namespaces/{namespace}",
)
KINDS: Final = {
    "Kafka": "kafkas",
    "KafkaNodePool": "kafkanodepools",
    "KafkaTopic": "kafkatopics",
    "KafkaUser": "kafkausers",
    "KafkaConnect": "kafkaconnects",
    "KafkaConnector": "kafkaconnectors",
    "KafkaMirrorMaker2": "kafkamirrormaker2s",
    "KafkaBridge": "kafkabridges",
    "KafkaRebalance": "kafkarebalances",
}
"""Kind → its plural."""
OWNERS: Final = {"KafkaConnector": "KafkaConnect"} | dict.fromkeys(
    ("KafkaNodePool", "KafkaTopic", "KafkaUser", "KafkaRebalance"), "Kafka"
)
"""Whom the label strimzi.io/cluster names; the other kinds belong to nobody."""
NAMESPACE: Final = "get the namespace, to tell an empty one from one that is not there"
SOURCE: Final = Cell("Where it was read: file and line of a manifest, else group and version of the API.")

OPERATOR: Final = "Strimzi's own default"
BROKER: Final = "Kafka's own default"

_HEAP: Final = re.compile(r"([0-9]{1,18})([kKmMgG]?)")
_LEFT_OUT: Final = re.compile(r"app\.kubernetes\.io/(?!part-of)|kustomize\.toolkit\.fluxcd\.io")
"""Labels of a resource that the operator does not hand on (Labels.STRIMZI_LABELS_EXCLUSION_PATTERN)."""
_POWERS: Final = {"": 0, "k": 10, "m": 20, "g": 30}


class Declares(Protocol):
    """What Strimzi's resources can be read from."""

    def custom(self, group: str, resource: str) -> tuple[str, list[dict[str, Any]]]:
        """The version of the API that was asked, and all resources of a kind."""


@runtime_checkable
class InFiles(Protocol):
    """What reads them from files, some of which can't be read."""

    def lost(self, group: str, resource: str) -> list[UnreadManifest]:
        """What may declare a resource of a kind, and can't be read."""

    def others(self, group: str, known: Collection[str]) -> list[dict[str, Any]]:
        """Resources that are of none of the kinds, and look as if they were meant to be."""


class Declared(Struct, frozen=True, kw_only=True):
    """One resource.

    Attributes:
        name: its own.
        namespace: where it lives; empty where a manifest leaves that to who applies it.
        cluster: the Kafka resource it belongs to, by its label; of a Kafka resource its own name; empty for none.
        version: of the API, such as v1.
        source: where it was read: file and line of a manifest, else group and version of the API.
        spec: what is asked for, as an API server stores it.
        whole: all of it.
        marks: where a manifest has its fields; None of what an API server gave.
    """

    name: str
    namespace: str
    cluster: str
    version: str
    source: str
    spec: dict[str, Any]
    whole: dict[str, Any]
    marks: Marks | None = None

    @property
    def home(self) -> tuple[str, str]:
        """Namespace and name of the Kafka resource it belongs to: labels name one of the same namespace."""
        return self.namespace, self.cluster

    def place(self, *path: str | int) -> str:
        """Where a manifest has a field, or what is next above it, as FILE:LINE:COLUMN; empty without a manifest."""
        return self.marks.at(path) if self.marks else ""

    def places(self, row: type[Row], *part: str | int, **others: Sequence[str | int]) -> dict[str, str]:
        """Where a manifest has the cells of a row.

        Args:
            row: declares, cell by cell, where the resource has it.
            part: the part of the resource that the row is read from; none: the resource.
            others: cells that stand elsewhere in the resource, and where.
        """
        if self.marks is None:
            return {}
        # not made up: whether a part is meant is what was asked
        found = {column: self.place(*part, *path) for column, path in _written(row, of_part=bool(part)).items()}
        return found | {"": self.place(*part)} | {column: self.place(*path) for column, path in others.items()}


@cache
def _written(row: type[Row], *, of_part: bool) -> dict[str, tuple[str, ...]]:
    """Column → where a resource, or a part of one, has what it says."""
    found = {column: source.path for column, source in row.__sources__.items() if source.path}
    for column, hint in get_type_hints(row, include_extras=True).items():
        found |= {column: steps(cell.written) for cell in getattr(hint, "__metadata__", ()) if cell.written}  # noqa: B035
    if of_part:
        return found
    return {column: (*_STANDS.get(path[0], path[:1]), *path[1:]) for column, path in found.items()}


_STANDS: Final = {
    "name": ("metadata", "name"),
    "namespace": ("metadata", "namespace"),
    "cluster": ("metadata", "labels", CLUSTER),
    "version": ("apiVersion",),
    "whole": (),
}
"""Attribute of what is declared → where the resource has it."""


class DeclaredRow(Namespaced):
    """A row about a resource, or about a part of one."""

    namespace: Annotated[str, ITS_NAMESPACE] = at("namespace")


class PlacedRow(DeclaredRow):
    """A row of which manifests have every cell at some place."""

    places: Annotated[
        dict[str, str], Cell("Column → FILE:LINE:COLUMN of the manifest that says it; of an API server nothing.")
    ]


def probe_of(row: type[Row], *plurals: str, help: str) -> Probe:  # noqa: A002 - as Probe has it
    """A probe of what is declared, which files tell as well as a namespace; what became of it only the latter does.

    Args:
        row: what it gives.
        plurals: the kinds of resources that it reads, in plural.
        help: its one line.
    """
    return Probe(
        connections=("kubernetes", "manifests"),
        needs={"manifests": "paths"},  # who declares Kubernetes absent need not say of manifests that it has none
        help=help,
        row=row,
        requests=(*REQUESTS, *READS),
        rights=(
            f"list {' and '.join(plurals)} of {API_GROUP} in the namespace",
            NAMESPACE,
            "read the files, where manifests are asked",
        ),
    )


def declared(connection: Declares, plural: str) -> list[Declared]:
    """All resources of a kind.

    Raises:
        Absent: there is no such kind.
        CannotLook: they were not given.
    """
    asked, found = connection.custom(API_GROUP, plural)
    return [of_thing(item, asked, of_kafka=plural == "kafkas") for item in found]


def of_thing(thing: dict[str, Any], asked: str, *, of_kafka: bool = False) -> Declared:
    """One resource as it came, of a kind that was asked for in a version."""
    version = text(thing, "apiVersion").rpartition("/")[2] or asked
    return Declared(
        name=name(thing),
        namespace=text(thing, "metadata", "namespace"),
        cluster=name(thing) if of_kafka else labels(thing).get(CLUSTER, ""),
        version=version,
        source=text(thing, "source") or f"{API_GROUP}/{version}",
        spec=stored(part(thing, "spec")),
        whole=thing,
        marks=thing.get("marks"),
    )


def declared_if_any(connection: Declares, plural: str) -> list[Declared]:
    """The same, of a kind that need not be there.

    Raises:
        CannotLook: they were not given.
    """
    try:
        return declared(connection, plural)
    except Absent:
        return []


def unread(connection: Declares, plural: str) -> list[UnreadManifest]:
    """What files may declare of a kind that can't be read; of an API server nothing."""
    return connection.lost(API_GROUP, plural) if isinstance(connection, InFiles) else []


def without_kafka(one: Declared, lost: Iterable[UnreadManifest]) -> str:
    """Why nothing is known of the Kafka resource that one belongs to.

    Args:
        one: the resource.
        lost: what may be that Kafka resource, and can't be read.
    """
    why = [str(kafka.gap().reason) for kafka in lost if kafka.name in ("", one.cluster)]
    named = f"there is no Kafka resource {one.cluster}" if one.cluster else "it names no Kafka resource"
    return why[0] if why else f"{named}, whose default counts"


def each(found: Iterable[Declared], read: Callable[[Declared], Row | Iterable[Row]]) -> Iterator[Row | Gap]:
    """The rows of each resource; a gap for one that has something in it that can't be read."""
    for one in found:
        try:
            made = read(one)
            yield from [made] if isinstance(made, Row) else [*made]
        except Garbled as garbled:
            gap = Gap.of(garbled, says=f"{one.source}: {label(one)} is not judged: {garbled}")
            yield structs.replace(gap, place=one.place())


def observed(connection: Declares, read: Mapping[str, Callable[[list[Declared]], Iterable[Row | Gap]]]) -> Observed:
    """The rows of kinds; where none of these kinds is known, as without Strimzi, the question has no meaning.

    Args:
        connection: where they are declared.
        read: plural of a kind → the rows of all resources of it.

    Raises:
        CannotLook: they were not given.
    """
    rows: list[Row] = []
    gaps: list[Gap] = []
    absent: list[str] = []
    for plural, rows_of in read.items():
        try:
            found = declared(connection, plural)
        except Absent as reason:
            absent.append(str(reason))
        else:
            made = [*rows_of(found)]
            rows += [row for row in made if not isinstance(row, Gap)]
            gaps += [gap for gap in made if isinstance(gap, Gap)] + [lost.gap() for lost in unread(connection, plural)]
    return Observed(
        rows=rows,
        gaps=distinct(gaps),
        inapplicable="; ".join(dict.fromkeys(absent)) if len(absent) == len(read) else "",
    )


def kept_apart(
    one: Declared, template: dict[str, Any], *, component: str, name: str, own: Mapping[str, str]
) -> list[str]:
    """The topology keys over which a template of pods keeps its own pods off each other, or spreads them evenly.

    Args:
        one: the resource that the pods belong to.
        template: `template.pod`.
        component: what its pods are, such as kafka-connect.
        name: what the operator calls them together, such as orders-kafka.
        own: labels that it gives the pods beside those that all have.
    """
    given = {
        CLUSTER: one.cluster,
        "strimzi.io/name": name,
        "strimzi.io/component-type": component,
        "app.kubernetes.io/name": component,
        "app.kubernetes.io/instance": one.cluster,
        "app.kubernetes.io/managed-by": "strimzi-cluster-operator",
        "app.kubernetes.io/part-of": f"strimzi-{one.cluster}",
    }
    mine = {key: value for key, value in labels(one.whole).items() if not _LEFT_OUT.match(key)}
    pod = {"metadata": {"labels": mine | labels(template) | given | dict(own)}, "spec": template}
    return sorted({*own_anti_affinity(pod), *hard_spread(pod)})


class Requested(NamedTuple):
    """Thousandths of a CPU and bytes of memory that pods ask for, and the most memory they may use; 0 for none."""

    cpu: int
    memory: Bytes
    limit: Bytes


def requested(resources: dict[str, Any]) -> Requested:
    """What `resources` asks for; what has a limit and asks for nothing asks for that."""
    limits = part(resources, "limits")
    asked = limits | part(resources, "requests")
    return Requested(
        quantity(asked.get("cpu"), scale=1000), storage(asked.get("memory")), storage(limits.get("memory"))
    )


def config_value(config: Mapping[str, Any], key: str, default: str) -> str:
    """A setting of a `config`, as Kafka's properties write it, else the default."""
    value = config.get(key)
    if value is None:
        return default
    return str(value).lower() if isinstance(value, bool) else str(value).strip()


def whole_number(config: Mapping[str, Any], key: str, default: int) -> int:
    """A setting that is a number; YAML may have it as text.

    Raises:
        Garbled: it is none.
    """
    value = config_value(config, key, str(default))
    if not re.fullmatch(r"-?[0-9]{1,18}", value):
        raise Garbled(f"config has {value[:40]!r} as {key}, which should be a whole number")
    return int(value)


def heap(options: Mapping[str, Any], key: str) -> Bytes:
    """The bytes of `-Xmx` or `-Xms` of `jvmOptions`; 0 where it is not set.

    Raises:
        Garbled: it is no size.
    """
    value = str(options.get(key, ""))
    if not value:
        return Bytes(0)
    found = _HEAP.fullmatch(value)
    if found is None:
        raise Garbled(f"jvmOptions has {value[:40]!r} as {key}, which is no size such as 4096m")
    return Bytes(int(found[1]) << _POWERS[found[2].lower()])
