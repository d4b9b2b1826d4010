"""What the perf tests of Kafka 3.9.1 and 4.3.0 printed on a lab (tests/formats/perf_test_output, recorded)."""

import re
from pathlib import Path

import pytest

from runbook.formats.perf_test_output import PerfTest, perf_tests

RECORDED = Path(__file__).with_name("perf_test_output")


def read(name: str) -> list[PerfTest]:
    return perf_tests((RECORDED / f"{name}.txt").read_text("utf-8"))


def test_the_whole_and_the_steady_state_of_a_producer_are_told():
    whole, steady = read("producer-4.3.0")
    assert (whole.tool, whole.records, whole.rate, whole.megabytes) == ("producer", 12_000, 992.555831, 0.996)
    assert (whole.mean, whole.p50, whole.p95, whole.p99, whole.p999, whole.max) == (61.65, 11, 386, 608, 621, 828)
    assert (steady.tool, steady.records, steady.p99) == ("producer, after warm-up", 11_000, 341)


def test_an_older_producer_tells_the_whole():
    [whole] = read("producer-3.9.1")
    assert (whole.records, whole.rate, whole.p99) == (4_000, 980.872977, 566)


@pytest.mark.parametrize(("name", "records", "rate"), [("4.3.0", 30_180, 23_486.3813), ("3.9.1", 4_000, 9_070.2948)])
def test_a_consumer_tells_what_it_fetched_once_it_had_joined(name: str, records: int, rate: float):
    [one] = read(f"consumer-{name}")
    assert (one.tool, one.records, one.rate, one.p99) == ("consumer, after joining", records, rate, None)


@pytest.mark.parametrize(("name", "figures"), [("4.3.0", (18.8106, 11, 104, 240)), ("3.9.1", (32.5525, 23, 276, 435))])
def test_the_end_to_end_tool_tells_latency_alone(name: str, figures: tuple[float, ...]):
    [one] = read(f"end-to-end-{name}")
    assert one.rate is None
    assert (one.mean, one.p50, one.p99, one.p999) == figures


def test_intervals_of_a_consumer_are_no_summary():
    assert read("consumer-detailed-3.9.1") == []
    assert perf_tests("") == []


def test_errors_are_counted_beside_the_figures():
    [one] = read("producer-too-large-4.3.0")
    assert one.errors == {"RecordTooLargeException": 20}
    assert (one.records, one.rate, one.p99, one.max) == (0, None, None, None)


@pytest.mark.parametrize("name", ["producer-4.3.0", "consumer-4.3.0", "end-to-end-4.3.0"])
def test_figures_with_decimal_commas_are_the_same(name: str):
    text = (RECORDED / f"{name}.txt").read_text("utf-8")
    # the tools format by locale, and write 99th and 99.9th as text
    german = re.sub(r"(?<=\d)\.(?=\d)(?!9th)", ",", text)
    assert german != text
    assert perf_tests(german) == perf_tests(text)
