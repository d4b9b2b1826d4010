"""Who may write to a topic, as far as ACLs say; super users may too, and stand in no ACL."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_EVERYWHERE = "*"
_EVERYBODY = "User:*"


class TopicWriter(Row):
    """A topic asked for."""

    topic: Annotated[str, Cell("Its name.", key=True, entity="topic")]
    writers: Annotated[list[str], Cell("Principals that may write, from some host at least; User:* is everybody.")]
    denied: Annotated[list[str], Cell("Principals that may not, from anywhere, whatever allows it.")]


VIEW = View(
    help="One row per topic asked for, with the principals that ACLs let write to it.",
    row=TopicWriter,
    leaves_out="topics that were not asked for, where some were",
    inputs={
        "topic": Input("kafka_topic", columns=("name",)),
        "acl": Input(
            "kafka_acl",
            columns=("principal", "host", "operation", "permission", "resource_type", "resource", "pattern"),
        ),
    },
    parameters={
        "topics": Parameter(type="list[string]", help="shell patterns of topics, as in [*.dlq, dlq-*]; all without"),
    },
)


def compute(*, topic: Fact, acl: Fact, topics: Sequence[str] | None = None) -> Observed:
    """Tell from kafka_acl who may write to topics of kafka_topic; Deny wins."""
    rules = [row for row in acl.rows() if row["resource_type"] == "Topic" and row["operation"] in ("Write", "All")]
    rows = []
    for name in (row["name"] for row in topic.rows()):
        if any(fnmatchcase(name, pattern) for pattern in (("*",) if topics is None else topics)):
            of_topic = [rule for rule in rules if _concerns(rule, name)]
            denied = _principals(
                rule for rule in of_topic if rule["permission"] == "Deny" and rule["host"] == _EVERYWHERE
            )
            allowed = _principals(rule for rule in of_topic if rule["permission"] == "Allow")
            left = [] if _EVERYBODY in denied else [principal for principal in allowed if principal not in denied]
            rows.append(TopicWriter(topic=name, writers=left, denied=denied))
    return Observed(rows=rows)


def _concerns(rule: dict[str, Any], topic: str) -> bool:
    if rule["pattern"] == "Prefixed":
        return topic.startswith(rule["resource"])
    return rule["resource"] in (topic, _EVERYWHERE)


def _principals(rules: Any) -> list[str]:
    return list(dict.fromkeys(rule["principal"] for rule in rules))
