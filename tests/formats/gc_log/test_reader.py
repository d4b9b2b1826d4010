"""Whatever is in a file, it is read to its end."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runbook.formats.gc_log import LogPart, Pause, Reader, Start, summarize
from runbook.formats.gc_log.summary import nearest_rank

FOLDER = Path(__file__).with_name("recorded")
G1 = (FOLDER / "jdk25-g1.log").read_text("latin-1")
SERIAL = (FOLDER / "jdk11-serial.log").read_text("latin-1").splitlines()

PIECES = (
    "[2026-11-21T16:00:00.000+0000]",
    "[gc] ",
    "GC(1) ",
    "Pause Young (",
    "1M->2M(3M)",
    " 1.0ms",
    "[GC ",
    "Y: ",
    ", 0.1 secs]",
)


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=20)), max_size=30), st.booleans())
@settings(max_examples=300, deadline=None)
def test_no_text_stops_the_reader(pieces: list[str], lines: bool):  # noqa: FBT001
    text = ("\n" if lines else "").join(pieces).splitlines()
    reader = Reader()
    summary = summarize(reader, [LogPart(text)])
    assert reader.lines == len(text)
    assert 0 <= reader.foreign <= reader.lines
    assert summary.pauses >= 0


@given(st.integers(0, len(G1) - 1), st.integers(0, len(G1) - 1))
@settings(max_examples=60, deadline=None)
def test_a_log_cut_anywhere_has_the_pauses_of_its_whole_lines(one: int, other: int):
    cut = G1[min(one, other) : max(one, other)]
    found = [e.ms for e in Reader().events([LogPart(cut.splitlines())]) if isinstance(e, Pause)]
    whole = [e.ms for e in Reader().events([LogPart(G1.splitlines())]) if isinstance(e, Pause)]
    middle = cut.splitlines()[1:-1]
    least = [e.ms for e in Reader().events([LogPart(middle)]) if isinstance(e, Pause)]
    assert len(least) <= len(found) <= len(least) + 2
    assert set(found) <= set(whole)


@given(st.lists(st.integers(0, len(SERIAL)), max_size=6))
@settings(max_examples=60, deadline=None)
def test_where_a_log_was_rotated_makes_no_difference(cuts: list[int]):
    edges = [0, *sorted(cuts), len(SERIAL)]
    parts = [LogPart(SERIAL[a:b]) for a, b in pairwise(edges)]
    assert summarize(Reader(), parts) == summarize(Reader(), [LogPart(SERIAL)])


def test_uptimes_become_times_of_day_where_the_start_is_known():
    reader = Reader()
    events = list(reader.events([LogPart(SERIAL, boot=1000.0)]))
    assert isinstance(events[0], Start)
    assert all(event.at.wall == pytest.approx(1000 + (event.at.uptime or 0)) for event in events)
    assert reader.last.wall == pytest.approx(1001.145)


def test_a_restart_counts_no_allocation_between_two_lives():
    once = summarize(Reader(), [LogPart(SERIAL)])
    twice = summarize(Reader(), [LogPart(SERIAL, boot=1000.0), LogPart(SERIAL, boot=2000.0)])
    assert twice.pauses == 2 * once.pauses
    assert twice.allocated is not None
    assert once.allocated is not None
    assert twice.seconds is not None
    assert once.seconds is not None
    assert twice.allocated * twice.seconds == pytest.approx(2 * once.allocated * once.seconds)


def test_decimal_commas_are_points():
    line = "[0,123s][info][gc] GC(0) Pause Young (Allocation Failure) 8M->2M(30M) 10,205ms"
    [pause] = Reader().events([LogPart([line])])
    assert isinstance(pause, Pause)
    assert (pause.ms, pause.at.uptime) == (10.205, 0.123)


def test_a_region_that_is_only_pinned_is_no_lack_of_room():
    line = "[1.0s] GC(0) Pause Young (Normal) (G1 Evacuation Pause) (Evacuation Failure: {}) 8M->2M(30M) 1.0ms"
    kinds = ("Pinned", "Allocation", "Allocation / Pinned")
    failed = [e.evacuation_failed for e in Reader().events([LogPart(map(line.format, kinds))]) if isinstance(e, Pause)]
    assert failed == [False, True, True]


def test_a_trend_is_the_line_of_least_squares():
    line = "[{}s][gc] GC({}) Pause Young (Normal) (G1 Evacuation Pause) 100M->{}M(200M) 1.0ms"
    growing = summarize(Reader(), [LogPart(line.format(float(i * 360), i, 10 + i) for i in range(20))])
    assert growing.heap_trend == pytest.approx(10 * (1 << 20))
    few = summarize(Reader(), [LogPart(line.format(float(i), i, 10) for i in range(9))])
    assert few.heap_trend is None


def test_percentiles_are_by_nearest_rank():
    numbers = [float(n) for n in range(1, 201)]
    assert (nearest_rank(numbers, 50), nearest_rank(numbers, 99), nearest_rank(numbers, 100)) == (100, 198, 200)
    assert nearest_rank([7.0], 1) == 7


@pytest.mark.parametrize("stamp", ["0001-01-01T00:00:00.000+0100", "9999-12-31T23:59:59.999-2359", "9" * 21 + "ms"])
def test_a_time_that_can_not_be_is_not_known(stamp: str):
    [pause] = Reader().events([LogPart([f"[{stamp}] GC(1) Pause Remark 1M->1M(2M) 1.0ms"])])
    assert pause.at.wall is None


@pytest.mark.parametrize(
    "line",
    [
        f"[2026-01-01T00:00:01.000+0000][5.1s][info][gc] GC(5) Pause Young (Normal) 9M->{'9' * 400}M(8M) 2.8ms",
        f"[2026-01-01T00:00:01.000+0000][5.1s][info][gc,heap] GC(5) Eden regions: 10->{'9' * 5000}",
        f"5.1: [GC (Allocation) [ParNew: {'9' * 400}K->6K(7K), 0.1 secs] 0K->5K(2K), 0.1 secs]",
        f"[2026-01-01T00:00:01.000+0000][{'9' * 5000}s][info][gc] GC(5) Pause Young (Normal) 9M->8M(8M) 2.8ms",
    ],
)
def test_numbers_without_end_are_no_numbers_of_a_log(line: str):
    pauses = [event for event in Reader().events([LogPart([line])]) if isinstance(event, Pause)]
    assert all(pause.after is None or pause.after < 2**60 for pause in pauses)
    summarize(Reader(), [LogPart([line, line])])
