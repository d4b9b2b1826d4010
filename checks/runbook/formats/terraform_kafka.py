"""What a plan of Terraform says of Kafka's topics, rights and clusters, by the resources of the known providers.

Fields are those of the providers' own source: Mongey/kafka, confluentinc/confluent and aiven/aiven of summer 2026.
"""

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from runbook.formats.java_properties import read_properties
from runbook.formats.statements import (
    EVERYBODY,
    HIDDEN,
    ChangeStated,
    ClusterStated,
    Part,
    RightStated,
    TopicStated,
    as_kafka_writes,
    every_of,
    kind_of,
    principal_of,
    setting_text,
    together,
    whole_number,
)
from runbook.formats.terraform_plan import ResourceChange, Told, of_kafka
from runbook.formats.unread_declarations import part_in_plan

BY: Final = "Terraform"


class _Topics(Struct, frozen=True):
    """Where a type of resource has what a topic has; `config` as a map, or as a block whose names have underscores."""

    name: str
    partitions: str
    replicas: str
    config: str = "config"
    block: bool = False


class _Rights(Struct, frozen=True):
    """Where a type of resource has what a rule has."""

    kind: str
    name: str
    pattern: str
    principal: str
    host: str
    operation: str
    permission: str


_TOPICS: Final = {
    "kafka_topic": _Topics("name", "partitions", "replication_factor"),
    "confluent_kafka_topic": _Topics("topic_name", "partitions_count", ""),
    "aiven_kafka_topic": _Topics("topic_name", "partitions", "replication", block=True),
}
_RIGHTS: Final = {
    "kafka_acl": _Rights(
        "resource_type",
        "resource_name",
        "resource_pattern_type_filter",
        "acl_principal",
        "acl_host",
        "acl_operation",
        "acl_permission_type",
    ),
    "confluent_kafka_acl": _Rights(
        "resource_type", "resource_name", "pattern_type", "principal", "host", "operation", "permission"
    ),
    "aiven_kafka_native_acl": _Rights(
        "resource_type", "resource_name", "pattern_type", "principal", "host", "operation", "permission_type"
    ),
}
_CLUSTERS: Final = {
    "aiven_kafka": "service_name",
    "aws_msk_cluster": "cluster_name",
    "aws_msk_serverless_cluster": "cluster_name",
    "confluent_kafka_cluster": "display_name",
}
_MSK_LOGINS: Final = (("sasl", 0, "iam"), ("sasl", 0, "scram"), ("tls", 0))
_ACCOUNTS: Final = {"confluent_service_account", "confluent_identity_pool"}
_AIVEN: Final = {"admin": ["All"], "read": ["Read"], "write": ["Write"], "readwrite": ["Read", "Write"]}
_CLOUD_REPLICAS: Final = 3  # Confluent Cloud has no other number of replicas, and takes none
_BY_END: Final[dict[str, Part]] = {"topic": "topic", "acl": "right", "cluster": "cluster"}
"""End of the name of a type → what it declares, whichever the provider."""
_READ: Final = {*_TOPICS, *_RIGHTS, *_CLUSTERS, "aiven_kafka_acl", "aws_msk_configuration"}
_PROVIDERS: Final = ("kafka", "confluent", "aiven", "aws")


def topics(change: ResourceChange, file: str) -> Iterator[TopicStated]:
    """The topic that is there after a change, if it is one of a topic."""
    of = _TOPICS.get(change.type)
    if of is None or not _is_read(change) or change.after is None:
        return
    replicas = change.told(of.replicas) if of.replicas else Told(_CLOUD_REPLICAS)
    partitions = change.told(of.partitions)
    path = (of.config, 0) if of.block else (of.config,)
    keys = change.keys(*path)
    told = {key: change.told(*path, key) for key in keys or ()}
    written = {(key.replace("_", ".") if of.block else key): one for key, one in told.items() if one != Told()}
    whole = [change.told(*path)] if keys is None else []
    yield TopicStated(
        by=BY,
        resource=change.address,
        source=file,
        why=together(_why(change, each) for each in (replicas, *written.values(), *whole)),
        topic=_shown(change.told(of.name)),
        partitions=_number(partitions),
        replicas=_number(replicas),
        config={key: None if one.why else setting_text(one.value) for key, one in written.items()},
        config_whole=keys is not None,
        names_checked=change.type != "kafka_topic",
    )


def rights(change: ResourceChange, file: str) -> Iterator[RightStated]:
    """The rule that is there after a change, if it is one of a rule."""
    if not _is_read(change) or change.after is None:
        return
    if change.type == "aiven_kafka_acl":
        yield _aiven(change, file)
    elif of := _RIGHTS.get(change.type):
        yield _right(change, of, file)


def changes(change: ResourceChange, file: str) -> Iterator[ChangeStated]:
    """What becomes of a topic or a cluster."""
    if not _is_read(change) or change.type not in (*_TOPICS, *_CLUSTERS):
        return
    of = _TOPICS.get(change.type)
    called = of.name if of else _CLUSTERS[change.type]
    before = replace(change, after=None).told(called)
    yield ChangeStated(
        by=BY,
        resource=change.address,
        source=file,
        thing="topic" if of else "cluster",
        name=_shown(before) if before.value or before.why else _shown(change.told(called)),
        action=change.action,
        because=change.replaced_for if change.action == "replace" else [],
    )


def settings(change: ResourceChange, file: str) -> Iterator[ClusterStated]:
    """The settings of brokers that are there after a change, if it is one of them."""
    if change.type != "aws_msk_configuration" or not _is_read(change) or change.after is None:
        return
    told = change.told("server_properties")
    yield ClusterStated(
        by=BY,
        resource=change.address,
        source=file,
        why=_why(change, told),
        name=_shown(change.told("name")),
        config={one.name: one.value for one in read_properties(told.value)} if isinstance(told.value, str) else None,
    )


def access(change: ResourceChange, file: str) -> Iterator[ClusterStated]:
    """How clients get into the cluster that is there after a change; a serverless one takes TLS and IAM alone."""
    if change.type != "aws_msk_cluster" or not _is_read(change) or change.after is None:
        return
    transit = change.told("encryption_info", 0, "encryption_in_transit", 0, "client_broker")
    block = change.told("client_authentication", 0)
    open_ = change.told("client_authentication", 0, "unauthenticated")
    ways = [change.told("client_authentication", 0, *path) for path in _MSK_LOGINS]
    known = block.value is not None and not (open_.why or any(way.why for way in ways))
    absent = f"{change.address}: without client_authentication the service decides" if block == Told() else ""
    yield ClusterStated(
        by=BY,
        resource=change.address,
        source=file,
        why=together([*(_why(change, told) for told in (transit, block, open_, *ways)), absent]),
        name=_shown(change.told("cluster_name")),
        tls_only=None if transit.why else transit.value in (None, "TLS"),
        login_only=open_.value is not True and any(bool(way.value) for way in ways) if known else None,
    )


def not_read(change: ResourceChange) -> Part | None:
    """What a change declares of Kafka by a resource that is not read here; None if it is read, or nothing of Kafka."""
    if _is_read(change) and change.type in _READ:
        return None
    if wrapped := part_in_plan(change.type, change.after):
        return wrapped
    return part_of_type(change.type) if of_kafka(change.type) else None


def part_of_type(kind: str) -> Part | None:
    """What of Kafka a type of resource declares, by the end of its name."""
    return _BY_END.get(kind.rpartition("_")[2])


def _is_read(change: ResourceChange) -> bool:
    return not change.provider or change.provider in _PROVIDERS


def _right(change: ResourceChange, of: _Rights, file: str) -> RightStated:
    kind = _text(change.told(of.kind), kind_of)
    name = _text(change.told(of.name), str)
    pattern = _text(change.told(of.pattern), lambda word: "prefix" if word.lower() == "prefixed" else "literal")
    permission = _text(change.told(of.permission), str.lower)
    operation = _text(change.told(of.operation), as_kafka_writes)
    principal = change.told(of.principal)
    parts = [change.told(field) for field in (of.kind, of.name, of.pattern, of.permission, of.operation, of.principal)]
    known = kind is not None and name is not None and pattern is not None
    return RightStated(
        by=BY,
        resource=change.address,
        source=file,
        why=together(_why(change, each) for each in parts),
        user=principal_of(_shown(principal)) if _judged(principal) else None,
        everybody=_is_everybody(change, of, principal),
        allow=None if permission is None else permission == "allow",
        kind=kind,
        name=name,
        pattern=pattern,
        every=every_of(kind or "", name or "", pattern or "") if known or kind == "cluster" else None,
        operations=None if operation is None else [operation],
        host=_shown(change.told(of.host)),
    )


def _is_everybody(change: ResourceChange, of: _Rights, principal: Told) -> bool | None:
    """Whether a rule is of all users; one of an account that the same plan creates is of that account alone."""
    if name := _judged(principal):
        return name in EVERYBODY
    return False if change.refers.get(of.principal, frozenset()) & _ACCOUNTS else None


def _aiven(change: ResourceChange, file: str) -> RightStated:
    topic, user = _text(change.told("topic"), str), change.told("username")
    permission = _text(change.told("permission"), str)
    name = _judged(user)
    return RightStated(
        by=BY,
        resource=change.address,
        source=file,
        why=together(_why(change, change.told(field)) for field in ("topic", "username", "permission")),
        user=_shown(user) if name else None,
        everybody=not name.strip("*") if name else None,
        allow=True,
        kind="topic",
        name=topic,
        pattern="literal",
        every=None if topic is None else not topic.strip("*"),
        operations=None if permission is None else _AIVEN.get(permission, [permission]),
    )


def _judged(told: Told) -> str:
    """A text to judge by, which is not shown where it must not be; empty where it is not known."""
    value = told.hidden if told.hidden is not None else told.value
    return value if isinstance(value, str) else ""


def _text(told: Told, read: Callable[[str], str]) -> str | None:
    return read(told.value) if isinstance(told.value, str) else None


def _number(told: Told) -> int | None:
    return None if told.value is None else whole_number(told.value)


def _shown(told: Told) -> str:
    if told.hidden is not None:
        return HIDDEN
    return f"({told.why})" if told.why else str(told.value or "")


def _why(change: ResourceChange, told: Told) -> str:
    return f"{change.address}: {told.why}" if told.why else ""
