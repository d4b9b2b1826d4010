"""When each volume of a broker is full at the rate at which it filled since earlier looks."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, NamedTuple

from runbook.model import moment
from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId, Bytes, Days, Moment
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._volumes import LOG_DIR, Volume, lasts, volumes_of

_DAY: Final = 86_400.0  # seconds
_NEVER: Final = Days(-1)
_NO_LOOK: Final = "no earlier look saw it, or did not say how full it was"


class DiskGrowth(Row):
    """A volume of a broker."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    path: Annotated[str, Cell("Log directory on it; the first of several.", key=True, entity="log_dir")]
    total_bytes: Annotated[Bytes | None, Cell("Size of the volume.")]
    usable_bytes: Annotated[Bytes | None, Cell("Room left on it.", moves=True)]
    since: Annotated[Moment | None, Cell("The earlier look since which it filled fastest.", untold=_NO_LOOK)]
    grows: Annotated[
        Bytes | None, Cell("Bytes a day that it gained since; negative if it lost some.", untold=_NO_LOOK, moves=True)
    ]
    days: Annotated[Days | None, Cell("Days until it is full at that rate; -1 if it gains nothing.", untold=_NO_LOOK)]
    lasts: Annotated[str, Cell("The same in words, as in 25 hours; empty if it is never full, or nothing is known.")]


_KEPT: Final = ("look", "broker", "path", "error", "total_bytes", "usable_bytes")
VIEW = View(
    help="One row per volume of a broker: how fast it filled since the earlier looks that are kept.",
    row=DiskGrowth,
    leaves_out="log directories that failed",
    inputs={
        "log_dir": Input("kafka_log_dir", columns=LOG_DIR, needs=("error",)),
        "kept": Input("kept_log_dir", columns=_KEPT),
    },
)


class _Rate(NamedTuple):
    """Bytes a second, and since when."""

    rate: float
    since: Moment


def compute(*, log_dir: Fact, kept: Fact) -> Observed:
    """Compare what is used now with what was used then, whatever became of the size of the volume meanwhile."""
    then: dict[tuple[int, str], list[dict[str, Any]]] = defaultdict(list)
    for row in kept.rows(*_KEPT):
        if row["error"] == "":
            then[row["broker"], row["path"]].append(row)
    rows = [
        _row(volume, [rate for path in volume.paths for rate in _rates(volume, then[volume.broker, path], log_dir)])
        for volume in volumes_of(log_dir)
    ]
    return Observed(rows=rows)


def _rates(now: Volume, then: Sequence[Mapping[str, Any]], log_dir: Fact) -> list[_Rate]:
    if now.total is None or now.usable is None or not log_dir.collected_at:
        return []
    used, at = now.total - now.usable, moment.read(log_dir.collected_at).timestamp()
    return [
        _Rate((used - row["total_bytes"] + row["usable_bytes"]) / seconds, row["look"])
        for row in then
        if None not in (row["total_bytes"], row["usable_bytes"])
        and (seconds := at - moment.read(row["look"]).timestamp()) > 0
    ]


def _row(volume: Volume, rates: Sequence[_Rate]) -> DiskGrowth:
    fastest = max(rates, default=None)
    days = None if fastest is None or volume.usable is None else _days(volume.usable, fastest.rate)
    return DiskGrowth(
        broker=volume.broker,
        path=volume.paths[0],
        total_bytes=None if volume.total is None else Bytes(volume.total),
        usable_bytes=None if volume.usable is None else Bytes(volume.usable),
        since=None if fastest is None else fastest.since,
        grows=None if fastest is None else Bytes(round(fastest.rate * _DAY)),
        days=days,
        lasts=lasts(days),
    )


def _days(usable: int, rate: float) -> Days:
    return Days(round(usable / rate / _DAY, 5)) if rate > 0 else _NEVER
