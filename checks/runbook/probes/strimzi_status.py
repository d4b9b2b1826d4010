"""What Strimzi's operators say of the resources they act on, and whether anybody acts on them."""

import datetime as dt
from typing import TYPE_CHECKING, Annotated, Any, Final

from runbook.answers.kubernetes.objects import Absent, described, is_observed, many, part, text
from runbook.answers.kubernetes.strimzi import is_managed, is_paused
from runbook.formats.declared import at, by
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Minutes
from runbook.model.row import Cell, row_of
from runbook.probes._strimzi import (
    API_GROUP,
    KINDS,
    NAMESPACE,
    OWNERS,
    REQUESTS,
    Declared,
    DeclaredRow,
    declared_if_any,
    observed,
    of_thing,
)

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes

_NEVER_READY: Final = ("KafkaNodePool", "KafkaRebalance")
"""Kinds of which the operator says when they failed, and not, or not for long, that they are ready."""


class StrimziStatus(DeclaredRow):
    """A resource and what became of it."""

    kind: Annotated[str, Cell("Kind, as in KafkaTopic.", key=True)]
    resource: Annotated[str, Cell("Name.", key=True)] = at("name")
    owner: Annotated[
        str,
        Cell("What it belongs to, as Kafka orders; empty where it names nothing, or nothing such is in the namespace."),
    ]
    owned: Annotated[bool, Cell("Whether that is there; true for what stands by itself.")]
    ready: Annotated[
        bool, Cell("Whether the operator says that it is as described; of pools and rebalances: not failed.")
    ]
    state: Annotated[str, Cell("What it says: Ready, NotReady, ProposalReady…; empty for nothing at all.")]
    reason: Annotated[str, Cell("Why it is not ready; empty if it is.")]
    warnings: Annotated[list[str], Cell("What the operator warns of, such as DeprecatedFields.")]
    observed: Annotated[bool, Cell("Whether the operator has seen the newest description.")] = by(is_observed, "whole")
    paused: Annotated[bool, Cell("Whether reconciliation is paused by annotation: changes then do nothing.")] = by(
        is_paused, "whole"
    )
    managed: Annotated[bool, Cell("Whether an operator is to act on it at all (a topic may say that none is).")] = by(
        is_managed, "whole"
    )
    age: Annotated[Minutes | None, Cell("Since it was made, or last described anew where that is reported.")]


PROBE = Probe(
    connections=("kubernetes",),
    help="One row per resource of Strimzi in the namespace, of every kind that is installed.",
    row=StrimziStatus,
    requests=REQUESTS,
    rights=(
        "list kafkas, kafkanodepools, kafkatopics, kafkausers of kafka.strimzi.io in the namespace",
        "list kafkaconnects, kafkaconnectors, kafkamirrormaker2s, kafkarebalances of kafka.strimzi.io in the namespace",
        NAMESPACE,
    ),
)


def observe(kubernetes: "Kubernetes") -> Observed:
    """Observe every resource; where there is no Strimzi the question has no meaning."""

    def rows(kafkas: list[Declared]) -> list[StrimziStatus]:
        found = {kind: declared_if_any(kubernetes, plural) for kind, plural in KINDS.items() if kind != "Kafka"}
        found["Kafka"] = kafkas
        for kind in (kind for kind, owner in OWNERS.items() if owner == "Kafka"):
            found[kind] = [*found[kind], *_strays(kubernetes, KINDS[kind])]
        names = {kind: {(one.namespace, one.name) for one in resources} for kind, resources in found.items()}
        now = dt.datetime.fromtimestamp(kubernetes.clock.now("Strimzi"), dt.UTC)
        return [_row(kind, resource, names, now) for kind in KINDS for resource in found[kind]]

    return observed(kubernetes, {KINDS["Kafka"]: rows})


def _strays(kubernetes: "Kubernetes", plural: str) -> list[Declared]:
    """What names a cluster that is not there is left out as another's where the inventory names one: here it counts."""
    try:
        return [of_thing(one, "") for one in kubernetes.strays(API_GROUP, plural)]
    except Absent:
        return []


def _row(kind: str, one: Declared, names: dict[str, set[tuple[str, str]]], now: dt.datetime) -> StrimziStatus:
    owner = OWNERS.get(kind, "") if one.cluster else ""
    said = [each for each in many(one.whole, "status", "conditions") if each.get("status") == "True"]
    conditions = [each for each in said if each.get("type") != "Warning"]
    state = conditions[0] if conditions else {}
    failed = text(state, "type") == "NotReady"
    return row_of(
        StrimziStatus,
        one,
        kind=kind,
        owner=f"{owner} {one.cluster}" if owner and names[owner] else "",
        owned=not owner or not names[owner] or one.home in names[owner],
        # not made up: no operator has written a status: it has not said that it is ready
        ready=not failed and bool(part(one.whole, "status"))
        if kind in _NEVER_READY
        else text(state, "type") == "Ready",
        state=text(state, "type"),
        reason=(": ".join(filter(None, (text(state, "reason"), text(state, "message")))))[:300] if failed else "",
        warnings=sorted(text(each, "reason") for each in said if each.get("type") == "Warning"),
        age=_age(one.whole, now),
    )


def _age(thing: dict[str, Any], now: dt.datetime) -> Minutes | None:
    """Minutes since somebody wrote what is asked for, as the managers of fields tell; else since it is there."""
    at = described(thing) or text(thing, "metadata", "creationTimestamp")
    return Minutes((now - dt.datetime.fromisoformat(at)).total_seconds() / 60) if at else None
