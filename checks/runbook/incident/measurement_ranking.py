"""What repetitions of settings say together: medians with their spread, winners beyond it, and limits of the client."""

from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import Final

from msgspec import Struct

from runbook.model.measurement import LongestGap, ProducerSetting, Repetition

REACHED: Final = 0.95
"""Share of the rate asked from which it counts as reached. Our judgement."""

_BUSY: Final = 0.9  # share of a processor, or of all, from which the client may have waited for one. Our judgement
_LATE: Final = 5.0  # ms by which records may be sent late (p99). Our judgement
_HELD: Final = 0.02  # share of the time in which a full buffer explains that the rate was not reached. Our judgement

NAMES: Final = {
    "acks": "acks",
    "linger_ms": "linger.ms",
    "batch_size": "batch.size",
    "compression": "compression.type",
    "size": "record size",
    "partitions": "partitions",
}
"""Fields of a setting, as Kafka's producer calls them."""


class FeltGap(Struct):
    """Gaps of partitions that overlap: from when, in seconds since 1970, for how long at most, and of which."""

    since: float
    seconds: float
    partitions: list[int]
    open: bool


class Spread(Struct, frozen=True):
    """The median of repetitions, between the least and the largest."""

    median: float
    least: float
    most: float


class MeasuredSetting(Struct, frozen=True):
    """One setting with its whole repetitions; `bounds` says what of the client may have been the limit."""

    name: str
    setting: ProducerSetting
    repetitions: list[Repetition]
    bounds: list[str]

    def spread(self, value: Callable[[Repetition], float | None]) -> Spread | None:
        """Of one figure; None where no repetition has it."""
        found = [number for repetition in self.repetitions if (number := value(repetition)) is not None]
        return Spread(median(found), min(found), max(found)) if found else None


def measured_settings(repetitions: Sequence[Repetition]) -> list[MeasuredSetting]:
    """The settings in the order asked, each named by that in which they differ."""
    whole = [repetition for repetition in repetitions if repetition.written and repetition.read]
    settings = list(dict.fromkeys(repetition.trial.setting for repetition in whole))
    differ = [field for field in NAMES if len({getattr(setting, field) for setting in settings}) > 1]
    found = []
    for setting in settings:
        mine = [repetition for repetition in whole if repetition.trial.setting == setting]
        bounds = list(dict.fromkeys(bound for repetition in mine for bound in client_bounds(repetition)))
        found.append(MeasuredSetting(named(setting, differ), setting, mine, bounds))
    return found


def named(setting: ProducerSetting, fields: Iterable[str] = NAMES) -> str:
    """A setting by these fields."""
    values = {field: getattr(setting, field) for field in fields}
    return " ".join(f"{NAMES[f]}={v:g}" if isinstance(v, float) else f"{NAMES[f]}={v}" for f, v in values.items())


def client_bounds(repetition: Repetition) -> list[str]:
    """Why a figure may be the limit of this client or machine instead of the cluster's; empty: nothing says so."""
    written, read = repetition.written, repetition.read
    if written is None or read is None:
        return []
    found = []
    if written.machine is not None and written.machine >= _BUSY:
        found.append("this machine's processors were busy all the time")
    if written.thread >= _BUSY:
        found.append("the producer used a whole processor")
    if read.thread >= _BUSY:
        found.append("the consumer used a whole processor")
    if not _sent(repetition) and written.held < _HELD * written.ran and not written.failed:
        found.append("the producer did not send at the rate asked, although its buffer had room")
    if written.late > _LATE:
        found.append(f"the producer sent records more than {_LATE:g} ms late")
    return found


def reached(repetition: Repetition) -> bool:
    """Whether records were sent and acknowledged at the rate asked."""
    written = repetition.written
    return written is not None and _sent(repetition) and written.rate >= REACHED * repetition.trial.rate


def _sent(repetition: Repetition) -> bool:
    written = repetition.written
    return written is not None and written.sent >= REACHED * repetition.trial.rate * written.ran


def winners(
    found: Sequence[MeasuredSetting], value: Callable[[Repetition], float | None], *, most: bool = False
) -> list[MeasuredSetting]:
    """The best row by median, and those whose repetitions overlap its own; best first.

    All rows: there is no difference that can be told. None: a figure is missing.
    """
    spreads = [(row, spread) for row in found if (spread := row.spread(value)) is not None]
    if len(spreads) < len(found) or not spreads:
        return []
    ordered = sorted(spreads, key=lambda pair: pair[1].median, reverse=most)
    best = ordered[0][1]
    return [row for row, spread in ordered if spread.least <= best.most and spread.most >= best.least]


def ack_p99(repetition: Repetition) -> float | None:
    """From due to acknowledged, ms."""
    written = repetition.written
    return written.latency.p99 if written and written.latency else None


def end_to_end_p99(repetition: Repetition) -> float | None:
    """From due to read, ms."""
    return repetition.read.latency.p99 if repetition.read and repetition.read.latency else None


def throughput(repetition: Repetition) -> float | None:
    """Acknowledged MB/s, of 10**6 bytes before compression."""
    written = repetition.written
    return None if written is None else written.rate * repetition.trial.setting.size / 1e6


def outages(gaps: Sequence[LongestGap]) -> list[FeltGap]:
    """The gaps of one side, those together that overlap; the longest first."""
    found: list[FeltGap] = []
    for gap in sorted(gaps, key=lambda gap: gap.since):
        last = found[-1] if found else None
        if last is not None and gap.since < last.since + last.seconds:
            last.seconds = max(last.seconds, gap.since + gap.seconds - last.since)
            last.partitions = sorted({*last.partitions, gap.partition})
            last.open = last.open or gap.open
        else:
            found.append(FeltGap(gap.since, gap.seconds, [gap.partition], gap.open))
    return sorted(found, key=lambda outage: -outage.seconds)
