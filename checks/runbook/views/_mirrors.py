"""Which topics of a source are meant to be on a target, how they are called there, and how old they may be."""

import re
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

from runbook.model.fact import Fact
from runbook.model.parameter import Parameter

ACL: Final = ("principal", "host", "operation", "permission", "resource_type", "resource", "pattern")
"""Columns of kafka_acl that make one ACL the same as another, in the order in which these views compare them."""
PREFIX: Final = Parameter(
    type="string",
    help="what stands before the name of a mirror: `us.` for MirrorMaker's default policy with the alias us; "
    "empty where names are kept",
)
TOPICS: Final = Parameter(
    type="list[string]", help="shell patterns of topics that are meant to be mirrored; all of them"
)
EXCLUDE: Final = Parameter(type="list[string]", help="shell patterns of those among them that are not; none")

GROUPS: Final = Parameter(type="list[string]", help="shell patterns of groups that are meant; none if not given")

_OWN: Final = re.compile(r"__.*|heartbeats|mm2-.*|.*[.-]internal|.*\.heartbeats|.*\.replica")
"""What belongs to one cluster: Kafka's and MirrorMaker's own topics. Its default topics.exclude (DefaultTopicFilter)
has `__.*`, `.*\\.replica` and, until Kafka 4, all that end in internal, since then `mm2.*\\.internal`."""

_STATE: Final = {
    "changelog of Streams": re.compile(r".*-changelog|.*-KSTREAM-.*|.*-KTABLE-.*"),
    "repartition topic of Streams": re.compile(r".*-repartition|.*-subscription-(registration|response)-topic"),
    "state of ksqlDB": re.compile(r"_confluent-ksql-.*|.*_ksql_processing_log|.*ksql_.*query_.*"),
    "state of Connect": re.compile(
        r"(.*[-_.])?(connect|connect-cluster|mirrormaker2-cluster)[-_.](configs?|offsets?|status)"
    ),
    "schemas of a registry": re.compile(r"_schemas|kafkasql-(journal|snapshots)"),
}
"""Topics in which applications keep what has a meaning on their own cluster only, by the names that these give
them by default: Kafka Streams, ksqlDB, Connect's sample configuration, Strimzi, Confluent's registry and Apicurio's."""


def meant(topics: Sequence[str] | None, exclude: Sequence[str] | None) -> Callable[[str], bool]:
    """A function that says whether a topic of the source is meant to be mirrored.

    Kafka's and MirrorMaker's own never are; an application's state is where a pattern other than * names it.
    """
    chosen = topics or ["*"]

    def wanted(name: str) -> bool:
        if _OWN.fullmatch(name) or any(fnmatchcase(name, pattern) for pattern in exclude or []):
            return False
        fitting = [pattern for pattern in chosen if fnmatchcase(name, pattern)]
        return fitting != ["*"] or not state(name) if fitting else False

    return wanted


def policy(told: str | None) -> str | None:
    """A cleanup.policy in alphabetical order: Kafka takes it as a set (LogConfig), and tells it as it was written."""
    return None if told is None else ",".join(sorted(word.strip() for word in told.split(",")))


def state(name: str) -> str:
    """Whose state a topic is, in words; empty if it is nobody's."""
    return next((what for what, pattern in _STATE.items() if pattern.fullmatch(name)), "")


def takes_of(
    patterns: Sequence[str] | None, exclude: Sequence[str] | None
) -> tuple[Callable[[str], bool] | None, list[str]]:
    """A function from a name to whether MirrorMaker takes it, None if that can't be told; and why it can't."""
    if patterns is None or exclude is None:
        return None, ["its filters are not known"]
    try:
        take, leave = ([re.compile(pattern) for pattern in given] for given in (patterns, exclude))
    except re.error as error:
        return None, [f"the filter {error.pattern!r} is not understood here: {error.msg}"]
    return (
        lambda name: (
            any(pattern.fullmatch(name) for pattern in take) and not any(pattern.fullmatch(name) for pattern in leave)
        ),
        [],
    )


def flows_from(connector: Fact, kind: str, alias: str, emits: str) -> list[dict[str, Any]]:
    """The connectors of a kind that copy from a source, but for those that are off for certain.

    Args:
        connector: mirror_connector.
        kind: source or checkpoint.
        alias: of the source.
        emits: the column that says whether they emit what is asked about.
    """
    return [
        row
        for row in connector.rows()
        if row["kind"] == kind and row["source"] == alias and row["enabled"] is not False and row[emits] is not False
    ]


def any_of(answers: Iterable[bool | None]) -> bool | None:
    """Whether one of these is true, None if that can't be told."""
    known = set(answers)
    return True if True in known else None if None in known else False
