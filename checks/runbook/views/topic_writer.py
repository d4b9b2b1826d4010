"""Who may write to a topic, as far as ACLs say; super users may too, and stand in no ACL.

A topic that no ACL names, for any principal or operation, is open to everybody where brokers have
allow.everyone.if.no.acl.found (StandardAuthorizerData: hasResourceAcls); an ACL for `*` names each topic.
"""

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
    open: Annotated[
        bool | None,
        Cell(
            "Whether everybody may, as no ACL names the topic and all brokers have allow.everyone.if.no.acl.found.",
            untold="no ACL names the topic, and brokers hide the value of allow.everyone.if.no.acl.found",
        ),
    ]


VIEW = View(
    help="One row per topic asked for, with the principals that ACLs let write to it.",
    row=TopicWriter,
    version=4,
    leaves_out="topics that were not asked for, where some were",
    inputs={
        "topic": Input("kafka_topic", columns=("name",)),
        "acl": Input(
            "kafka_acl",
            columns=("principal", "host", "operation", "permission", "resource_type", "resource", "pattern"),
        ),
        "authorization": Input("broker_authorization", columns=("open_by_default",)),
    },
    parameters={
        "topics": Parameter(type="list[string]", help="shell patterns of topics, as in [*.dlq, dlq-*]; all without"),
    },
)


def compute(*, topic: Fact, acl: Fact, authorization: Fact, topics: Sequence[str] | None = None) -> Observed:
    """Tell from kafka_acl who may write to topics of kafka_topic, or that are named in full; Deny wins."""
    rules = [row for row in acl.rows() if row["resource_type"] == "Topic"]
    opened = authorization.columns["open_by_default"]
    by_default = None if None in opened or not authorization.complete else bool(opened) and all(opened)
    rows = []
    for name in _asked_for([row["name"] for row in topic.rows()], ("*",) if topics is None else topics):
        named = [rule for rule in rules if _concerns(rule, name)]
        of_topic = [rule for rule in named if rule["operation"] in ("Write", "All")]
        denied = _principals(rule for rule in of_topic if rule["permission"] == "Deny" and rule["host"] == _EVERYWHERE)
        allowed = _principals(rule for rule in of_topic if rule["permission"] == "Allow")
        left = [] if _EVERYBODY in denied else [principal for principal in allowed if principal not in denied]
        opened_to_all = False if named else by_default
        rows.append(TopicWriter(topic=name, writers=left, denied=denied, open=opened_to_all))
    return Observed(rows=rows)


def _asked_for(there: Sequence[str], patterns: Sequence[str]) -> list[str]:
    """The topics that fit a pattern, and those that are named in full and are not there: ACLs may name them too."""
    fitting = [name for name in there if any(fnmatchcase(name, pattern) for pattern in patterns)]
    return [*fitting, *(name for name in dict.fromkeys(patterns) if name not in there and not {*name} & {*"*?["})]


def _concerns(rule: dict[str, Any], topic: str) -> bool:
    if rule["pattern"] == "Prefixed":
        return topic.startswith(rule["resource"])
    return rule["resource"] in (topic, _EVERYWHERE)


def _principals(rules: Any) -> list[str]:
    return list(dict.fromkeys(rule["principal"] for rule in rules))
