"""What waits on a broker for its upload to tiered storage, also while a quota holds the uploads up."""

from collections.abc import Iterable
from typing import Annotated, Any, Final

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId, Bytes
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_QUOTA: Final = "remote.log.manager.copy.max.bytes.per.second"
_NEVER: Final = 9223372036854775807
"""Long.MAX_VALUE, the default of that setting: no quota."""
_AS_RETENTION: Final = -2
"""local.retention.ms, where retention.ms applies."""
_AT: Final = 0.9
"""Share of the quota from which uploads count as held up by it: a broker counts whole segments, a rate is a mean."""
_NO_QUOTA_KNOWN: Final = (
    "the quota remote.log.manager.copy.max.bytes.per.second of this broker could not be read: while a quota holds "
    "uploads up, RemoteCopyLagBytes is old; the right DescribeConfigs on the cluster helps"
)
_NO_SIZES_KNOWN: Final = (
    "uploads reach the quota remote.log.manager.copy.max.bytes.per.second, so that RemoteCopyLagBytes is old, and "
    "local sizes or local retention of tiered topics could not be read; compare end offset and latest tiered offset: "
    "kafka-get-offsets.sh --bootstrap-server HOST:PORT --topic TOPIC --time latest-tiered"
)
_REMOTE = ("broker", "copied", "copy_lag", "copy_lag_segments", "copy_requests", "copy_errors")
_CONFIG = ("topic", "retention_ms", "segment_bytes", "remote_storage", "local_retention_ms", "local_retention_bytes")


class RemoteUpload(Row):
    """A broker that uploads closed segments."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    copied: Annotated[float | None, Cell("Bytes that it uploaded, mean of the last minute.", unit="bytes/s")]
    copy_lag_segments: Annotated[int | None, Cell("Closed segments that wait, as RemoteCopyLagSegments reports.")]
    copy_requests: Annotated[float | None, Cell("Uploads that it began.", unit="uploads/s")]
    copy_errors: Annotated[float | None, Cell("Uploads that failed.", unit="uploads/s")]
    quota: Annotated[
        int | None, Cell(f"{_QUOTA} in force; -1 for none, as before Kafka 3.9.", unit="bytes/s", why="untold")
    ]
    source: Annotated[str | None, Cell("Where that setting comes from; empty where there is none.")]
    at_quota: Annotated[bool | None, Cell("Whether its uploads reach the quota.", why="untold")]
    reported: Annotated[
        Bytes | None,
        Cell("RemoteCopyLagBytes. Kafka 4.3 renews it only when a pass over a partition has ended."),
    ]
    waiting: Annotated[
        Bytes | None,
        Cell(
            "Closed segments that wait: as reported or, where uploads reach the quota, an estimate, if that is more: "
            "what lies on the disk of led partitions beyond local retention and one active segment each. The estimate "
            "assumes that the quota was not higher before.",
            why="untold",
        ),
    ]
    untold: Annotated[str, Cell("Why it is not known what waits; empty if it is, or if the broker does not report it.")]


VIEW = View(
    help="One row per broker of broker_remote_storage: its quota of uploads, and what waits for its upload.",
    row=RemoteUpload,
    version=2,
    inputs={
        "remote": Input("broker_remote_storage", columns=_REMOTE),
        "setting": Input("kafka_broker_setting", columns=("broker", "setting", "value", "source")),
        "partition": Input("kafka_partition", columns=("topic", "partition", "leader")),
        "size": Input("kafka_replica_size", columns=("topic", "partition", "broker", "size")),
        "config": Input("topic_config", columns=_CONFIG),
    },
)


def compute(*, remote: Fact, setting: Fact, partition: Fact, size: Fact, config: Fact) -> Observed:
    """Say of each broker what waits.

    RemoteLogManager (Kafka 4.3) records the lag at the end of RLMCopyTask.copyLogSegmentsToRemote, which waits for
    the quota before each segment: under a quota that is too low the metric keeps the value of the pass before.
    """
    told = {row["broker"] for row in setting.rows("broker")}
    quotas = {
        row["broker"]: row for row in setting.rows("broker", "setting", "value", "source") if row["setting"] == _QUOTA
    }
    topics = {row["topic"]: row for row in config.rows(*_CONFIG)}
    sizes = {(row["topic"], row["partition"], row["broker"]): row["size"] for row in size.rows()}
    led: dict[int, list[tuple[str, int]]] = {}
    for row in partition.rows("topic", "partition", "leader"):
        led.setdefault(row["leader"], []).append((row["topic"], row["partition"]))
    rows = []
    for row in remote.rows(*_REMOTE):
        broker, copied = row["broker"], row["copied"]
        limit = quotas.get(broker, {"value": "", "source": ""} if broker in told else {"value": None, "source": None})
        quota = None if limit["value"] is None else _quota(limit["value"])
        at_quota = False if quota == -1 else None if quota is None or copied is None else copied >= _AT * quota
        waiting = row["copy_lag"] if at_quota is False else None
        if at_quota and row["copy_lag"] is not None:
            mine = [(topics.get(topic), sizes.get((topic, number, broker))) for topic, number in led.get(broker, ())]
            beyond = None if size.gaps or partition.gaps or config.gaps else _beyond(mine, max(copied, quota))
            waiting = None if beyond is None else max(row["copy_lag"], beyond)
        untold = _NO_QUOTA_KNOWN if quota is None else _NO_SIZES_KNOWN if at_quota and waiting is None else ""
        rows.append(
            RemoteUpload(
                broker=broker,
                copied=copied,
                copy_lag_segments=row["copy_lag_segments"],
                copy_requests=row["copy_requests"],
                copy_errors=row["copy_errors"],
                quota=quota,
                source=None if quota is None else "" if quota == -1 else limit["source"],
                at_quota=at_quota,
                reported=row["copy_lag"],
                waiting=None if waiting is None else Bytes(waiting),
                untold=untold,
            )
        )
    return Observed(rows=rows, gaps=remote.gaps)


def _quota(value: str) -> int:
    return -1 if not value or int(value) >= _NEVER else int(value)


def _beyond(partitions: Iterable[tuple[dict[str, Any] | None, int | None]], rate: float) -> int | None:
    """Bytes on disk of tiered partitions that neither local retention nor an active segment explains.

    Of what is uploaded, retention by time keeps what was uploaded in that time.

    Args:
        partitions: settings of the topic and size of each partition that the broker leads.
        rate: bytes/s that it uploaded at most in that time: the quota, or what it uploads now, if that is more.
    """
    tiered, bound, by_size = 0, 0, True
    ages: list[int] = []
    for topic, size in partitions:
        if topic is None or topic["remote_storage"] is None:
            return None
        if not topic["remote_storage"]:
            continue
        age, most, segment = topic["local_retention_ms"], topic["local_retention_bytes"], topic["segment_bytes"]
        age = topic["retention_ms"] if age == _AS_RETENTION else age
        if None in (age, most, segment, size):
            return None
        tiered += size - min(size, segment)
        ages.append(age)
        by_size = by_size and most >= 0
        bound += max(most, 0)
    if not ages:
        return 0
    explained = [] if min(ages) < 0 else [int(rate * max(ages) / 1000)]
    explained += [bound] if by_size else []
    return max(0, tiered - min(explained)) if explained else None
