"""Rights, users and quotas of a guarded lab: complete, or too much given to too many. Each is undone at the end."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from kafka_lab import LabState, rights, rights_signs, security
from kafka_lab.admin import kafka_python
from kafka_lab.brokers import run_tool
from kafka_lab.parts.security import QUOTAS

TILL: Final = "192.0.2.7"
"""The one host from which the user till may come."""
QUIET_BROKER: Final = 3
_LOGGER: Final = "kafka.authorizer.logger"
_WEAK_ROUNDS: Final = 4096
_COMPLETING: Final = [("User:till", TILL, "WRITE", "ALLOW", "TOPIC", "orders", "LITERAL")]
_TOO_MUCH: Final = [
    ("User:*", "*", "READ", "ALLOW", "TOPIC", "payments", "LITERAL"),
    ("User:intern", "*", "ALL", "ALLOW", "TOPIC", "*", "LITERAL"),
    ("User:intern", "*", "ALTER", "ALLOW", "CLUSTER", "kafka-cluster", "LITERAL"),
    ("User:intern", "*", "READ", "ALLOW", "GROUP", "pay", "PREFIXED"),
    ("User:intern", "*", "READ", "ALLOW", "GROUP", "payroll", "LITERAL"),
    ("User:shop", "*", "WRITE", "ALLOW", "TOPIC", "orders", "LITERAL"),
    ("User:shop", "*", "WRITE", "DENY", "TOPIC", "orders", "LITERAL"),
    ("User:till", "*", "WRITE", "ALLOW", "TOPIC", "payments", "LITERAL"),
]


class _Rule(NamedTuple):
    """An ACL in words, comparable."""

    who: str
    host: str
    operation: str
    permission: str
    kind: str
    name: str
    pattern: str


def declared() -> list[str]:
    """Every ACL that a complete lab has, as the check takes them."""
    words = {"describe": "Describe", "describe_configs": "DescribeConfigs", "read": "Read"}
    lines = [
        f"Allow User:{right.user} * {words[right.operation]} {kind} {right.name} Literal"
        for right in _given_at_start()
        for kind in [right.kind.title().replace("_", "")]
    ]
    return [*lines, f"Allow User:till {TILL} Write Topic orders Literal"]


@contextmanager
def completed(lab: LabState) -> Iterator[None]:
    """Add what a guarded lab lacks for its hosts and clients: the user of the brokers' files, and a bound principal."""
    try:
        rights.add_user(lab, "admin", security.password(lab, "admin"))
        _create(lab, _COMPLETING)  # type: ignore[arg-type]  # rows of texts
        yield
    finally:
        _delete(lab, _COMPLETING)  # type: ignore[arg-type]  # the user stays: see rights.add_user


def complete(lab: LabState) -> Mapping[str, bool]:
    """What proves that the rights are those declared and no others, and that users and quotas are as they should be."""
    start = {
        _Rule(f"User:{right.user}", "*", right.operation.upper(), "ALLOW", right.kind.upper(), right.name, "LITERAL")
        for right in _given_at_start()
    }
    hashed = rights_signs.rounds(lab)
    return {
        "the ACLs are those declared": _rules(lab) == start | {_Rule(*one) for one in _COMPLETING},
        "passwords are hashed as often as Kafka allows": set(hashed.values()) == {rights.ITERATIONS},
        "the user of the brokers' files exists": "admin" in hashed,
        "users without limits of their own are limited": rights_signs.default_quotas(lab).keys() == set(QUOTAS),
    }


@contextmanager
def spoiled(lab: LabState) -> Iterator[None]:
    """Give too much to too many, twice and in vain; a weak password; no limits; and have one broker log no denials."""
    try:
        _create(lab, _TOO_MUCH)  # type: ignore[arg-type]  # rows of texts
        rights.add_user(lab, "intern", security.password(lab, "intern"), _WEAK_ROUNDS)
        rights.remove_default_quotas(lab, QUOTAS)
        _alter_logger(lab, "--add-config", f"{_LOGGER}=ERROR")
        yield
    finally:
        _delete(lab, _TOO_MUCH)  # type: ignore[arg-type]
        rights.add_user(lab, "intern", security.password(lab, "intern"))  # no user is removed: see there
        rights.set_default_quotas(lab, QUOTAS)
        _alter_logger(lab, "--delete-config", _LOGGER)


def too_much(lab: LabState) -> Mapping[str, bool]:
    """What proves that they are spoiled, by the word of the brokers."""
    there = _rules(lab)
    claims = {" ".join(("there is the ACL", *one)): _Rule(*one) in there for one in _TOO_MUCH}
    claims["the password of intern is hashed too few times"] = rights_signs.rounds(lab).get("intern") == _WEAK_ROUNDS
    claims["users without limits of their own are not limited"] = not rights_signs.default_quotas(lab)
    whose = ["--describe", "--entity-type", "broker-loggers", "--entity-name", str(QUIET_BROKER)]
    said = run_tool(lab, "kafka.admin.ConfigCommand", ["--bootstrap-server", lab.bootstrap, *whose])
    claims[f"broker {QUIET_BROKER} logs no denials"] = f"{_LOGGER}=ERROR" in said
    return claims


def _given_at_start() -> list[rights.Right]:
    return [*rights.documented(security.READER), *rights.of_application(security.APPLICATION)]


def _rules(lab: LabState) -> set[_Rule]:
    return {
        _Rule(
            acl.principal,
            acl.host,
            acl.operation.name,
            acl.permission_type.name,
            acl.resource_pattern.resource_type.name,
            acl.resource_pattern.resource_name,
            acl.resource_pattern.pattern_type.name,
        )
        for acl in rights_signs.all_acls(lab)
    }


def _create(lab: LabState, given: list[tuple[str, ...]]) -> None:
    from kafka.admin import ACL

    with kafka_python(lab) as admin:
        assert not admin.create_acls([ACL(*_parts(one)) for one in given])["failed"]


def _delete(lab: LabState, given: list[tuple[str, ...]]) -> None:
    from kafka.admin import ACLFilter

    with kafka_python(lab) as admin:
        admin.delete_acls([ACLFilter(*_parts(one)) for one in given])


def _parts(rule: tuple[str, ...]) -> tuple[Any, ...]:
    from kafka.admin import ACLOperation, ACLPermissionType, ACLResourcePatternType, ResourcePattern, ResourceType

    who, host, operation, permission, kind, name, pattern = rule
    resource = ResourcePattern(ResourceType[kind], name, ACLResourcePatternType[pattern])
    return (who, host, ACLOperation[operation], ACLPermissionType[permission], resource)


def _alter_logger(lab: LabState, option: str, value: str) -> None:
    whose = ["--bootstrap-server", lab.bootstrap, "--alter", "--entity-type", "broker-loggers"]
    run_tool(lab, "kafka.admin.ConfigCommand", [*whose, "--entity-name", str(QUIET_BROKER), option, value])
