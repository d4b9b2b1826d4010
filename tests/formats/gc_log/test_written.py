"""The format of JDK 8, from logs written after its documentation."""

from pathlib import Path

import pytest

from runbook.formats.gc_log import GcSummary, LogPart, Pause, Reader, summarize

FOLDER = Path(__file__).with_name("written")
MIB = 1 << 20


def read(name: str) -> tuple[Reader, GcSummary]:
    reader = Reader()
    return reader, summarize(reader, [LogPart((FOLDER / f"{name}.log").read_text().splitlines())])


def pauses(name: str) -> list[Pause]:
    events = Reader().events([LogPart((FOLDER / f"{name}.log").read_text().splitlines())])
    return [event for event in events if isinstance(event, Pause)]


def test_parallel_tells_young_and_full_collections():
    reader, summary = read("jdk8-parallel")
    assert (summary.collector, summary.pauses, summary.full, summary.asked_for) == ("parallel", 4, 2, 1)
    assert summary.longest is not None
    assert (summary.longest.ms, summary.longest.reaching_ms) == (pytest.approx(260), pytest.approx(0.1))
    assert summary.heap_after == 18000 * 1024
    assert summary.foreign == 0
    assert not reader.began


def test_a_pause_ended_its_length_after_the_stamp_of_its_line():
    first = pauses("jdk8-parallel")[0]
    assert first.at.uptime == pytest.approx(1.5125)
    assert first.at.wall == pytest.approx(1709283601.5125)  # 10:00:01.5 at +01:00, and 12.5 ms
    assert first.promoted == (28162 - 17602) * 1024


def test_serial_without_dates_has_uptimes():
    summary = read("jdk8-serial")[1]
    assert (summary.collector, summary.pauses, summary.full) == ("serial", 3, 1)
    assert summary.begins is None
    assert summary.longest is not None
    assert summary.longest.ms == pytest.approx(60.2)


def test_a_concurrent_mode_failure_spread_over_two_lines_is_a_full_collection():
    *others, last = pauses("jdk8-cms")
    assert [pause.kind for pause in others] == ["young", "initial mark", "remark"]
    assert (last.kind, last.ms, last.evacuation_failed) == ("full", 7451.0, True)
    assert (last.before, last.after) == (118000 * 1024, 60000 * 1024)


def test_g1_tells_its_heap_further_down():
    found = pauses("jdk8-g1")
    assert [pause.kind for pause in found] == ["young", "young", "remark", "cleanup", "mixed", "full"]
    assert [pause.evacuation_failed for pause in found] == [False, False, False, False, True, False]
    assert (found[0].before, found[0].after, found[0].total) == (24 * MIB, 12 * MIB, 256 * MIB)
    assert found[0].promoted == 9 * MIB
    assert found[-1].ms == 1500


def test_a_line_that_ends_in_its_middle_is_no_pause():
    lines = (FOLDER / "jdk8-parallel.log").read_text().splitlines()
    assert lines[-1].endswith("0.01")
    assert read("jdk8-parallel")[1].pauses == sum("secs] [Times" in line for line in lines)


def test_two_formats_in_one_file_are_read_as_what_they_are():
    old = (FOLDER / "jdk8-cms.log").read_text().splitlines()
    new = (FOLDER.parent / "recorded" / "jdk17-serial.log").read_text().splitlines()
    both = summarize(Reader(), [LogPart([*old, "\0\0 not a log", *new])])
    apart = [summarize(Reader(), [LogPart(lines)]) for lines in (old, new)]
    assert both.pauses == sum(summary.pauses for summary in apart)
    assert both.full == sum(summary.full for summary in apart)
    assert both.foreign == 1


def test_a_collection_that_found_no_room_is_marked_with_two_dashes():
    lines = [
        "0.120: [GC (Allocation Failure) --[PSYoungGen: 7838K->7838K(9216K)] 11934K->15342K(19456K), 0.0052090 secs]",
        "0.130: [GC pause (G1 Evacuation Pause) (young)-- 100M->76M(128M), 0.0031587 secs]",
        "0.140: [GC pause (G1 Evacuation Pause) (young) 100M->76M(128M), 0.0031587 secs]",
    ]
    found = [event for event in Reader().events([LogPart(lines)]) if isinstance(event, Pause)]
    assert [pause.evacuation_failed for pause in found] == [True, True, False]
    assert found[1].after == 76 * MIB
