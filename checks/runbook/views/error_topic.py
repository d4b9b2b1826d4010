"""Topics for dead letters and for retries, found by how they are named, beside the topics that they belong to."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import Milliseconds
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

DEAD_LETTERS = "dead letters"
RETRIES = "retries"

_SETTINGS = ("partitions", "replication_factor", "min_insync_replicas", "cleanup_policy", "retention_ms", "overrides")
_PATTERNS = "shell patterns of names; the first * stands for the topic that they belong to"


class ErrorTopic(Row):
    """A topic for dead letters or retries."""

    topic: Annotated[
        str, Cell("Its name; of one that is wanted, the first name that would do.", key=True, entity="topic")
    ]
    kind: Annotated[str, Cell("dead letters or retries.")]
    source: Annotated[str, Cell("The topic that it belongs to; empty if no topic has what stands for the *.")]
    wanted: Annotated[bool, Cell("Whether the parameters say that its source needs one.")]
    exists: Annotated[bool | None, Cell("Whether it is there.")]
    partitions: Annotated[int | None, Cell("Its partitions.", unit="partitions")]
    source_partitions: Annotated[int | None, Cell("Partitions of its source.", unit="partitions")]
    replication_factor: Annotated[int | None, Cell("Its replicas.", unit="replicas")]
    source_replication_factor: Annotated[int | None, Cell("Replicas of its source.", unit="replicas")]
    min_insync_replicas: Annotated[int | None, Cell("Its min.insync.replicas.", unit="replicas")]
    cleanup_policy: Annotated[str | None, Cell("Its cleanup.policy.")]
    retention_ms: Annotated[Milliseconds | None, Cell("Its retention.ms; -1 keeps records forever.")]
    timestamp_type: Annotated[
        str | None, Cell("message.timestamp.type that is set on it; empty if the broker's holds.")
    ]
    has_dead_letters: Annotated[bool | None, Cell("Whether its source has a topic for dead letters.")]


VIEW = View(
    help="One row per topic for dead letters or retries, there or wanted.",
    row=ErrorTopic,
    leaves_out="topics that no pattern takes for one of dead letters or retries",
    inputs={
        "topic": Input("kafka_topic", columns=("name", *_SETTINGS)),
    },
    parameters={
        "dead_letters": Parameter(type="list[string]", help=f"{_PATTERNS}, as in [*.dlq, dead-*]"),
        "retries": Parameter(type="list[string]", help=f"{_PATTERNS}; one without * is for all topics"),
        "sources": Parameter(type="list[string]", help="topics that need one for dead letters"),
        "retried": Parameter(type="list[string]", help="topics that need one for retries"),
    },
)


class _WantedTopic(NamedTuple):
    topic: str
    kind: str
    source: str
    wanted: bool
    exists: bool | None


def compute(
    *,
    topic: Fact,
    dead_letters: Sequence[str] | None = None,
    retries: Sequence[str] | None = None,
    sources: Sequence[str] | None = None,
    retried: Sequence[str] | None = None,
) -> Observed:
    """Find them in kafka_topic.

    One that is wanted and not seen is missing only if the list of topics is complete; otherwise it is not known.
    """
    seen = {row["name"]: row for row in topic.rows()}
    absent = topic.presence(found=False)
    asked = (
        (RETRIES, retries or (), retried or ()),
        (DEAD_LETTERS, dead_letters or (), sources or ()),  # a topic that fits both is for dead letters
    )
    found = {topic.topic: topic for kind, patterns, wanted in asked for topic in _there(seen, kind, patterns, wanted)}
    for kind, patterns, wanted in reversed(asked):
        shared = any(topic.kind == kind and not topic.source for topic in found.values() if topic.topic in patterns)
        served = {topic.source for topic in found.values() if topic.kind == kind}
        for source in wanted:
            if source not in served and not shared and patterns:
                name = patterns[0].replace("*", source, 1)
                found[name] = _WantedTopic(name, kind, source, wanted=True, exists=absent)
    covered = {topic.source for topic in found.values() if topic.kind == DEAD_LETTERS and topic.exists}
    return Observed(rows=[_row(topic, seen, covered, absent=absent) for topic in found.values()])


def _there(
    seen: Mapping[str, Any], kind: str, patterns: Sequence[str], wanted: Sequence[str]
) -> Iterator[_WantedTopic]:
    """Topics of a kind. One that fits several patterns belongs to the longest source there is."""
    forms = [re.compile("(.+)".join(_literal(part) for part in pattern.split("*", 1))) for pattern in patterns]
    for name in seen:
        fits = [match for form in forms if (match := form.fullmatch(name))]
        if fits:
            origins = sorted((match[1] for match in fits if match.re.groups and match[1] in seen), key=len)
            source = origins[-1] if origins else ""
            yield _WantedTopic(name, kind, source, wanted=source in wanted, exists=True)


def _literal(part: str) -> str:
    """What stands beside the first *; a further one is any text, as the number of a try."""
    return ".*".join(re.escape(text) for text in part.split("*"))


def _row(one: _WantedTopic, seen: Mapping[str, Any], covered: set[str], *, absent: bool | None) -> ErrorTopic:
    topic, source = seen.get(one.topic, {}), seen.get(one.source, {})
    overrides = topic.get("overrides")
    return ErrorTopic(
        topic=one.topic,
        kind=one.kind,
        source=one.source,
        wanted=one.wanted,
        exists=one.exists,
        partitions=topic.get("partitions"),
        source_partitions=source.get("partitions"),
        replication_factor=topic.get("replication_factor"),
        source_replication_factor=source.get("replication_factor"),
        min_insync_replicas=topic.get("min_insync_replicas"),
        cleanup_policy=topic.get("cleanup_policy"),
        retention_ms=topic.get("retention_ms"),
        timestamp_type=None if overrides is None else overrides.get("message.timestamp.type", ""),
        has_dead_letters=one.source in covered or absent,
    )
