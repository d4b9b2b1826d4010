"""What follows for linger.ms, batch.size and compression.type from what a producer measures of its batches."""

from math import ceil, inf
from typing import Final, NamedTuple

from runbook.views._recommendations import LATENCY, Advice, InForceHere, power_of_two, rounded

BATCH_OVERHEAD: Final = 61
"""Bytes of a batch beside its records (DefaultRecordBatch.RECORD_BATCH_OVERHEAD)."""
_FULL: Final = 0.9  # our judgement: the next record no longer fits
_QUICK: Final = 5
"""Milliseconds of linger.ms at which latency is similar or lower under load (KIP-1030)."""
_NEAR: Final = 0.8  # our judgement: a linger.ms that fills most of a batch is left
_PAYS: Final = 0.95
"""Compressed size over size above which compression saves too little: our judgement."""
_REQUEST: Final = 1_048_576  # max.request.size, by default
_FEW: Final = 2.0  # records of a batch below which compression finds little to share


class Batches(NamedTuple):
    """How a producer's batches come to be; None for what it does not show.

    Attributes:
        record: bytes of a record, as it is sent.
        rate: records a millisecond, over all partitions.
        batch: bytes of a batch.
        joining: records a millisecond that join one batch.
        how: how `joining` is known.
        latency: milliseconds of a request.
        ratio: compressed size over size.
    """

    record: float | None
    rate: float | None
    batch: float | None
    joining: float | None = None
    how: str = ""
    latency: float | None = None
    ratio: float | None = None

    @property
    def records(self) -> float | None:
        """Records in a batch."""
        return None if self.batch is None or not self.record else max(1.0, (self.batch - BATCH_OVERHEAD) / self.record)

    @property
    def unmeasured(self) -> str:
        """What is not known of it, where how many records join a batch is not."""
        for value, word in (
            (self.rate, "record-send-rate"),
            (self.record, "record-size-avg or compression-rate-avg"),
            (self.batch, "batch-size-avg"),
        ):
            if not value:
                return f"{word}: the producer does not show it, or sends nothing"
        return "how many records join a batch, as batches hold one: declare the topics that it writes (`writes`)"


class BatchBounds(NamedTuple):
    """What bounds a batch.

    Attributes:
        largest: the smallest max.message.bytes of the topics that may be written; None if not known.
        partitions: that the producer writes to; None if not known.
        buffer: its buffer.memory; None if not known.
    """

    largest: int | None
    partitions: int | None
    buffer: int | None


def linger_for_latency(batches: Batches, linger: InForceHere) -> Advice:
    """linger.ms where latency comes first: 0 where no record joins another in time."""
    formula = f"records that join a batch within {_QUICK} ms: below 1 linger.ms=0, as they wait in vain; else {_QUICK}"
    joining, how = batches.joining, batches.how
    if joining is None and batches.rate and batches.rate * _QUICK < 1:
        joining, how = batches.rate, f"{rounded(batches.rate * 1000)} records/s in all"
    if joining is None:
        return Advice(formula, lacking=batches.unmeasured)
    inputs = f"{rounded(joining * _QUICK)} records join within {_QUICK} ms: {how}"
    if joining * _QUICK < 1:
        trade = f"none: each record saves up to {linger.value or 'some'} ms, and there are as many requests as before"
        return Advice(formula, inputs, "0", trade)
    if linger.number is not None and linger.number <= _QUICK:
        return Advice(formula, inputs)
    return Advice(formula, inputs, str(_QUICK), "smaller batches, so more requests and less compression")


def linger_for_throughput(batches: Batches, linger: InForceHere, size: InForceHere, delay: int) -> Advice:
    """linger.ms where throughput comes first: the time that a batch takes to fill, within what may be waited."""
    formula = f"linger.ms = (batch.size / record - 1) / records that join a batch in a ms, at most {delay} (`delay`)"
    if size.number is None:
        return Advice(formula, lacking=size.lacking or "batch.size in force is no number")
    if batches.batch is not None and batches.batch >= _FULL * size.number:
        return Advice(formula, f"{_fill(batches.batch, size)}: they are full before linger.ms ends")
    if batches.joining is None or not batches.record:
        return Advice(formula, lacking=batches.unmeasured)
    fills = (size.number / batches.record - 1) / batches.joining if batches.joining else inf
    want = delay if fills > delay else ceil(fills)
    inputs = (
        f"{rounded(batches.record)} bytes a record, {batches.how}; batch.size {size.number} is full after "
        f"{rounded(fills)} ms"
    )
    if batches.joining * delay < 1 and linger.number is not None and linger.number <= delay:
        return Advice(formula, f"{inputs}. Within {delay} ms fewer than one record joins: waiting gains nothing")
    if linger.number is not None and _NEAR * want <= linger.number <= delay:
        return Advice(formula, inputs)
    held = min(size.number, (1 + batches.joining * want) * batches.record + BATCH_OVERHEAD)
    trade = f"each record may wait up to {want} ms (now {linger.value}); batches hold about {rounded(held)} bytes"
    return Advice(formula, inputs, str(want), trade)


def batch_size(batches: Batches, size: InForceHere, linger: int | None, bounds: BatchBounds) -> Advice:
    """batch.size: what arrives while a batch waits, or while a request is answered, where batches are full."""
    formula = (
        "batch.size = bytes that arrive for a batch in the longer of linger.ms and a request, as a power of two, "
        "where batches are full"
    )
    if size.number is None or not batches.batch:
        return Advice(formula, lacking=size.lacking or batches.unmeasured)
    fill = _fill(batches.batch, size)
    if batches.batch < _FULL * size.number:
        return Advice(formula, f"{fill}: a larger batch.size would change nothing")
    if batches.latency is None or linger is None or batches.joining is None or not batches.record:
        lacking = "linger.ms in force" if linger is None else "request-latency-avg"
        return Advice(formula, fill, lacking=batches.unmeasured if batches.joining is None else lacking)
    horizon = max(linger, batches.latency)
    arrives = (1 + batches.joining * horizon) * batches.record + BATCH_OVERHEAD
    bound = min(_REQUEST, bounds.largest or _REQUEST)
    want = min(power_of_two(arrives), bound)
    inputs = f"{fill}; {rounded(arrives)} bytes arrive in {rounded(horizon)} ms: {batches.how}"
    if want <= size.number:
        return Advice(formula, inputs)
    trade = f"up to {want} bytes of buffer.memory for each partition that it writes"
    return Advice(formula, inputs, str(want), trade, _harm(want, bound, bounds))


def _fill(batch: float, size: InForceHere) -> str:
    return f"batches hold {rounded(batch)} of {size.value} bytes (batch-size-avg)"


def _harm(want: int, bound: int, bounds: BatchBounds) -> str:
    if bounds.partitions and bounds.buffer is not None and want * bounds.partitions > bounds.buffer:
        return (
            f"buffer.memory={bounds.buffer} has no room for {bounds.partitions} batches of {want} bytes: raise it first"
        )
    if want < bound:
        return ""
    limit = (
        f"max.message.bytes={bounds.largest}" if bounds.largest == want else f"max.request.size={_REQUEST}, its default"
    )
    return f"not larger: {limit} bounds it"


def codec(batches: Batches, compression: InForceHere, objective: str) -> Advice:
    """compression.type: where it is off and bytes matter, try it; where it saves too little, turn it off."""
    formula = f"compressed size / size (compression-rate-avg): 1 is none; above {_PAYS} it does not pay"
    ratio = batches.ratio
    if ratio is None:
        return Advice(formula, lacking="compression-rate-avg: the producer does not show it, or sends nothing")
    inputs = f"compression-rate-avg {ratio:.2f}"
    if ratio > _PAYS and compression.value not in (None, "none"):
        return Advice(
            formula, inputs, "none", f"up to {1 - ratio:.0%} more bytes; saves CPU time of producers and consumers"
        )
    if ratio <= _PAYS or objective == LATENCY:
        return Advice(formula, inputs)
    warning = "batches of one record compress little: raise linger.ms first" if (batches.records or inf) < _FEW else ""
    trade = "CPU time in producers and consumers; how much it saves is not known before one instance tries it"
    return Advice(formula, inputs, "lz4", trade, warning)
