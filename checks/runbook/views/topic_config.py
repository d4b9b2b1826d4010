"""Topics' settings in force that kafka_topic has no column for: what is set on the topic, else what brokers have."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Annotated, Any, Final

from msgspec.structs import replace

from runbook.model.fact import Fact, Observed, first_alike
from runbook.model.quantity import Bytes, Milliseconds
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

NEVER: Final = 2**63 - 1
"""Kafka's way to say that there is no bound."""

_AS_RETENTION: Final = -2  # of local.retention.*: as the whole


class TopicConfig(Row):
    """A topic."""

    topic: Annotated[str, Cell("Its name.", key=True, entity="topic")]
    internal: Annotated[bool, Cell("Whether Kafka itself marks it as internal.")]
    deletes: Annotated[bool | None, Cell("Whether its cleanup.policy contains delete.")]
    compacts: Annotated[bool | None, Cell("Whether its cleanup.policy contains compact.")]
    retention_ms: Annotated[Milliseconds | None, Cell("retention.ms; -1 keeps records forever.")]
    segment_bytes: Annotated[Bytes | None, Cell("segment.bytes.")]
    roll_ms: Annotated[
        Milliseconds | None,
        Cell("Time after which a segment is closed: segment.ms, or max.compaction.lag.ms where that acts first."),
    ]
    delete_retention_ms: Annotated[Milliseconds | None, Cell("delete.retention.ms: for how long tombstones stay.")]
    min_compaction_lag_ms: Annotated[Milliseconds | None, Cell("min.compaction.lag.ms.")]
    max_compaction_lag_ms: Annotated[
        Milliseconds | None, Cell(f"max.compaction.lag.ms; {NEVER} is no bound, as before Kafka 2.3.")
    ]
    min_cleanable_dirty_ratio: Annotated[float | None, Cell("min.cleanable.dirty.ratio.")]
    timestamp_type: Annotated[str | None, Cell("message.timestamp.type: CreateTime or LogAppendTime.")]
    timestamp_before_max_ms: Annotated[
        Milliseconds | None, Cell(f"How old a record may be when it arrives; {NEVER} is no bound.")
    ]
    timestamp_after_max_ms: Annotated[
        Milliseconds | None, Cell(f"How far ahead a record's time may be when it arrives; {NEVER} is no bound.")
    ]
    remote_storage: Annotated[bool | None, Cell("remote.storage.enable: whether old segments go to tiered storage.")]
    local_retention_ms: Annotated[Milliseconds | None, Cell("local.retention.ms; -2 is as retention.ms.")]
    local_retention_bytes: Annotated[Bytes | None, Cell("local.retention.bytes; -2 is as retention.bytes.")]


VIEW = View(
    help="One row per topic: settings in force, of the topic itself or else of the brokers.",
    row=TopicConfig,
    inputs={
        "topic": Input(
            "kafka_topic",
            columns=(
                "name",
                "internal",
                "cleanup_policy",
                "retention_ms",
                "segment_bytes",
                "segment_ms",
                "timestamp_type",
                "overrides",
            ),
        ),
        "setting": Input("kafka_broker_setting", columns=("setting", "value")),
    },
)


def compute(*, topic: Fact, setting: Fact) -> Observed:
    """Work it out from kafka_topic and kafka_broker_setting; where brokers differ, what they give is unknown."""
    brokers = _Brokers(setting)
    known: dict[tuple[Any, ...], TopicConfig] = {}  # of thousands of topics most have the same settings
    first: dict[int, TopicConfig] = {}
    rows = []
    settings = ("internal", "cleanup_policy", "retention_ms", "segment_bytes", "segment_ms", "timestamp_type")
    columns = {name: topic.columns[name] for name in ("name", *settings, "overrides")}
    for place, name in zip(first_alike([*columns.values()][1:]), columns["name"], strict=True):
        if place not in first:
            row = {name: cells[place] for name, cells in columns.items()}
            own = row["overrides"]
            alike = (*(row[name] for name in settings), None if own is None else frozenset(own.items()))
            if alike not in known:
                known[alike] = _row(row, brokers)
            first[place] = known[alike]
        rows.append(replace(first[place], topic=name))
    return Observed(rows=rows)


class _Brokers:
    """What brokers give to topics that say nothing (org.apache.kafka.server.config.ServerTopicConfigSynonyms)."""

    def __init__(self, setting: Fact) -> None:
        values = defaultdict(set)
        for row in setting.rows():
            values[row["setting"]].add(row["value"])
        self._values: Mapping[str, set[str | None]] = values

    def value(self, name: str, without: str) -> str | None:
        """The value that all brokers have; `without` where their release does not know the setting."""
        if not self._values:
            return None
        values = self._values.get(name, {without})
        return next(iter(values)) if len(values) == 1 else None


def _row(one: Mapping[str, Any], brokers: _Brokers) -> TopicConfig:
    overrides: Mapping[str, str] | None = one["overrides"]

    def text(name: str, broker: str, without: str) -> str | None:
        if overrides is None:
            return None
        return overrides[name] if name in overrides else brokers.value(broker, without)

    def ms(name: str, broker: str, without: int) -> Milliseconds | None:
        value = text(name, broker, str(without))
        return Milliseconds(int(value)) if value else None

    def stamp(side: str) -> Milliseconds | None:
        """Kafka 3.6 divided one bound into two; the old one holds where the new one is not set, until 4.0."""
        new, old = f"message.timestamp.{side}.max.ms", "message.timestamp.difference.max.ms"
        bound = ms(new, f"log.{new}", NEVER)
        return ms(old, f"log.{old}", NEVER) if bound == NEVER else bound

    ratio = text("min.cleanable.dirty.ratio", "log.cleaner.min.cleanable.ratio", "")
    local = ms("local.retention.bytes", "log.local.retention.bytes", _AS_RETENTION)
    policy = one["cleanup_policy"]
    most = ms("max.compaction.lag.ms", "log.cleaner.max.compaction.lag.ms", NEVER)
    compacts = None if policy is None else "compact" in policy
    return TopicConfig(
        topic=one["name"],
        internal=one["internal"],
        deletes=None if policy is None else "delete" in policy,
        compacts=compacts,
        retention_ms=one["retention_ms"],
        segment_bytes=one["segment_bytes"],
        roll_ms=_roll(one["segment_ms"], most, compacts=compacts),
        delete_retention_ms=ms("delete.retention.ms", "log.cleaner.delete.retention.ms", NEVER),
        min_compaction_lag_ms=ms("min.compaction.lag.ms", "log.cleaner.min.compaction.lag.ms", 0),
        max_compaction_lag_ms=most,
        min_cleanable_dirty_ratio=float(ratio) if ratio else None,
        timestamp_type=one["timestamp_type"],
        timestamp_before_max_ms=stamp("before"),
        timestamp_after_max_ms=stamp("after"),
        remote_storage=None if overrides is None else overrides.get("remote.storage.enable") == "true",
        local_retention_ms=ms("local.retention.ms", "log.local.retention.ms", _AS_RETENTION),
        local_retention_bytes=None if local is None else Bytes(local),
    )


def _roll(segment_ms: Milliseconds | None, most: Milliseconds | None, *, compacts: bool | None) -> Milliseconds | None:
    """LogConfig.maxSegmentMs: of a compacted topic the shorter of both."""
    if segment_ms is None or compacts is None:
        return None
    if not compacts:
        return segment_ms
    return None if most is None else min(segment_ms, most)
