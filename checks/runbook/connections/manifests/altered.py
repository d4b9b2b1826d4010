"""Changes of Strimzi's resources that its operators refuse, ignore or carry out without a check.

What they do is that of release 1.2.0: KafkaClusterCreator (nodes), StorageDiff and KafkaPool (storage), and
BatchingTopicController (topics).
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from runbook.answers.kubernetes.objects import labels, many, name, number, part, text, texts
from runbook.answers.kubernetes.strimzi import CLUSTER, is_managed
from runbook.connections.manifests.gone import (
    BY,
    KAFKA,
    POOL,
    THINGS,
    TOPIC,
    Held,
    Since,
    called_in_kafka,
    namespace,
    volumes,
)
from runbook.connections.manifests.patches import not_judged
from runbook.formats.quantity import quantity
from runbook.formats.statements import ChangeStated, together
from runbook.model.errors import Garbled

_UNGUARDED: Final = "strimzi.io/skip-broker-scaledown-check"
_FREE: Final = ("deleteClaim", "kraftMetadata", "volumeAttributesClass")
"""Fields of a volume that may change, and what else may: its size, to a greater one."""
_IGNORED: Final = "the operator ignores all changes of this storage, with a warning in the status"
Object = dict[str, Any]
Path = tuple[str | int, ...]


class _Change(NamedTuple):
    """What becomes of a field, and where it stands."""

    says: str
    path: Path
    stops: bool = False
    carried_out: bool | None = True
    why: str = ""


def altered_since(before: Held, now: Held) -> Since:
    """The changes of resources that are in both, where there is one of the name now.

    Args:
        before: resources as they were.
        now: resources as they are.
    """
    since = Since([], [])
    for old in before.all():
        held = now.like(old) if old["kind"] in _CHANGES else []
        if len(held) == 1 and held[0].get("spec") != old.get("spec"):
            kafkas = now.like(held[0], KAFKA, labels(held[0]).get(CLUSTER, "") or "?")
            try:
                changes = [*_CHANGES[old["kind"]](old, held[0], kafkas[0] if len(kafkas) == 1 else None)]
            except Garbled as garbled:
                since.unclear.append(not_judged(held[0], str(garbled)))
            else:
                since.changes.extend([_stated(held[0], changes)] if changes else [])
    return since


def _stated(one: Object, changes: list[_Change]) -> ChangeStated:
    """The changes of a resource as one, at the place of the first."""
    kind, done = one["kind"], {change.carried_out for change in changes}
    return ChangeStated(
        by=BY,
        resource=f"{kind.lower()}/{name(one)}",
        namespace=namespace(one),
        source=one["source"],
        places={"": one["marks"].at(changes[0].path)},
        why=together(change.why for change in changes),
        thing=THINGS[kind],
        name=called_in_kafka(one),
        action="update",
        effect=together(change.says for change in changes),
        stops=any(change.stops for change in changes),
        carried_out=False if False in done else None if None in done else True,
    )


def _of_pool(old: Object, new: Object, kafka: Object | None) -> Iterator[_Change]:
    was, roles = texts(old, "spec", "roles"), texts(new, "spec", "roles")
    more, less = number(old, "spec", "replicas"), number(new, "spec", "replicas")
    fewer = f"{more} nodes become {less}"
    unguarded = labels(kafka or {}, "metadata", "annotations").get(_UNGUARDED, "").lower() == "true"
    if less < more and "controller" in was:
        says = f"{fewer}: Strimzi's controller quorum is static, so that it takes a downtime to change its size"
        yield _Change(says, ("spec", "replicas"), stops=True)
    elif less < more and unguarded:
        says = f"{fewer}, with the partitions on them, as {_UNGUARDED} is true"
        yield _Change(says, ("spec", "replicas"), stops=True)
    elif less < more and not _is_rebalanced(kafka):
        says = f"{fewer}: the operator keeps all of them as long as one that is to go has partitions"
        yield _of_replicas(new, kafka, says)
    if "broker" in was and "broker" not in roles and not unguarded:
        says = "the role broker is taken away: the operator keeps it as long as one of its nodes has partitions"
        yield _Change(says, ("spec", "roles"), carried_out=False)
    for path, why in _storage(old, new):
        yield _Change(f"{why}: {_IGNORED}", path, carried_out=False)
        return  # one is enough for the operator to ignore them all


def _is_rebalanced(kafka: Object | None) -> bool:
    """Whether Cruise Control moves partitions off nodes that are to go."""
    modes = many(kafka or {}, "spec", "cruiseControl", "autoRebalance")
    return any(text(mode, "mode") == "remove-brokers" for mode in modes)


def _storage(old: Object, new: Object) -> Iterator[tuple[Path, str]]:
    """Changes of storage that are not allowed, each with its place."""
    top: Path = ("spec", "storage")
    was, is_ = (text(one, "spec", "storage", "type") for one in (old, new))
    if was != is_:
        yield (*top, "type"), f"storage {was} becomes {is_}"
        return
    old_volumes = {number(one, "id"): one for one in volumes(old)}
    for at, volume in enumerate(volumes(new)):
        mine = old_volumes.get(number(volume, "id"), volume)
        path: Path = (*top, "volumes", at) if is_ == "jbod" else top
        for field in sorted({*mine, *volume} - {*_FREE}):
            one, other = mine.get(field), volume.get(field)
            if one == other or (field == "size" and quantity(other) >= quantity(one) > 0):
                continue
            yield (*path, field), f"{field} {_shown(one)} of its storage becomes {_shown(other)}"


def _shown(value: Any) -> str:
    return "(none)" if value is None else str(value)


def _of_topic(old: Object, new: Object, kafka: Object | None) -> Iterator[_Change]:
    if not is_managed(new):
        return
    named, called = map(called_in_kafka, (old, new))
    if named != called:
        says = (
            f"topicName {named} becomes {called}: the operator refuses it (NotSupported), and the topic keeps its name"
        )
        yield _Change(says, ("spec", "topicName"), carried_out=False)
    fewer, more = number(new, "spec", "partitions", default=-1), number(old, "spec", "partitions", default=-1)
    if 0 < fewer < more:
        says = f"{more} partitions become {fewer}: Kafka takes none away, and the operator refuses it (NotSupported)"
        yield _Change(says, ("spec", "partitions"), carried_out=False)
    copies, were = number(new, "spec", "replicas", default=-1), number(old, "spec", "replicas", default=-1)
    if copies > 0 < were and copies != were and not part(kafka or {}, "spec").get("cruiseControl"):
        says = f"{were} replicas become {copies}: without Cruise Control the operator refuses it (NotSupported)"
        yield _of_replicas(new, kafka, says)


_CHANGES: Final = {POOL: _of_pool, TOPIC: _of_topic}


def _of_replicas(one: Object, kafka: Object | None, says: str) -> _Change:
    """One that the operator does not carry out unless its Kafka resource says how, which the files may lack."""
    lacks = f"no file has the Kafka resource {labels(one).get(CLUSTER, '')}, which says whether Cruise Control does it"
    path = ("spec", "replicas")
    return _Change(says, path, carried_out=None, why=lacks) if kafka is None else _Change(says, path, carried_out=False)
