"""Burrow's rules by which a partition of a group is judged, and series to run them on beside ours.

Written from what Burrow's wiki (Consumer Lag Evaluation Rules) and its evaluator say of themselves, with its defaults:
ten commits are kept of each partition, ends are asked for every ten seconds, and the last ten of them are kept too.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, NamedTuple

from runbook.model.fact import Fact
from runbook.views import group_progress

WINDOW: Final = 10
REFRESH: Final = 10.0  # seconds
APART: Final = 5.0  # seconds between our looks
HOUR: Final = 3600.0


class Commit(NamedTuple):
    """An offset that was committed, when, and the lag that the group had then."""

    at: float
    offset: int
    lag: int


@dataclass(frozen=True)
class Series:
    """A partition and what a group does with it, in seconds from some moment on; it is judged at `now`.

    Attributes:
        writes: when each record was written: the first has offset 0.
        commits: when which offset was committed.
        members: members of the group, one of which has the partition.
        open_at: the offset at which a transaction begins that is open.
    """

    name: str
    now: float
    writes: Sequence[float]
    commits: Sequence[tuple[float, int]] = field(default=())
    members: int = 1
    open_at: int | None = None

    def end(self, at: float) -> int:
        """Where the partition ends."""
        return bisect_right(self.writes, at)

    def committed(self, at: float) -> int | None:
        """The last offset that was committed by then."""
        before = [offset for when, offset in self.commits if when <= at]
        return before[-1] if before else None


def burrow(series: Series, since: float = 0.0) -> str:
    """What Burrow says that has run since then: OK, STOP, REWIND, STALL, WARN, or nothing of what it never saw."""
    seen = [Commit(at, offset, max(0, series.end(at) - offset)) for at, offset in series.commits]
    window = [commit for commit in seen if since <= commit.at <= series.now][-WINDOW:]
    if not window:
        return "not found"
    refreshed = series.now - series.now % REFRESH
    ends = [series.end(refreshed - back * REFRESH) for back in range(WINDOW) if refreshed - back * REFRESH >= since]
    lag = max(0, ends[0] - window[-1].offset) if ends else 0
    return "OK" if lag == 0 else _late(window, ends, series.now)


def _late(window: Sequence[Commit], ends: Sequence[int], now: float) -> str:
    offsets, last = [commit.offset for commit in window], window[-1]
    if now - last.at > last.at - window[0].at and not any(end <= last.offset for end in ends):
        return "STOP"
    back = next((i for i in range(1, len(offsets)) if offsets[i] < offsets[i - 1]), 0)
    if back and not any(offset >= offsets[back - 1] for offset in offsets[back:]):
        return "REWIND"
    if any(commit.lag == 0 for commit in window):
        return "OK"
    if len(set(offsets)) == 1:
        return "STALL"
    lags = [commit.lag for commit in window]
    return "OK" if any(after < before for before, after in pairwise(lags)) else "WARN"


def ours(series: Series) -> str:
    """What group_progress says of two looks, the second of them now; "unknown" where it can't tell."""
    before, now = series.now - APART, series.now
    committed, end = series.committed(now), series.end(now)
    age = None
    if committed is not None:
        age = now - series.writes[committed] if committed < end else 0.0
    row: dict[str, Any] = {
        "group": "billing",
        "topic": "orders",
        "partition": 0,
        "type": "classic",
        "state": "stable" if series.members else "empty",
        "members": series.members,
        "owner": "billing-1 (10.0.0.7)" if series.members else "",
        "committed": committed,
        "committed_before": series.committed(before),
        "commits": committed is not None,
        "stable": end if series.open_at is None else series.open_at,
        "end": end,
        "end_before": series.end(before),
        "lag": None if committed is None else max(0, end - committed),
        "between": APART,
        "quiet": now - max((at for at, _ in series.commits if at <= now), default=0.0),
        "behind_least": age,
        "behind_most": age,
    }
    topic = {"name": "orders", "cleanup_policy": "delete", "retention_ms": 604_800_000, "retention_bytes": -1}
    [row_] = group_progress.compute(lag=_fact("kafka_group_lag", row), topic=_fact("kafka_topic", topic)).rows
    return row_.progress or "unknown"


def _fact(name: str, row: dict[str, Any]) -> Fact:
    return Fact(name, {column: [value] for column, value in row.items()})
