"""What is allowed and forbidden by declared rules: of Strimzi's users, jikkou's principals, and plans of Terraform."""

from typing import Annotated, Any, Final

from runbook.answers.kubernetes.objects import many, text, texts
from runbook.formats.declared import Means, at
from runbook.formats.statements import CHANGES, RightStated, every_of
from runbook.model.fact import Observed
from runbook.model.row import Cell, row_of
from runbook.probes._other_tools import with_others
from runbook.probes._strimzi import (
    OPERATOR,
    SOURCE,
    Declared,
    Declares,
    PlacedRow,
    each,
    observed,
    probe_of,
)


class AclDeclaration(PlacedRow):
    """A rule."""

    resource: Annotated[str, Cell("Name of the resource, or its address in Terraform.", key=True)]
    rule: Annotated[int, Cell("Its place in the list of rules, from 1.", key=True)]
    user: Annotated[str | None, Cell("Whose it is: the name of a user, without User:.", why="why")]
    everybody: Annotated[bool | None, Cell("Whether it is of all users, or of clients without a login.", why="why")]
    kafka: Annotated[str, Cell("Strimzi's Kafka resource the user belongs to; empty for none.")]
    source: Annotated[str, SOURCE]
    type: Annotated[str | None, Cell("allow or deny.", why="why")] = at("type", absent=Means("allow", OPERATOR))
    kind: Annotated[
        str | None, Cell("Of what: topic, group, transactionalId or cluster.", why="why", written="resource.type")
    ]
    name: Annotated[
        str | None,
        Cell("Name or beginning of names; * for all, and for the cluster.", why="why", written="resource.name"),
    ]
    pattern: Annotated[
        str | None, Cell("literal, prefix, or match: a regular expression.", why="why", written="resource.patternType")
    ]
    every: Annotated[
        bool | None,
        Cell("Whether it is about all of the kind, or about the cluster itself.", why="why", written="resource.name"),
    ]
    operations: Annotated[list[str] | None, Cell("What may be done.", why="why", written="operations")]
    changes: Annotated[list[str] | None, Cell("Those of them that change something.", why="why", written="operations")]
    host: Annotated[str, Cell("From where; * for anywhere.")] = at("host", absent=Means("*", OPERATOR))
    why: Annotated[str, Cell("Why something of it is not known; empty where all is.")]


_NOBODY: Final = ("*", "ANONYMOUS")

PROBE = probe_of(
    AclDeclaration,
    "kafkausers",
    help="One row per rule that is declared: of a KafkaUser of Strimzi, by jikkou, or by a plan of Terraform.",
)


def observe(strimzi: Declares) -> Observed:
    """Observe the rights that are declared."""
    seen = observed(strimzi, {"kafkausers": lambda found: each(found, _rules)})
    return with_others(strimzi, seen, "right", lambda files: map(_of_other, files.rights()))


def _rules(one: Declared) -> list[AclDeclaration]:
    rules = many(one.spec, "authorization", "acls")
    return [_row(one, place, rule) for place, rule in enumerate(rules, start=1)]


def _row(one: Declared, place: int, rule: dict[str, Any]) -> AclDeclaration:
    kind = text(rule, "resource", "type")
    named = "*" if kind == "cluster" else text(rule, "resource", "name")
    pattern = "prefix" if text(rule, "resource", "patternType") == "prefix" else "literal"
    operations = texts(rule, "operations") or [text(rule, "operation")]  # the latter until v1beta2
    return row_of(
        AclDeclaration,
        rule,
        places=one.places(AclDeclaration, "spec", "authorization", "acls", place - 1),
        namespace=one.namespace,
        resource=one.name,
        user=one.name,
        everybody=one.name in _NOBODY,
        rule=place,
        kafka=one.cluster,
        source=one.source,
        kind=kind,
        name=named,
        pattern=pattern,
        every=every_of(kind, named, pattern),
        operations=operations,
        changes=_changes(operations),
        why="",
    )


def _of_other(one: RightStated) -> AclDeclaration:
    """The row of a rule that another tool is to make."""
    return AclDeclaration(
        namespace=one.namespace,
        resource=one.resource,
        rule=one.rule,
        user=one.user,
        everybody=one.everybody,
        kafka="",
        source=one.source,
        type=None if one.allow is None else "allow" if one.allow else "deny",
        kind=one.kind,
        name=one.name,
        pattern=one.pattern,
        every=one.every,
        operations=one.operations,
        changes=None if one.operations is None else _changes(one.operations),
        host=one.host,
        why=one.why,
        places=one.places,
    )


def _changes(operations: list[str]) -> list[str]:
    return [operation for operation in operations if operation in CHANGES]
