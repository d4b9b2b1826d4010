"""Percentiles and gaps that a side of a measurement counts."""

import time

from runbook.canary.seen import Gaps, Latencies


def test_percentiles_are_those_of_the_values_in_ms():
    values = Latencies()
    for value in range(1000):
        values.add((999 - value) / 1000)
    told = values.told()
    assert told is not None
    assert (told.count, told.p50, told.p95, told.p99, told.p999, told.max) == (1000, 500, 950, 990, 999, 999)


def test_one_in_a_thousand_is_not_told_of_fewer():
    values = Latencies()
    assert values.told() is None
    values.add(0.5)
    told = values.told()
    assert told is not None
    assert (told.p99, told.p999, told.max) == (500, None, 500)


def test_the_longest_gap_is_that_of_one_partition():
    gaps, now = Gaps(), time.monotonic()
    assert gaps.told() == []
    for partition, at in [(0, 0.0), (1, 0.1), (0, 0.2), (1, 3.1), (0, 0.4), (0, 3.2)]:
        gaps.add(partition, now - 10 + at)
    told, other, *rest = gaps.told()
    assert (told.seconds, told.partition, told.open) == (3.0, 1, False)
    assert (other.seconds, other.partition) == (2.8, 0)
    assert [gap.seconds for gap in rest] == [0.2, 0.2, 0.0, 0.0]
    assert abs(told.since - (time.time() - 9.9)) < 5


def test_the_five_longest_of_a_partition_are_told():
    gaps, now = Gaps(), 0.0
    for step in (1, 7, 2, 6, 3, 5, 4):
        now += step
        gaps.add(0, now - 1)
    assert [gap.seconds for gap in gaps.told()] == [7, 6, 5, 4, 3]


def test_a_gap_that_has_not_ended_is_told_as_open():
    gaps = Gaps()
    for partition, at in [(0, 0.0), (1, 0.1), (0, 5.0), (0, 9.0)]:
        gaps.add(partition, at)
    told = gaps.told()[0]
    assert (told.seconds, told.partition, told.open) == (8.9, 1, True)
