"""What files declare of topics and rights by other tools than Strimzi: Terraform, jikkou, Confluent's operator."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from runbook.answers.kubernetes.objects import name
from runbook.answers.manifests import Marks, UnreadManifest
from runbook.connections.manifests.documents import not_read
from runbook.connections.manifests.helm_values import Charts
from runbook.formats import confluent_topics, jikkou, terraform_kafka
from runbook.formats.statements import PARTS, ChangeStated, ClusterStated, Part, RightStated, Stated, TopicStated
from runbook.formats.terraform_plan import Plan, ResourceChange, source_instead
from runbook.model.errors import FilePosition

Object = dict[str, Any]
S = TypeVar("S", bound=Stated)

_KINDS: Final[dict[tuple[str, str], Part]] = {
    (jikkou.GROUP, jikkou.TOPIC): "topic",
    (jikkou.GROUP, jikkou.PRINCIPAL): "right",
    (jikkou.GROUP, jikkou.ROLE): "right",
    (jikkou.CORE, "ConfigMap"): "topic",
    (confluent_topics.GROUP, "KafkaTopic"): "topic",
}
"""Group and kind of what is read → what it declares."""


class PlanFile(Struct, frozen=True):
    """A file that is a plan of Terraform."""

    file: str
    plan: Plan


class SourceBlock(Struct, frozen=True):
    """A resource of Kafka in Terraform's source."""

    place: FilePosition
    type: str
    name: str


class Contents(Struct, frozen=True):
    """What files hold: resources with their places, documents that can't be read, plans, Terraform's source, values.

    Attributes:
        others: those of the resources that are none of Strimzi's.
    """

    found: list[Object]
    others: list[Object]
    lost: list[UnreadManifest]
    plans: list[PlanFile]
    sources: list[SourceBlock]
    charts: Charts = Charts()


def topics(contents: Contents) -> list[TopicStated]:
    """The topics, each once."""
    maps = {name(one): one for one in _of(contents, jikkou.CORE, "ConfigMap")}
    found = _planned(contents, terraform_kafka.topics)
    of_jikkou = [one for one in _of(contents, jikkou.GROUP, jikkou.TOPIC) if not jikkou.is_deleted(one)]
    found += [jikkou.topic(one, maps, one["source"], _place(one)) for one in of_jikkou]
    found += [
        confluent_topics.topic(one, one["source"], _place(one))
        for one in _of(contents, confluent_topics.GROUP, "KafkaTopic")
    ]
    return _once([*found, *contents.charts.topics()])


def rights(contents: Contents) -> list[RightStated]:
    """The rules, each once."""
    roles = {name(one): one for one in _of(contents, jikkou.GROUP, jikkou.ROLE)}
    found = _planned(contents, terraform_kafka.rights)
    for one in _of(contents, jikkou.GROUP, jikkou.PRINCIPAL):
        found += [] if jikkou.is_deleted(one) else jikkou.rights(one, roles, one["source"], _place(one))
    return _once(found)


def settings(contents: Contents) -> list[ClusterStated]:
    """Settings of brokers, each once."""
    return _once([*_planned(contents, terraform_kafka.settings), *contents.charts.clusters()])


def access(contents: Contents) -> list[ClusterStated]:
    """How clients get into clusters, each once."""
    return _once(_planned(contents, terraform_kafka.access))


def changes(contents: Contents) -> list[ChangeStated]:
    """What becomes of topics and clusters, each once."""
    found = _planned(contents, terraform_kafka.changes)
    found += [jikkou.change(one, one["source"], _place(one)) for one in _of(contents, jikkou.GROUP, jikkou.TOPIC)]
    return _once(found)


def unread(contents: Contents, part: Part) -> list[UnreadManifest]:
    """What declares a part in a way that is not read here, or is not clear, or can't be read."""
    found = [each for each in contents.lost if _hides(each, part)] + [*contents.charts.unread(part)]
    for one in contents.plans:
        if one.plan.incomplete:
            found.append(UnreadManifest(FilePosition(one.file), one.plan.incomplete, parts=PARTS))
        strange = [change.address for change in one.plan.changes if terraform_kafka.not_read(change) == part]
        found += [UnreadManifest(FilePosition(one.file), not_read(address), parts=(part,)) for address in strange]
    return found + _sources(contents, part) + _twice(contents, part)


def _hides(lost: UnreadManifest, part: Part) -> bool:
    """Whether a document that can't be read may declare a part by another tool than Strimzi."""
    if lost.parts:
        return part in lost.parts
    return _KINDS.get((lost.api.partition("/")[0], lost.kind.removesuffix("List"))) == part


def _sources(contents: Contents, part: Part) -> list[UnreadManifest]:
    """The source of what no plan has."""
    planned = {each for one in contents.plans for each in one.plan.configured}
    planned |= {(change.type, change.name) for one in contents.plans for change in one.plan.changes}
    return [
        UnreadManifest(one.place, source_instead(one.type, one.name), parts=PARTS)
        for one in contents.sources
        if (one.type, one.name) not in planned and terraform_kafka.part_of_type(one.type) in (part, None)
    ]


def _twice(contents: Contents, part: Part) -> list[UnreadManifest]:
    """What stands in the files twice: which of the two counts is not known."""
    found: list[Stated] = [*_all(contents, part)]
    first: dict[tuple[str, ...], Stated] = {}
    unclear = []
    for one in found:
        other = first.setdefault(_key(one), one)
        if other is not one:
            why = f"{one.resource} is not judged: it stands in {other.source}, too: list fewer paths"
            unclear.append(UnreadManifest(FilePosition(one.source.partition(":")[0]), why, parts=(part,)))
    return unclear


def _all(contents: Contents, part: Part) -> Iterator[Stated]:
    if part == "topic":
        yield from _planned(contents, terraform_kafka.topics)
        for group, kind in ((jikkou.GROUP, jikkou.TOPIC), (confluent_topics.GROUP, "KafkaTopic")):
            yield from (_plain(one, group) for one in _of(contents, group, kind))
    elif part == "right":
        yield from _planned(contents, terraform_kafka.rights)
        yield from (_plain(one, jikkou.GROUP) for one in _of(contents, jikkou.GROUP, jikkou.PRINCIPAL))
    else:
        yield from _planned(contents, terraform_kafka.settings)
        yield from _planned(contents, terraform_kafka.access)


def _plain(one: Object, by: str) -> Stated:
    namespace = str((one.get("metadata") or {}).get("namespace") or "")
    return Stated(by=by, resource=name(one), namespace=namespace, source=one["source"])


def _planned(contents: Contents, read: Callable[[ResourceChange, str], Iterator[S]]) -> list[S]:
    """What is said of each change of a plan, with its place."""
    return [
        _placed(contents, change, each)
        for one in contents.plans
        for change in one.plan.changes
        for each in read(change, one.file)
    ]


def _placed(contents: Contents, change: ResourceChange, one: S) -> S:
    """Something of a plan with the line of its source, where the files hold the only one it can come from."""
    found = [source for source in contents.sources if (source.type, source.name) == (change.type, change.name)]
    if len(found) != 1:
        return one
    return replace(one, places={"": str(found[0].place)})


def _once(found: Iterable[S]) -> list[S]:
    """What stands there once."""
    listed = list(found)
    keys = Counter(key for key, _ in {(_key(one), one.source) for one in listed})  # a principal has several rules
    return [one for one in listed if keys[_key(one)] == 1]


def _key(one: Stated) -> tuple[str, ...]:
    return one.by, one.namespace, one.resource


def _of(contents: Contents, group: str, kind: str) -> list[Object]:
    return [one for one in contents.others if one["kind"] == kind and str(one["apiVersion"]).partition("/")[0] == group]


def _place(one: Object) -> Any:
    marks: Marks = one["marks"]
    return lambda *path: marks.at(path)
