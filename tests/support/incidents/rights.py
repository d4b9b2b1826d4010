"""What is wrong with what our user may see, and how fast."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from kafka_lab import LabState
from kafka_lab.admin import kafka_python
from kafka_lab.brokers import run_tool
from kafka_lab.content import create_topics, delete_topics
from kafka_lab.rights import Right, allow, disallow, documented
from kafka_lab.security import READER
from support.incidents.incident import Asked, Incident

_HIDDEN = "incident-hidden"
_SECURE = ("security",)
_SEES_TOPICS = ("topics-have-a-second-copy", "topics-have-three-copies", "every-partition-has-a-leader")


def _without(*gone: tuple[str, str], instead: tuple[Right, ...] = ()) -> Any:
    """Our user lacks its rights on these kinds of resources, by kind and operation."""
    rights = [right for right in documented(READER) if (right.kind, right.operation) in gone]

    def play(lab: LabState) -> AbstractContextManager[Asked]:
        return _lacking(lab, rights, instead)

    return play


@contextmanager
def _lacking(lab: LabState, rights: list[Right], instead: tuple[Right, ...]) -> Iterator[Asked]:
    disallow(lab, rights)
    allow(lab, instead)
    try:
        yield Asked()
    finally:
        allow(lab, rights)
        disallow(lab, instead)


@contextmanager
def _denied(lab: LabState) -> Iterator[Asked]:
    from kafka.admin import ACL, ACLFilter, ACLOperation, ACLPermissionType, ResourcePattern, ResourceType

    create_topics(lab, {_HIDDEN: (1, 1, {"min.insync.replicas": "1"})})
    resource = ResourcePattern(ResourceType.TOPIC, _HIDDEN)
    words = (f"User:{READER}", "*", ACLOperation.DESCRIBE, ACLPermissionType.DENY, resource)
    with kafka_python(lab) as admin:
        admin.create_acls([ACL(*words)])
    try:
        yield Asked()
    finally:
        with kafka_python(lab) as admin:
            admin.delete_acls([ACLFilter(*words)])
        delete_topics(lab, [_HIDDEN])


@contextmanager
def _throttled(lab: LabState) -> Iterator[Asked]:
    """Our user gets next to nothing of the brokers' threads."""
    _limit(lab, "--add-config", "request_percentage=0.01")
    try:
        yield Asked()
    finally:
        _limit(lab, "--delete-config", "request_percentage")


def _limit(lab: LabState, option: str, value: str) -> None:
    whose = ["--bootstrap-server", lab.bootstrap, "--alter", "--entity-type", "users", "--entity-name", READER]
    run_tool(lab, "kafka.admin.ConfigCommand", [*whose, option, value])


_ALL = {(right.kind, right.operation) for right in documented(READER)}

INCIDENTS = [
    Incident("one-topic-denied", "wrong", _denied, r"DENY|den(y|ies)|hid(e|den)", (), _SEES_TOPICS, parts=_SECURE),
    Incident(
        "describe-on-half",
        "unknown",
        _without(("topic", "describe"), instead=(Right(READER, "topic", "orders", "describe"),)),
        r"Describe on all topics|Describe",
        (),
        _SEES_TOPICS,
        parts=_SECURE,
    ),
    Incident(
        "no-rights-on-the-cluster",
        "unknown",
        _without(("cluster", "describe"), ("cluster", "describe_configs")),
        r"Describe on the cluster",
        parts=_SECURE,
    ),
    Incident("no-rights", "unknown", _without(*_ALL), r"Describe", (), _SEES_TOPICS, parts=_SECURE),
    Incident(
        "no-describe-configs",
        "unknown",
        _without(("topic", "describe_configs"), ("cluster", "describe_configs")),
        r"DescribeConfigs",
        parts=_SECURE,
    ),
    Incident(
        "our-user-throttled",
        "silent",
        _throttled,
        rf"request_percentage.*{READER}|slow",
        ("all-brokers-are-slow",),
        runbook="security",  # ha reads no quotas, and nothing that it asks about is wrong
        parts=_SECURE,
        why="a quota of one user is no grave finding, and stands behind what is",
    ),
]
