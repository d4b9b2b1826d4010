"""What files say of topics and rights, in the words of Kafka, whichever tool is to make it so."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

from msgspec import Struct

Part = Literal["topic", "right", "cluster"]
"""What of Kafka something declares."""
PARTS: Final[tuple[Part, ...]] = ("topic", "right", "cluster")
CHANGES: Final = ("All", "Alter", "AlterConfigs", "ClusterAction", "Create", "Delete", "Write")
"""Operations that change something."""
EVERYBODY: Final = ("User:*", "User:ANONYMOUS")
"""Principals that are no one's own: any login, and none at all."""
HIDDEN: Final = "(sensitive)"
"""What stands for a value that must not be shown."""
_PREFIX: Final = "User:"
_WHOLE: Final = re.compile(r"-?[0-9]{1,18}")


class Stated(Struct, frozen=True, kw_only=True):
    """Something that a file declares.

    Attributes:
        by: the tool that makes it so, as Terraform.
        resource: how the tool calls it: an address of Terraform, else the name of the resource.
        namespace: of Kubernetes; empty for none.
        source: the file, with the line where it has one that a reader finds.
        places: column → FILE:LINE:COLUMN; empty where the file has no lines that a reader would look for.
        why: why some of it is not known; empty where all is.
    """

    by: str
    resource: str
    namespace: str = ""
    source: str
    places: dict[str, str] = {}
    why: str = ""


class TopicStated(Stated, frozen=True, kw_only=True):
    """A topic. What is None is not known; a setting that is not in `config` is the cluster's, if `config_whole`.

    Attributes:
        partitions, replicas: as asked for; -1 where the cluster's default counts.
        config: settings of the topic itself; None for a value that is not known.
        names_checked: whether its tool takes only settings that the service has.
        kafka: the cluster it belongs to, as that is called where it is declared; empty where that is not known.
        minimum: the cluster's own min.insync.replicas, where the same file says it.
    """

    kafka: str = ""
    minimum: int | None = None
    topic: str
    partitions: int | None
    replicas: int | None
    config: dict[str, str | None]
    config_whole: bool = True
    names_checked: bool = False


class RightStated(Stated, frozen=True, kw_only=True):
    """A rule: who may, or may not, do what to which resource; what is None is not known.

    Attributes:
        rule: its place in the resource, from 1.
        user: the principal, without `User:`.
        everybody: whether it is no one's own.
        allow: whether it allows, or forbids.
        kind: topic, group, transactionalId, cluster, delegationToken or user.
        name: of what; a beginning, or a regular expression, as `pattern` says.
        every: whether it is about all of the kind, or about the cluster itself.
        operations: as Kafka writes them, AlterConfigs.
    """

    rule: int = 1
    user: str | None
    everybody: bool | None
    allow: bool | None
    kind: str | None
    name: str | None
    pattern: str | None
    every: bool | None
    operations: list[str] | None
    host: str = "*"


class ClusterStated(Stated, frozen=True, kw_only=True):
    """A cluster, or the settings of its brokers.

    Attributes:
        name: its own.
        config: settings of its brokers; None where it says none, or they are not known.
        tls_only: whether clients must use TLS; None where it does not say, or that is not known.
        login_only: whether clients must log in; the same.
        nodes: what else it says of a cluster that no service runs; None of a service's, which has its own defaults.
    """

    name: str
    config: Mapping[str, str | None] | None = None
    tls_only: bool | None = None
    login_only: bool | None = None
    nodes: "ClusterNodes | None" = None


class ClusterNodes(Struct, frozen=True, kw_only=True):
    """What a cluster consists of; what is None is not known.

    Attributes:
        brokers: how many.
        quorum: controllers, or servers of ZooKeeper.
        kraft: whether it runs without ZooKeeper.
        kafka_version: such as 4.1.1, or 3.x.
        budget: pods that may be evicted at once.
        metrics: what exports them; empty for nothing.
    """

    brokers: int | None = None
    quorum: int | None = None
    kraft: bool | None = None
    kafka_version: str | None = None
    budget: int | None = None
    metrics: str | None = None


class NodesStated(Stated, frozen=True, kw_only=True):
    """Nodes that are alike, such as those of a StatefulSet; what is None is not known.

    Attributes:
        pool: what they are called together.
        kafka: the cluster they belong to.
        replicas: how many.
        roles: broker, controller, zookeeper.
        volumes: of each node.
        lasting: whether these outlive their pod.
        deleted: whether their claims are deleted with the release.
        size: of each volume, as it is written.
        storage_class: empty for the default one.
        resources: as a container has them.
        pod: template of the pods, with labels and rules of placement.
        apart: topology keys over which the chart itself keeps them off each other.
        heap_min, heap_max: bytes; 0 where they are not set.
    """

    pool: str
    kafka: str
    replicas: int
    roles: list[str]
    volumes: int
    lasting: bool
    deleted: bool
    size: str
    storage_class: str
    resources: dict[str, Any] | None
    pod: dict[str, Any] | None
    apart: list[str]
    heap_min: int | None
    heap_max: int | None


class ListenerStated(Stated, frozen=True, kw_only=True):
    """A listener.

    Attributes:
        kafka: the cluster it belongs to.
        listener: its name.
        port: inside of Kubernetes.
        type: internal, or the type of Service that leads to it from outside.
        outside: whether it is reached from outside of Kubernetes.
        tls: whether it is encrypted.
        authentication: sasl or tls; empty for none.
    """

    kafka: str
    listener: str
    port: int
    type: str
    outside: bool
    tls: bool
    authentication: str


class NotStated(Exception):  # noqa: N818 - what a file leaves open is no error
    """What a file does not say, or does not say for certain."""


class ChangeStated(Stated, frozen=True, kw_only=True):
    """What becomes of a topic, cluster or other part, with its records, when the file is applied.

    Attributes:
        thing: topic, cluster, node pool, user, Connect cluster, connector, MirrorMaker 2 or HTTP Bridge.
        name: its own.
        action: create, update, no-op, delete, replace or forget; apply where the tool itself finds out.
        because: the fields that force a replacement.
        effect: what becomes of it, in words; empty where the action says it.
        stops: whether nodes, clients or flows of data stop.
        carried_out: whether the tool does it; None where that is not known, and `why` says why.
        keeps_records: whether no record is deleted, though it goes.
    """

    thing: str
    name: str
    action: str
    because: list[str] = []
    effect: str = ""
    stops: bool = False
    carried_out: bool | None = True
    keeps_records: bool = False

    @property
    def loses_records(self) -> bool:
        """Whether applying it deletes records."""
        return self.action in ("delete", "replace") and not self.keeps_records


def principal_of(user: str) -> str:
    """A principal without what all users begin with; those of another type keep it."""
    return user.removeprefix(_PREFIX)


def every_of(kind: str, name: str, pattern: str) -> bool:
    """Whether a rule is about all of a kind: `*` as a prefix is a letter that no name has."""
    if kind == "cluster":
        return True
    if pattern == "match":
        return name.strip("^$") in (".*", ".+", "*")
    return not name if pattern == "prefix" else name == "*"


def as_kafka_writes(word: str) -> str:
    """An operation as Kafka's tools write it: ALTER_CONFIGS and alterConfigs are AlterConfigs."""
    parts = word.split("_") if "_" in word or word.isupper() else [word]
    return "".join(part[:1].upper() + (part[1:].lower() if part.isupper() else part[1:]) for part in parts)


def kind_of(word: str) -> str:
    """A kind of resource as these rows have it: TRANSACTIONAL_ID and TransactionalID are transactionalId."""
    plain = word.replace("_", "").lower()
    return {"transactionalid": "transactionalId", "delegationtoken": "delegationToken"}.get(plain, plain)


def setting_text(value: Any) -> str:
    """A setting as Kafka's properties write it."""
    return str(value).lower() if isinstance(value, bool) else str(value).strip()


def whole_number(value: Any) -> int | None:
    """A whole number of at most 18 digits, which may be written as text; None for anything else."""
    if isinstance(value, bool):
        return None
    text = f"{value:.0f}" if isinstance(value, float) and value.is_integer() else str(value).strip()
    return int(text) if _WHOLE.fullmatch(text) else None


def count_of(declared: Mapping[str, Any], field: str) -> int | None:
    """A number of partitions or replicas: -1 where none is said, so that the cluster's default counts.

    As jikkou's V1KafkaTopicSpec has it.
    """
    return whole_number(declared[field]) if declared.get(field) is not None else -1


def together(reasons: Iterable[str]) -> str:
    """Reasons, each once."""
    return "; ".join(dict.fromkeys(reason for reason in reasons if reason))
