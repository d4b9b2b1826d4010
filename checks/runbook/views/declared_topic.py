"""Topics beside what somebody declared of them: owner, key, purpose, settings.

A declaration is a line: a shell pattern of names, then words such as owner=payments, key=order-id, order=all,
objective=durability, partitions=12, replicas=3, and settings of topics with their values.
"""

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Any, Final

from msgspec import Struct

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_COLUMNS: Final = {
    "partitions": "partitions",
    "replicas": "replication_factor",
    "cleanup.policy": "cleanup_policy",
    "compression.type": "compression_type",
    "max.message.bytes": "max_message_bytes",
    "message.timestamp.type": "timestamp_type",
    "min.insync.replicas": "min_insync_replicas",
    "retention.bytes": "retention_bytes",
    "retention.ms": "retention_ms",
    "segment.bytes": "segment_bytes",
    "segment.ms": "segment_ms",
    "unclean.leader.election.enable": "unclean_leader_election",
}
"""What a line may say of a topic in force -> the column of kafka_topic. Other settings must be set on the topic."""

_WORDS: Final = ("owner", "key", "order", "objective")
_OF_DURABILITY: Final = ("replicas", "min.insync.replicas", "unclean.leader.election.enable")
_WILD: Final = re.compile(r"[*?\[]")


class DeclaredTopic(Row):
    """A topic that there is, or that was declared by its name."""

    topic: Annotated[str, Cell("Its name.", key=True, entity="topic")]
    exists: Annotated[bool | None, Cell("Whether it is there.")]
    internal: Annotated[bool | None, Cell("Whether Kafka itself marks it as internal.")]
    declared: Annotated[bool, Cell("Whether a line is about it; the first that fits is.")]
    owner: Annotated[str, Cell("owner= of that line; empty for none.")]
    key: Annotated[str, Cell("key= of that line: what its records are keyed by, or none; empty if it is not said.")]
    order: Annotated[str, Cell("order= of that line: all, key or none; empty if it is not said.")]
    objective: Annotated[str, Cell("objective= of that line; empty if it is not said.")]
    partitions: Annotated[int | None, Cell("Its partitions.", unit="partitions")]
    safety: Annotated[bool, Cell("Whether that line says replicas, minimum in sync and unclean elections.")]
    minimum_source: Annotated[str | None, Cell("Where min.insync.replicas comes from, such as DYNAMIC_TOPIC_CONFIG.")]
    differs: Annotated[
        list[str] | None, Cell("What is otherwise than declared, as `retention.ms=1 (declared 2)`; of what is there.")
    ]
    undeclared: Annotated[list[str] | None, Cell("Settings that are set on the topic, and that line does not say.")]
    mistakes: Annotated[list[str], Cell("Words of that line that mean nothing here.")]


VIEW = View(
    help="One row per topic that is there or is declared by its name, beside the line that is about it.",
    row=DeclaredTopic,
    inputs={
        "topic": Input(
            "kafka_topic", columns=("name", "internal", "overrides", "min_insync_replicas_source", *_COLUMNS.values())
        ),
    },
    parameters={
        "declared": Parameter(
            type="list[string]",
            help="lines as in: orders* owner=payments key=order-id partitions=12 retention.ms=604800000",
        ),
    },
)


class _Line(Struct, frozen=True):
    """What somebody declared."""

    pattern: str
    words: Mapping[str, str]
    settings: Mapping[str, str]
    mistakes: Sequence[str]


_NOTHING: Final = _Line("", {}, {}, ())


def compute(*, topic: Fact, declared: Sequence[str] | None = None) -> Observed:
    """Lay declarations beside kafka_topic; what is not seen is missing only if the list of topics is complete."""
    lines = [_read(line) for line in declared or () if line.strip()]
    rows = [_row(row, _about(row["name"], lines)) for row in topic.rows()]
    there = {row.topic for row in rows}
    absent = topic.presence(found=False)
    names = dict.fromkeys(line.pattern for line in lines if not _WILD.search(line.pattern))
    rows += [_row({"name": name}, _about(name, lines), exists=absent) for name in names if name not in there]
    return Observed(rows=rows)


def _about(name: str, lines: Sequence[_Line]) -> _Line | None:
    return next((line for line in lines if fnmatchcase(name, line.pattern)), None)


def _read(line: str) -> _Line:
    pattern, *rest = line.split()
    said = dict(word.split("=", 1) for word in rest if "=" in word)
    words = {name: value for name, value in said.items() if name in _WORDS}
    settings = {name: value for name, value in said.items() if name in _COLUMNS or ("." in name and name not in words)}
    known = words.keys() | settings.keys()
    mistakes = [word for word in rest if word.partition("=")[0] not in known or "=" not in word]
    return _Line(pattern, words, settings, mistakes)


def _row(one: Mapping[str, Any], found: _Line | None, *, exists: bool | None = True) -> DeclaredTopic:
    line = found or _NOTHING
    overrides: Mapping[str, str] | None = one.get("overrides")
    return DeclaredTopic(
        topic=one["name"],
        exists=exists,
        internal=one.get("internal"),
        declared=found is not None,
        owner=line.words.get("owner", ""),
        key=line.words.get("key", ""),
        order=line.words.get("order", ""),
        objective=line.words.get("objective", ""),
        partitions=one.get("partitions"),
        safety=all(name in line.settings for name in _OF_DURABILITY),
        minimum_source=one.get("min_insync_replicas_source"),
        differs=_differences(one, line, overrides) if exists else None,
        undeclared=None if overrides is None else sorted(name for name in overrides if name not in line.settings),
        mistakes=[*line.mistakes],
    )


def _differences(one: Mapping[str, Any], line: _Line, overrides: Mapping[str, str] | None) -> list[str] | None:
    """What is otherwise; None if one of the values is not known."""
    if overrides is None and line.settings:
        return None
    found = []
    for name, wanted in line.settings.items():
        actual = one.get(_COLUMNS[name]) if name in _COLUMNS else (overrides or {}).get(name, "")
        if actual is None:
            return None
        if not _same(actual, wanted):
            found.append(f"{name}={_shown(actual) or 'not set'} (declared {wanted})")
    return found


def _same(actual: Any, wanted: str) -> bool:
    return _parts(_shown(actual)) == _parts(wanted)


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parts(text: str) -> set[str]:
    """A value as a set of what commas divide: the order of `compact,delete` means nothing."""
    return {part.strip() for part in text.split(",")}
