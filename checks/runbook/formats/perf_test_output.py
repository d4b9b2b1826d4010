"""What Kafka's own perf tests print: kafka-producer-perf-test, kafka-consumer-perf-test and EndToEndLatency.

Seen of 3.9.1 and 4.3.0. Their MB are MiB; here they are MB of 10**6 bytes. Fractions have a point or, where the
locale of their JVM says so, a comma.
"""

import re
from collections import Counter

from msgspec import Struct

_MIB = 2**20 / 10**6
_N = r"(\d+(?:[.,]\d+)?|NaN)"
_PRODUCER = re.compile(
    rf"(\d+) (steady state )?records sent, {_N} records/sec \({_N} MB/sec\), {_N} ms avg latency, {_N} ms max latency, "
    rf"{_N} ms 50th, {_N} ms 95th, {_N} ms 99th, {_N} ms 99\.9th\."
)
_AVERAGE = re.compile(rf"Avg latency: {_N} ms")
_PERCENTILES = re.compile(rf"Percentiles: 50th = {_N}, 99th = {_N}, 99\.9th = {_N}")
_FAILED = re.compile(r"\berrors\.(\w+Exception)\b")
_CONSUMER = "data.consumed.in.MB"


class PerfTest(Struct, frozen=True, kw_only=True):
    """The summary of one run. None: the tool does not tell it.

    Attributes:
        tool: which, and of what.
        records: sent or read.
        rate: records a second.
        megabytes: MB a second.
        mean, p50, p95, p99, p999, max: latency in ms.
        errors: exception -> lines that tell it.
    """

    tool: str
    records: int | None = None
    rate: float | None = None
    megabytes: float | None = None
    mean: float | None = None
    p50: float | None = None
    p95: float | None = None
    p99: float | None = None
    p999: float | None = None
    max: float | None = None
    errors: dict[str, int] = {}


def perf_tests(text: str) -> list[PerfTest]:
    """The summaries in an output, in order; empty if there is none."""
    lines = [line.strip() for line in text.splitlines()]
    errors = dict(Counter(name for line in lines for name in _FAILED.findall(line)))
    found: list[PerfTest] = []
    average: float | None = None
    for before, line in zip(["", *lines], lines, strict=False):
        if sent := _PRODUCER.fullmatch(line):
            found.append(_producer(sent, errors))
        elif _CONSUMER in before and "," in line:
            found += _consumer(before, line, errors)
        elif mean := _AVERAGE.fullmatch(line):
            average = _number(mean[1])
        elif seen := _PERCENTILES.fullmatch(line):
            p50, p99, p999 = (_number(value) for value in seen.groups())
            found.append(PerfTest(tool="end to end", mean=average, p50=p50, p99=p99, p999=p999, errors=errors))
    return found


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def _producer(sent: re.Match[str], errors: dict[str, int]) -> PerfTest:
    records, steady, *values = sent.groups()
    tool = "producer, after warm-up" if steady else "producer"
    if not int(records):  # its zeros are of nothing
        return PerfTest(tool=tool, records=0, errors=errors)
    rate, mebibytes, mean, most, p50, p95, p99, p999 = (_number(value) for value in values)
    return PerfTest(
        tool=tool,
        records=int(records),
        rate=rate,
        megabytes=round(mebibytes * _MIB, 3),
        mean=mean,
        p50=p50,
        p95=p95,
        p99=p99,
        p999=p999,
        max=most,
        errors=errors,
    )


def _consumer(heads: str, line: str, errors: dict[str, int]) -> list[PerfTest]:
    """The summary of a consumer: what it fetched once it had joined; none of the intervals of --show-detailed-stats."""
    row = dict(zip(heads.split(", "), line.split(", "), strict=False))
    try:
        records, rate = int(row["data.consumed.in.nMsg"]), _number(row["fetch.nMsg.sec"])
        mebibytes = _number(row["fetch.MB.sec"])
    except (KeyError, ValueError):
        return []
    if "start.time" not in row:
        return []
    megabytes = round(mebibytes * _MIB, 3)
    return [PerfTest(tool="consumer, after joining", records=records, rate=rate, megabytes=megabytes, errors=errors)]
