"""What one side counts while records pass: latencies, and how long a partition stood still."""

import time
from array import array

from runbook.model.measurement import Latency, LongestGap

_FEWEST = 1_000  # values of which one in a thousand can be told
_MOST = 5  # gaps of a partition that are told
_STILL = 1.0  # seconds after the others' last record from which a partition counts as not gone on. Our judgement


class Latencies:
    """Latencies in seconds."""

    def __init__(self) -> None:
        """Begin with none."""
        self.add = (values := array("d")).append
        self._values = values

    def told(self) -> Latency | None:
        """Their percentiles in ms, by nearest rank; None if there are none."""
        found = sorted(self._values)
        if not found:
            return None

        def at(share: float) -> float:
            return round(1000 * found[min(len(found) - 1, int(share * len(found)))], 3)

        last = at(0.999) if len(found) >= _FEWEST else None
        return Latency(count=len(found), p50=at(0.5), p95=at(0.95), p99=at(0.99), p999=last, max=at(1.0))


class Gaps:
    """The longest times between two records of each partition."""

    def __init__(self) -> None:
        """Begin without a record."""
        self._last: dict[int, float] = {}
        self._longest: dict[int, list[tuple[float, float]]] = {}

    def add(self, partition: int, now: float) -> None:
        """A record of a partition, at a moment of the monotonic clock."""
        before = self._last.get(partition, now)
        longest = self._longest.setdefault(partition, [])
        if len(longest) < _MOST or now - before > longest[-1][0]:
            self._longest[partition] = sorted([*longest, (now - before, before)], reverse=True)[:_MOST]
        self._last[partition] = now

    def told(self) -> list[LongestGap]:
        """Those of each partition, the longest first, also the one that is still open."""
        end = max(self._last.values(), default=0.0)
        closed = [_gap(partition, *one) for partition, longest in self._longest.items() for one in longest]
        still = [
            _gap(partition, end - last, last, still=True)
            for partition, last in self._last.items()
            if end - last > max(_STILL, self._longest[partition][0][0])
        ]
        return sorted(still + closed, key=lambda gap: -gap.seconds)


def _gap(partition: int, seconds: float, since: float, *, still: bool = False) -> LongestGap:
    began = time.time() - (time.monotonic() - since)
    return LongestGap(seconds=round(seconds, 4), partition=partition, since=round(began, 3), open=still)
