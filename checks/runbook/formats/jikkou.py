"""Resources of jikkou (`*.jikkou.io`): the topics and rights that they declare.

A topic takes settings from ConfigMaps, which go before its own (ConfigMapsTransformation); a principal has its own
rules and those of its roles. Items of a list need not repeat their kind.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from runbook.formats.nested import part_of
from runbook.formats.statements import (
    EVERYBODY,
    ChangeStated,
    RightStated,
    TopicStated,
    as_kafka_writes,
    count_of,
    every_of,
    kind_of,
    principal_of,
    setting_text,
)

BY: Final = "jikkou"
GROUP: Final = "kafka.jikkou.io"
CORE: Final = "core.jikkou.io"
TOPIC: Final = "KafkaTopic"
PRINCIPAL: Final = "KafkaPrincipalAuthorization"
ROLE: Final = "KafkaPrincipalRole"
_DELETE: Final = "jikkou.io/delete"
_PATTERNS: Final = {"PREFIXED": "prefix", "MATCH": "match"}

Resource = Mapping[str, Any]
Place = Callable[..., str]
"""The place of a field of a resource, by its path."""


def is_deleted(resource: Resource) -> bool:
    """Whether jikkou is to delete what the resource declares."""
    annotations = part_of(part_of(resource, "metadata"), "annotations")
    return setting_text(annotations.get(_DELETE, "")) == "true"


def topic(resource: Resource, maps: Mapping[str, Resource], source: str, place: Place) -> TopicStated:
    """A topic, with the settings of the ConfigMaps that it names."""
    spec = part_of(resource, "spec")
    given = spec.get("configMapRefs")
    refs = [str(ref) for ref in given] if isinstance(given, list) else []
    lost = [ref for ref in refs if ref not in maps]
    config = dict(part_of(spec, "configs"))
    for ref in refs:
        config |= part_of(maps.get(ref, {}), "data")
    minimum = ("spec", "configs", "min.insync.replicas")
    return TopicStated(
        by=BY,
        resource=_name(resource),
        source=source,
        places={
            "": place(),
            "topic": place("metadata", "name"),
            "replicas": place("spec", "replicas"),
            "min_insync": place(*minimum) if minimum[2] in part_of(spec, "configs") else place("spec", "configMapRefs"),
            "partitions": place("spec", "partitions"),
        },
        why=f"the files have no ConfigMap {', '.join(lost)}, which it names" if lost else "",
        topic=_name(resource),
        partitions=count_of(spec, "partitions"),
        replicas=count_of(spec, "replicas"),
        config={str(key): setting_text(value) for key, value in config.items() if value is not None},
        config_whole=not lost,
    )


def change(resource: Resource, source: str, place: Place) -> ChangeStated:
    """What becomes of a topic."""
    deleted = is_deleted(resource)
    return ChangeStated(
        by=BY,
        resource=_name(resource),
        source=source,
        places={"": place(), "action": place("metadata", "annotations", _DELETE) if deleted else place()},
        thing="topic",
        name=_name(resource),
        action="delete" if deleted else "apply",
    )


def rights(resource: Resource, roles: Mapping[str, Resource], source: str, place: Place) -> list[RightStated]:
    """The rules of a principal, then those of its roles."""
    principal = _name(resource)
    own = [(rule, place("spec", "acls", at)) for at, rule in enumerate(_rules(resource))]
    names = part_of(resource, "spec").get("roles")
    named = [str(role) for role in names] if isinstance(names, list) else []
    lost = [role for role in named if role not in roles]
    given = [
        (rule, place("spec", "roles", at)) for at, role in enumerate(named) for rule in _rules(roles.get(role, {}))
    ]
    found = [_right(principal, number, rule, source, at) for number, (rule, at) in enumerate([*own, *given], start=1)]
    return found + [_unknown(principal, len(found) + at, role, source, place) for at, role in enumerate(lost, start=1)]


def _right(principal: str, number: int, rule: Resource, source: str, place: str) -> RightStated:
    of = part_of(rule, "resource")
    kind, name = kind_of(str(of.get("type", ""))), str(of.get("pattern", ""))
    pattern = _PATTERNS.get(str(of.get("patternType", "LITERAL")).upper(), "literal")
    operations = rule.get("operations")
    return RightStated(
        by=BY,
        resource=principal,
        rule=number,
        source=source,
        places={"": place},
        user=principal_of(principal),
        everybody=principal in EVERYBODY,
        allow=str(rule.get("type", "ALLOW")).upper() == "ALLOW",
        kind=kind,
        name=name,
        pattern=pattern,
        every=every_of(kind, name, pattern),
        operations=[as_kafka_writes(str(each)) for each in operations] if isinstance(operations, list) else [],
        host=str(rule.get("host") or "*"),
    )


def _unknown(principal: str, number: int, role: str, source: str, place: Place) -> RightStated:
    return RightStated(
        by=BY,
        resource=principal,
        rule=number,
        source=source,
        places={"": place("spec", "roles")},
        why=f"the files have no KafkaPrincipalRole {role}, which it names",
        user=principal_of(principal),
        everybody=principal in EVERYBODY,
        allow=None,
        kind=None,
        name=None,
        pattern=None,
        every=None,
        operations=None,
    )


def _rules(resource: Resource) -> list[Resource]:
    rules = part_of(resource, "spec").get("acls")
    return [rule for rule in rules if isinstance(rule, Mapping)] if isinstance(rules, list) else []


def _name(resource: Resource) -> str:
    return str(part_of(resource, "metadata").get("name", ""))
