"""Write what a change does to partitions: what stops and for how long, what can't be done, what is copied."""

from collections.abc import Iterator, Sequence, Sized
from typing import Any

import msgspec

from runbook.judge.summary import counted
from runbook.terminal.columns import beside
from runbook.what_if.change_analysis import ChangeForecast, RemovedBroker
from runbook.what_if.partition_change import PartitionChange

_NAMED = 8
"""Partitions that are named; the rest is counted."""


def change_lines(forecast: ChangeForecast) -> Iterator[str]:
    """What a change does: first what it stops, then what can't be done, then what it costs."""
    partitions = [one for one in forecast.partitions if not one.refused]
    if forecast.partitions:
        yield beside("the change: ", f"{counted(len(partitions), 'partition')}, {_copies(forecast)}")
        yield from _stops(forecast)
    yield from _impossible(forecast)
    for one in forecast.removed:
        yield from _removed(one)
    if forecast.seconds is not None and forecast.copied:
        spent = f"at least {_duration(forecast.seconds)}: broker {forecast.busiest} has the most to send or to take"
        yield beside("it takes: ", f"{spent}. What is written meanwhile comes on top")
    if not forecast.harms and not forecast.unsure:
        yield "nothing stops that works now, and all of it can be done"


def change_json(forecast: ChangeForecast) -> dict[str, Any]:
    """The same for programs: bytes and seconds; null is not known."""
    return {
        "stops_meanwhile": [one.name for one in forecast.stopped("meanwhile")],
        "stops_afterwards": [one.name for one in forecast.stopped("after")],
        "not_known": [one.name for one in forecast.unsure],
        "does_not_end": [{"partition": one.name, "waits_for": one.waits_for} for one in forecast.stuck],
        "refused": [{"partition": one.name, "because": one.refused} for one in forecast.refused],
        "copied": forecast.copied,
        "seconds_at_least": forecast.seconds,
        "removed": [msgspec.to_builtins(one) for one in forecast.removed],
        "partitions": [msgspec.to_builtins(one) for one in forecast.partitions],
    }


def _stops(forecast: ChangeForecast) -> Iterator[str]:
    meanwhile, after = forecast.stopped("meanwhile"), forecast.stopped("after")
    if meanwhile:
        most = max(one.lacking or 1 for one in meanwhile)
        until = "another copy of it is" if most == 1 else f"up to {most} more copies of it are"
        yield beside(
            "while it copies: ",
            f"{_stop(meanwhile)}, each until {until} in sync: {_named(meanwhile)}",
        )
    if later := [one for one in after if not one.stays]:
        yield beside("afterwards: ", f"{_stop(later)}: {_named(later)}")
    if unsure := forecast.unsure:
        yield beside(
            "not known: ", f"whether {counted(len(unsure), 'partition')} will refuse acks=all writes: {_named(unsure)}"
        )


def _impossible(forecast: ChangeForecast) -> Iterator[str]:
    waiting: dict[str, list[PartitionChange]] = {}
    for one in forecast.stuck:
        gone = " and ".join(f"broker {number}" for number in one.waits_for)
        why = f"{gone} {'is' if len(one.waits_for) == 1 else 'are'} out of service" if gone else "they have no leader"
        waiting.setdefault(why, []).append(one)
    for why, stuck in waiting.items():
        yield beside("it does not end: ", f"for {counted(len(stuck), 'partition')}, as {why}: {_named(stuck)}")
    refused: dict[str, list[PartitionChange]] = {}
    for one in forecast.refused:
        refused.setdefault(one.refused, []).append(one)
    for why, ones in refused.items():
        yield beside("Kafka refuses: ", f"{counted(len(ones), 'partition')}, as {why}: {_named(ones)}")


def _removed(one: RemovedBroker) -> Iterator[str]:
    front = f"without broker {one.broker}: "
    if one.still_holds:
        names = _some(one.still_holds)
        yield beside(front, f"{counted(len(one.still_holds), 'partition')} would lack a copy for good: {names}")
        if one.stops:
            yield beside(front, f"{_stop(one.stops)}: {_some(one.stops)}")
    else:
        yield beside(front, "no partition is to have a copy there")
    if one.votes:
        yield beside(front, "it votes among the controllers: take it out of the quorum first")
    elif one.votes is None:
        yield beside(front, "whether it votes among the controllers is not known")


def _copies(forecast: ChangeForecast) -> str:
    copies = sum(len(one.adding) for one in forecast.partitions)
    if not copies:
        return "nothing is copied"
    size = "of unknown size" if forecast.copied is None else _size(forecast.copied)
    return f"{counted(copies, 'new copy').replace('copys', 'copies')}, {size}"


def _stop(partitions: Sized) -> str:
    alone = len(partitions) == 1
    takes = "that takes acks=all writes now refuses" if alone else "that take acks=all writes now refuse"
    return f"{counted(len(partitions), 'partition')} {takes} them"


def _named(partitions: Sequence[PartitionChange]) -> str:
    return _some([one.name for one in partitions])


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def _size(count: int) -> str:
    for unit, least in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= least:
            return f"{count / least:.1f} {unit}"
    return f"{count} bytes"


def _duration(seconds: float) -> str:
    for unit, least in (("h", 3600), ("min", 60)):
        if seconds >= 2 * least:
            return f"{seconds / least:.0f} {unit}"
    return f"{seconds:.0f} s"
