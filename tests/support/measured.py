"""Measurements as `runbook measure` makes them, for tests of what is told of them."""

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from runbook.model.measurement import Consumed, Latency, Measurement, Produced, ProducerSetting, Repetition, Trial


def latency(p99: float) -> Latency:
    """Of 2,000 records, with this p99."""
    return Latency(count=2000, p50=p99 / 2, p95=p99 * 0.9, p99=p99, p999=p99 * 1.2, max=p99 * 1.5)


def repetition(p99: float = 10.0, *, setting: ProducerSetting | None = None, **written: Any) -> Repetition:
    """One of 3,000 records in 3 s, all well but for what is given of the producer."""
    of = setting or ProducerSetting()
    trial = Trial(number=0, setting=of, topic="t", rate=1000, seconds=3, records=3000, warm=1000)
    produced = Produced(
        sent=3000,
        acknowledged=3000,
        ran=3.0,
        seconds=2.0,
        rate=1000.0,
        latency=latency(p99),
        machine=0.3,
        wire=3_030_000,
    )
    return Repetition(
        trial=trial,
        written=structs.replace(produced, **written),
        read=Consumed(records=3000, latency=latency(p99 + 1)),
    )


def measurement(repetitions: Sequence[Repetition], **fields: Any) -> Measurement:
    """A whole run."""
    whole = Measurement(
        id="m",
        at="2026-11-29T21:00:00.000Z",
        environment="stage",
        cluster="c",
        copies=3,
        insisted=True,
        repetitions=list(repetitions),
    )
    return structs.replace(whole, **fields)
