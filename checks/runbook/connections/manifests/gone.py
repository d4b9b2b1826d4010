"""Resources of Strimzi that files declared before and no longer do: what prunes deletes them, and what they made."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from runbook.answers.kubernetes.objects import flag, labels, many, name, number, part, text, texts
from runbook.answers.kubernetes.strimzi import CLUSTER, is_managed
from runbook.answers.manifests import UnreadManifest
from runbook.formats.statements import ChangeStated

BY: Final = "Strimzi"
GROUP: Final = "kafka.strimzi.io"
TOPIC: Final = "KafkaTopic"
POOL: Final = "KafkaNodePool"
KAFKA: Final = "Kafka"
CONNECT: Final = "KafkaConnect"
THINGS: Final = {
    KAFKA: "cluster",
    POOL: "node pool",
    TOPIC: "topic",
    "KafkaUser": "user",
    CONNECT: "Connect cluster",
    "KafkaConnector": "connector",
    "KafkaMirrorMaker2": "MirrorMaker 2",
    "KafkaBridge": "HTTP Bridge",
}
"""Kind → what it makes; nothing runs because of the others."""
_EFFECTS: Final = {
    TOPIC: "its KafkaTopic is gone from the files",
    "KafkaUser": "its ACLs, credentials, quotas and Secret go, and its clients can no longer log in",
    CONNECT: "its workers go, and all of its connectors stop",
    "KafkaConnector": "the operator deletes it from Connect, and its data no longer flows",
    "KafkaMirrorMaker2": "its workers go, and mirroring stops",
    "KafkaBridge": "its pods go, and its HTTP clients are refused",
}
_KEEPS: Final = (
    ("argocd.argoproj.io/sync-options", "Prune=false"),
    ("helm.sh/resource-policy", "keep"),
    ("kustomize.toolkit.fluxcd.io/prune", "disabled"),
)
"""Annotations, and the word in them, by which what prunes leaves a resource in place."""
Object = dict[str, Any]


class Since(Struct, frozen=True):
    """What became of declared resources, and what may declare those that seem to be gone, as it can't be read."""

    changes: list[ChangeStated]
    unclear: list[UnreadManifest]


class Held:
    """Resources of Strimzi that files hold, found by kind and name."""

    def __init__(self, found: Iterable[Object]) -> None:
        """Take those of all kinds."""
        self._named: dict[tuple[str, str], list[Object]] = {}
        for one in found:
            if str(one["apiVersion"]).startswith(f"{GROUP}/"):
                self._named.setdefault((one["kind"], name(one)), []).append(one)

    def all(self) -> Iterator[Object]:
        """Each of them."""
        return chain.from_iterable(self._named.values())

    def like(self, one: Object, kind: str = "", called: str = "") -> list[Object]:
        """Those that may be one resource, or those of a kind and name beside it; a namespace not said may be any."""
        mine = namespace(one)
        named = self._named.get((kind or one["kind"], called or name(one)), [])
        return [other for other in named if not mine or namespace(other) in ("", mine)]


def gone_since(before: Held, now: Held, lost: Iterable[UnreadManifest], folder: str) -> Since:
    """The resources that are gone, each mistake once: what belongs to a cluster goes with it.

    Args:
        before: resources as they were, in files below a folder.
        now: resources as they are.
        lost: what can't be read of how they are: what may stand there is not called gone.
        folder: where the files stand that were before.
    """
    unread = [*lost]
    missing = [one for one in before.all() if one["kind"] in THINGS and not _is_kept(one) and not now.like(one)]
    unclear = {id(one): [each for each in unread if _may_hold(each, one)] for one in missing}
    gone = [one for one in missing if not unclear[id(one)]]
    owners = Held(one for one in gone if one["kind"] in (KAFKA, CONNECT))
    alone = [one for one in gone if not _owners(one, owners)]
    new = [one for one in now.all() if one["kind"] in (KAFKA, POOL) and not before.like(one)] if alone else []
    with_it: dict[int, list[Object]] = {}
    for one in gone:
        for owner in _owners(one, owners):
            with_it.setdefault(id(owner), []).append(one)
    changes = [_change(one, with_it.get(id(one), []), new, folder) for one in alone]
    return Since([one for one in changes if one], [each for found in unclear.values() for each in found])


def namespace(one: Object) -> str:
    """The namespace that a resource says; empty for none."""
    return text(one, "metadata", "namespace")


def called_in_kafka(one: Object) -> str:
    """What Kafka calls it: a topic may have another name than its resource."""
    return (one["kind"] == TOPIC and text(one, "spec", "topicName")) or name(one)


def _stood(one: Object, folder: str) -> str:
    """File and line where a resource stood, of the files below a folder as they were."""
    return str(Path(one["source"]).relative_to(folder))


def volumes(pool: Object) -> list[Mapping[str, Any]]:
    """The volumes of each node of a pool."""
    declared = part(pool, "spec", "storage")
    return list(many(declared, "volumes")) if declared.get("type") == "jbod" else [declared]


def _is_kept(one: Object) -> bool:
    notes = labels(one, "metadata", "annotations")
    kept = any(word in notes.get(key, "").split(",") for key, word in _KEEPS)
    return kept or (one["kind"] == TOPIC and not is_managed(one))


def _may_hold(lost: UnreadManifest, one: Object) -> bool:
    return lost.may_be(GROUP, f"{one['kind'].lower()}s") and lost.name in ("", name(one))


def _owners(one: Object, held: Held) -> list[Object]:
    """Those that the label of a resource names: of connectors a Connect cluster, of others a Kafka cluster."""
    if one["kind"] not in (POOL, TOPIC, "KafkaUser", "KafkaConnector") or not labels(one).get(CLUSTER):
        return []
    return held.like(one, CONNECT if one["kind"] == "KafkaConnector" else KAFKA, labels(one)[CLUSTER])


def _change(one: Object, with_it: list[Object], new: list[Object], folder: str) -> ChangeStated | None:
    """What becomes of it, and of what goes with it; None for a pool without nodes, which nothing loses."""
    kind, place = one["kind"], _stood(one, folder)
    if kind == POOL and number(one, "spec", "replicas") == 0:
        return None
    file = place.rpartition(":")[0]
    instead = [name(other) for other in new if other["kind"] == kind and other["marks"].start().file == file]
    called = f"it is called {instead[0]} now, which begins empty; " if len(instead) == 1 else ""
    pools = [one] if kind == POOL else [other for other in with_it if other["kind"] == POOL]
    return ChangeStated(
        by=BY,
        resource=f"{kind.lower()}/{name(one)}",
        namespace=namespace(one),
        source=place,
        places={"": f"{file}:1:1"},  # its line is gone, and other lines may have its number
        thing=THINGS[kind],
        name=called_in_kafka(one),
        action="replace" if called else "delete",
        effect=f"{called}{'; '.join(_effects(one, pools, with_it))} (it stood in {place})",
        stops=True,
        keeps_records=kind != TOPIC and not any(_volatile(pool) for pool in pools),
    )


def _effects(one: Object, pools: list[Object], with_it: list[Object]) -> Iterator[str]:
    if one["kind"] not in (KAFKA, POOL):
        yield _EFFECTS[one["kind"]]
        return
    if one["kind"] == KAFKA:
        yield "Kubernetes deletes its Services, Secrets and entity operator"
    if nodes := sum(number(pool, "spec", "replicas") for pool in pools):
        roles = sorted({role for pool in pools for role in texts(pool, "spec", "roles")})
        kept = "with their volumes" if any(map(_volatile, pools)) else "their claims stay"
        yield f"all {nodes} nodes ({', '.join(roles)}) go at once, {kept}: no check for partitions on them comes before"
    others = Counter(other["kind"] for other in with_it if other["kind"] != POOL)
    if others:
        yield "also gone: " + ", ".join(f"{count} {kind}" for kind, count in sorted(others.items()))


def _volatile(pool: Object) -> bool:
    """Whether a pool that goes takes records with it."""
    broker = "broker" in texts(pool, "spec", "roles")
    return broker and any(text(one, "type") == "ephemeral" or flag(one, "deleteClaim") for one in volumes(pool))
