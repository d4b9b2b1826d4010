"""What KafkaUser resources of Strimzi allow and forbid, rule by rule."""

from typing import Annotated, Any, Final

from runbook.answers.kubernetes.objects import many, text, texts
from runbook.formats.declared import Means, at
from runbook.model.fact import Observed
from runbook.model.row import Cell, row_of
from runbook.probes._strimzi import OPERATOR, SOURCE, Declared, Declares, PlacedRow, each, observed, probe_of

_CHANGES: Final = ("All", "Alter", "AlterConfigs", "ClusterAction", "Create", "Delete", "Write")


class StrimziUserRight(PlacedRow):
    """A rule of a user."""

    user: Annotated[str, Cell("The KafkaUser resource.", key=True)]
    rule: Annotated[int, Cell("Its place in the list of rules, from 1.", key=True)]
    kafka: Annotated[str, Cell("The Kafka resource the user belongs to; empty for none.")]
    source: Annotated[str, SOURCE]
    type: Annotated[str, Cell("allow or deny.")] = at("type", absent=Means("allow", OPERATOR))
    kind: Annotated[str, Cell("Of what: topic, group, transactionalId or cluster.", written="resource.type")]
    name: Annotated[str, Cell("Name or beginning of names; * for all, and for the cluster.", written="resource.name")]
    pattern: Annotated[str, Cell("literal or prefix.", written="resource.patternType")]
    every: Annotated[
        bool, Cell("Whether it is about all of the kind, or about the cluster itself.", written="resource.name")
    ]
    operations: Annotated[list[str], Cell("What may be done.", written="operations")]
    changes: Annotated[list[str], Cell("Those of them that change something.", written="operations")]
    host: Annotated[str, Cell("From where; * for anywhere.")] = at("host", absent=Means("*", OPERATOR))


PROBE = probe_of(StrimziUserRight, "kafkausers", help="One row per rule of a KafkaUser of Strimzi.")


def observe(strimzi: Declares) -> Observed:
    """Observe the rights that are declared."""
    return observed(strimzi, {"kafkausers": lambda found: each(found, _rules)})


def _rules(one: Declared) -> list[StrimziUserRight]:
    rules = many(one.spec, "authorization", "acls")
    return [_row(one, place, rule) for place, rule in enumerate(rules, start=1)]


def _row(one: Declared, place: int, rule: dict[str, Any]) -> StrimziUserRight:
    kind = text(rule, "resource", "type")
    named = "*" if kind == "cluster" else text(rule, "resource", "name")
    prefix = text(rule, "resource", "patternType") == "prefix"
    operations = texts(rule, "operations") or [text(rule, "operation")]  # the latter until v1beta2
    return row_of(
        StrimziUserRight,
        rule,
        places=one.places(StrimziUserRight, "spec", "authorization", "acls", place - 1),
        namespace=one.namespace,
        user=one.name,
        rule=place,
        kafka=one.cluster,
        source=one.source,
        kind=kind,
        name=named,
        pattern="prefix" if prefix else "literal",
        # As a prefix, * is a letter that no name has: of nothing, and not of everything (StandardAuthorizerData).
        every=not named if prefix and kind != "cluster" else named == "*",
        operations=operations,
        changes=[operation for operation in operations if operation in _CHANGES],
    )
