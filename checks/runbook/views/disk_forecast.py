"""When each volume of a broker is full, foretold from the records that are there and from retention."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, NamedTuple

from msgspec import structs

from runbook.model import moment
from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import BrokerId, Bytes, Days
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._volumes import LOG_DIR, Volume, lasts, volumes_of

_DAY: Final = 86_400.0  # seconds
_NEVER: Final = -1
_UNBOUNDED: Final = float("inf")
_BY_DESIGN: Final = "compacted or tiered"
_YOUNG: Final = "too young"


class DiskForecast(Row):
    """A volume of a broker."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    path: Annotated[str, Cell("Log directory on it; the first of several.", key=True, entity="log_dir")]
    total_bytes: Annotated[Bytes | None, Cell("Size of the volume.")]
    usable_bytes: Annotated[Bytes | None, Cell("Room left on it.", moves=True)]
    grows: Annotated[Bytes | None, Cell("Bytes a day that it gains now, by the records that are there.", moves=True)]
    more_bytes: Annotated[
        Bytes | None,
        Cell("Bytes that it still gains until retention deletes as much as arrives; -1 without bound.", moves=True),
    ]
    days: Annotated[
        Days | None,
        Cell(
            "Days until it is full; -1 if it never is.",
            untold="most of its bytes are too young to tell a rate, or retention, sizes or times are not known",
        ),
    ]
    lasts: Annotated[str, Cell("The same in words, as in 25 hours; empty if it is never full, or nothing is known.")]
    fastest: Annotated[
        str,
        Cell("Topic that grows most on it, one without a limit first; empty if none does.", entity="topic", moves=True),
    ]
    first: Annotated[bool, Cell("Whether it is the first to be full, of those of which a day is known.", moves=True)]
    left_out: Annotated[str, Cell("What of it is not foretold, in words; empty if all is.")]
    covers: Annotated[
        bool | None,
        Cell(
            "Whether at least half of its bytes are foretold; unknown otherwise, as the rest may fill it sooner.",
            why="left_out",
        ),
    ]


_OFFSET: Final = ("topic", "partition", "records", "oldest")
_TOPIC: Final = ("name", "retention_bytes")
_BOUNDS: Final = ("retention_ms", "segment_bytes", "roll_ms", "remote_storage")
_CONFIG: Final = ("topic", "deletes", *_BOUNDS)
VIEW = View(
    help="One row per volume of a broker: when it is full at the rate at which its topics were written so far.",
    row=DiskForecast,
    version=2,
    leaves_out="log directories that failed",
    inputs={
        "log_dir": Input("kafka_log_dir", columns=LOG_DIR, needs=("error",)),
        "size": Input(
            "kafka_replica_size", columns=("topic", "partition", "broker", "path", "size"), needs=("path", "size")
        ),
        "offset": Input("kafka_partition_offset", columns=_OFFSET),
        "topic": Input("kafka_topic", columns=_TOPIC),
        "config": Input("topic_config", columns=_CONFIG),
    },
    parameters={
        "least": Parameter(type="int", default=60, min=1, help="minutes of records below which no rate is foretold"),
    },
)


class _Growth(NamedTuple):
    """How a replica grows: bytes a second, and how many bytes until retention holds it."""

    topic: str
    rate: float
    more: float


class _Foretold(NamedTuple):
    """A replica's bytes, and its growth: a word where it can't be foretold, None where it is not known."""

    size: int
    growth: _Growth | str | None


def compute(*, log_dir: Fact, size: Fact, offset: Fact, topic: Fact, config: Fact, least: int = 60) -> Observed:
    """Foretell a replica's growth by its bytes over the age of its oldest record, up to what retention lets it hold.

    A replica whose growth is not known leaves its volume unknown, and so do those that are too young to tell where they
    hold most of its bytes. Others of which none can be foretold are counted.
    """
    now = moment.read(offset.collected_at).timestamp() if offset.collected_at else None
    bytes_of = {row["name"]: row["retention_bytes"] for row in topic.rows(*_TOPIC)}
    topics = {row["topic"]: {**row, "retention_bytes": bytes_of.get(row["topic"])} for row in config.rows(*_CONFIG)}
    spans = {(row["topic"], row["partition"]): row for row in offset.rows(*_OFFSET)}
    by_dir: dict[tuple[int, str], list[_Foretold]] = defaultdict(list)
    for row in size.rows("topic", "partition", "broker", "path", "size"):
        span = spans.get((row["topic"], row["partition"]))
        growth = _growth(row, topics.get(row["topic"]), span, now, least * 60)
        by_dir[row["broker"], row["path"]].append(_Foretold(row["size"], growth))
    rows = [
        _row(volume, [growth for path in volume.paths for growth in by_dir[volume.broker, path]])
        for volume in volumes_of(log_dir)
    ]
    full = [row for row in rows if row.days is not None and row.days >= 0]
    # not made up: rows whose days are not known are left out above
    first = min(full, key=lambda row: row.days or 0.0, default=None)
    return Observed(rows=[structs.replace(row, first=row is first) for row in rows])


def _growth(
    replica: Mapping[str, Any],
    topic: Mapping[str, Any] | None,
    span: Mapping[str, Any] | None,
    now: float | None,
    least: float,
) -> _Growth | str | None:
    """How a replica grows; a word where that can't be foretold, None where it is not known."""
    if topic is None or span is None or span["records"] is None or topic["deletes"] is None:
        return None
    if span["records"] == 0 or replica["size"] == 0:
        return _Growth(replica["topic"], 0.0, 0.0)
    if not topic["deletes"] or topic["remote_storage"]:
        return _BY_DESIGN
    if now is None or None in (span["oldest"], *(topic[name] for name in (*_BOUNDS, "retention_bytes"))):
        return None
    age = now - moment.read(span["oldest"]).timestamp()
    keeps = _UNBOUNDED if topic["retention_ms"] < 0 else topic["retention_ms"] / 1000
    rolls = topic["roll_ms"] / 1000
    if not least <= age <= keeps + rolls + _DAY:
        return _YOUNG  # or were it of that age, retention would have deleted it
    rate = replica["size"] / age
    bound = _UNBOUNDED if topic["retention_bytes"] < 0 else topic["retention_bytes"]
    most = min(rate * keeps, bound) + min(topic["segment_bytes"], rate * rolls)
    return _Growth(replica["topic"], rate, max(0.0, most - replica["size"]))


def _row(volume: Volume, found: Sequence[_Foretold]) -> DiskForecast:
    growths = [one.growth for one in found if isinstance(one.growth, _Growth)]
    young = sum(one.size for one in found if one.growth == _YOUNG)
    known = all(one.growth is not None for one in found) and young * 2 <= sum(one.size for one in found)
    blind = sum(one.size for one in found if isinstance(one.growth, str))
    growing = [one for one in growths if one.more > 0]
    more = sum(one.more for one in growing)
    by_topic: dict[str, float] = defaultdict(float)
    for one in growing:
        by_topic[one.topic] += one.rate
    unbounded = {one.topic for one in growing if one.more == _UNBOUNDED}
    days = _days(volume.usable, growing) if known and volume.usable is not None else None
    return DiskForecast(
        broker=volume.broker,
        path=volume.paths[0],
        total_bytes=None if volume.total is None else Bytes(volume.total),
        usable_bytes=None if volume.usable is None else Bytes(volume.usable),
        grows=Bytes(round(sum(by_topic.values()) * _DAY)) if known else None,
        more_bytes=None if not known else Bytes(_NEVER if more == _UNBOUNDED else round(more)),
        days=days,
        lasts=lasts(days),
        fastest=max(by_topic, key=lambda name: (name in unbounded, by_topic[name], name), default=""),
        first=False,  # `compute` knows the others
        left_out=_left_out(sum(isinstance(one.growth, str) for one in found), len(found)),
        covers=True if blind * 2 <= sum(one.size for one in found) else None,
    )


def _left_out(count: int, of: int) -> str:
    """What of a volume is not foretold."""
    why = "compacted, tiered, or with records of too short a time, or of times that can't be"
    return f"the growth of {count} of {of} replicas is not foretold: {why}" if count else ""


def _days(usable: int, growing: Iterable[_Growth]) -> Days:
    """Days until growth has taken what is usable: each replica grows until retention holds it."""
    rest, clock = float(usable), 0.0
    ends = sorted((one.more / one.rate, one.rate) for one in growing)
    rate = sum(one_rate for _, one_rate in ends)
    for end, one_rate in ends:
        if rest <= rate * (end - clock):
            return Days(round((clock + rest / rate) / _DAY, 5))
        rest -= rate * (end - clock)
        clock, rate = end, rate - one_rate
    return Days(_NEVER)
