"""Stops that real JVMs made, against what was done to them: see stops/README.md."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from runbook.formats.gc_log import GcSummary, LogPart, Missed, Reader, Stop, summarize

HERE = Path(__file__).parent
STOPS = HERE / "stops"
FROZEN = 21.0
"""Seconds for which record.py froze a JVM."""


def named(pattern: str) -> pytest.MarkDecorator:
    files = sorted(STOPS.glob(f"{pattern}.log"))
    assert files
    return pytest.mark.parametrize("file", files, ids=lambda file: file.stem)


def lines_of(file: Path) -> list[str]:
    return file.read_text("latin-1").splitlines()


def read(lines: list[str], runs_at: float | None = None) -> tuple[Reader, GcSummary]:
    reader = Reader(runs_at=runs_at)
    return reader, summarize(reader, [LogPart(lines)])


def longest(lines: list[str], runs_at: float | None = None) -> Stop:
    stop = read(lines, runs_at)[1].longest
    assert stop is not None
    return stop


def is_whole(missed: Missed) -> bool:
    counted = (missed.lost, missed.unread, missed.dropped, missed.numbers, missed.unmatched, len(missed.unended))
    return not any(counted) and missed.unmatched_last is None and not missed.stopped_far_longer


@named("*-frozen")
def test_a_full_collection_stands_for_as_long_as_its_jvm_is_known_to_run(file: Path):
    last = read(lines_of(file))[0].last.wall
    assert last is not None
    stop = longest(lines_of(file), last + FROZEN)
    assert (stop.kind, stop.unended is not None and stop.unended.stands) == ("full", True)
    assert stop.ms / 1000 == pytest.approx(FROZEN, abs=0.5)
    assert re.fullmatch(r"Full GC( \(System\.gc\(\)\))? that had not ended after 2[01]\.[0-9] s", stop.what)


@named("*-frozen")
def test_without_that_no_more_is_claimed_than_the_lines_tell(file: Path):
    reader, summary = read(lines_of(file))
    [last] = reader.missed.unended
    assert (last.kind, last.killed, last.stands) == ("full", False, False)
    assert last.ms < 1000
    assert summary.full == sum("gc,start" in line and "Pause Full" in line for line in lines_of(file))


@named("*-thawed")
def test_once_it_ended_its_line_tells_how_long_it_took(file: Path):
    stop = longest(lines_of(file))
    assert (stop.kind, stop.unended) == ("full", None)
    assert FROZEN < stop.ms / 1000 < FROZEN + 5


@named("*-killed-and-started")
def test_a_collection_that_the_next_jvm_follows_had_not_ended_when_its_jvm_did(file: Path):
    reader, summary = read(lines_of(file))
    [last] = reader.missed.unended
    assert (last.kind, last.killed) == ("full", True)
    assert last.ms < 1000  # the next JVM began 12 s later
    assert summary.full == 1 + sum("Pause Full" in line and line.endswith("ms") for line in lines_of(file))


@named("*-loop-safepoints")
def test_the_way_to_a_safepoint_is_a_stop(file: Path):
    stop = longest(lines_of(file))
    told = max(int(ns) for ns in re.findall(r"Reaching safepoint: ([0-9]+) ns", file.read_text()))
    assert stop.kind == "safepoint"
    assert stop.reaching_ms == told / 1e6 > 10_000
    assert re.match(r"[0-9.]+ s on the way to a safepoint \([A-Z]", stop.what)
    assert is_whole(read(lines_of(file))[0].missed)


@named("*-loop")
def test_where_safepoints_are_not_logged_it_is_not_seen_and_nothing_is_missing(file: Path):
    reader, summary = read(lines_of(file))
    assert summary.longest is not None
    assert summary.longest.ms < 1000
    assert not reader.tells_safepoints
    assert reader.tells_beginnings
    assert is_whole(reader.missed)


@named("*-dropped")
def test_lines_that_the_jvm_dropped_are_missing_and_so_are_their_collections(file: Path):
    missed = read(lines_of(file))[0].missed
    assert missed.dropped == sum(int(n) for n in re.findall(r"([0-9]+) messages dropped", file.read_text())) > 0
    assert missed.numbers > 0


@pytest.mark.parametrize(
    ("name", "classes", "exhausted"),
    [("g1-start", 0, 0), ("serial-start", 3, 0), ("parallel-start", 3, 0)]
    + [(f"{collector}-metaspace", None, True) for collector in ("g1", "serial", "parallel")],
)
@pytest.mark.parametrize("jdk", ["jdk17", "jdk25"])
def test_only_where_metaspace_may_not_grow_it_is_exhausted(
    jdk: str,
    name: str,
    classes: int | None,
    exhausted: bool | int,  # noqa: FBT001
):
    file = STOPS / f"{jdk}-{name}.log"
    summary = read(lines_of(file))[1]
    assert bool(summary.no_metaspace) is bool(exhausted)
    assert summary.forced == 0
    if classes is not None:
        assert summary.full == classes == file.read_text().count("Pause Full (Metadata GC Threshold) ")


def test_whether_it_is_depends_on_the_collector_and_is_not_known_without():
    line = "[2.0s][info] GC(3) Pause Full (Metadata GC Threshold) 30M->20M(100M) 10.0ms"
    told = {name: read([f"[0.1s][info] Using {name}", line])[1].no_metaspace for name in ("G1", "Serial", "Parallel")}
    assert told == {"G1": 1, "Serial": 0, "Parallel": 0}
    assert read([line])[1].no_metaspace is None


def of_recorded(folder: str, *but: str) -> pytest.MarkDecorator:
    files = [file for file in sorted((HERE / folder).glob("*.log")) if file.stem not in but]
    return pytest.mark.parametrize("file", files, ids=lambda file: file.stem)


CUT = ("jdk17-g1-evacuation-failure", "jdk17-shenandoah-degenerated", "jdk25-g1-evacuation-failure")
"""The middle, or the beginning, of longer logs."""


@of_recorded("recorded", *CUT)
def test_a_whole_log_lacks_nothing(file: Path):
    assert is_whole(read(lines_of(file))[0].missed)


@of_recorded("recorded8")
def test_a_whole_log_of_java_8_lacks_nothing(file: Path):
    assert is_whole(read(lines_of(file))[0].missed)


def test_a_file_that_is_lost_from_a_ring_is_a_hole_in_the_numbers():
    ring = [HERE / "recorded" / "rotated" / f"kafkaServer-gc.log{end}" for end in (".2", ".3", ".0", ".1", "")]
    for lost in range(1, 4):
        reader = Reader()
        for _ in reader.events(LogPart(lines_of(file)) for file in ring[:lost] + ring[lost + 1 :]):
            pass
        assert reader.missed.numbers > 0
    whole = Reader()
    for _ in whole.events(LogPart(lines_of(file)) for file in ring):
        pass
    assert whole.missed.numbers == 0


def test_a_hole_before_the_window_does_not_count():
    lines = [line for line in lines_of(HERE / "recorded" / "jdk25-g1.log") if "GC(7) " not in line]
    assert read(lines)[0].missed.numbers == 1
    late = Reader(since=4e9)
    summarize(late, [LogPart(lines)])
    assert late.missed.numbers == 0


def without(lines: list[str], unwanted: Callable[[str], bool]) -> list[str]:
    place = next(place for place, line in enumerate(lines) if unwanted(line))
    return lines[:place] + lines[place + 1 :]


@pytest.mark.parametrize("jdk", ["jdk11", "jdk17", "jdk25"])
def test_a_pause_without_its_safepoint_is_counted_where_safepoints_are_logged(jdk: str):
    lines = lines_of(HERE / "recorded" / f"{jdk}-g1-safepoints.log")
    first = next(place for place, line in enumerate(lines) if "Pause Young" in line and line.endswith("ms"))
    second = next(place for place, line in enumerate(lines) if place > first + 8 and line.endswith("ms"))
    rest = without(lines[second:], lambda line: 'Safepoint "G1' in line or "Total time for which" in line)
    missed = read([*lines[:second], *rest])[0].missed
    assert missed.unmatched == 1


def test_a_last_pause_without_its_safepoint_is_told_apart():
    lines = lines_of(HERE / "recorded" / "jdk17-g1-safepoints.log")
    last = max(place for place, line in enumerate(lines) if "Pause" in line and line.endswith("ms"))
    missed = read(lines[: last + 1])[0].missed
    assert missed.unmatched_last is not None
    assert missed.unmatched == 0


@pytest.mark.parametrize("name", ["jdk17-g1-default", "jdk17-serial", "jdk25-g1", "jdk17-parallel", "jdk17-shenandoah"])
def test_a_pause_whose_end_is_missing_is_lost_once_another_begins(name: str):
    lines = lines_of(HERE / "recorded" / f"{name}.log")
    end = next(place for place, line in enumerate(lines) if "Pause" in line and line.endswith("ms"))
    missed = read([*lines[:end], *lines[end + 1 :]])[0].missed
    assert (missed.lost, missed.unended) == (1, [])


@pytest.mark.parametrize("name", ["parallel-all", "serial-all", "cms-all", "g1-all"])
def test_a_full_collection_of_java_8_in_which_the_log_ends_has_not_ended(name: str):
    lines = lines_of(HERE / "recorded8" / f"{name}.log")
    place = next(place for place, line in enumerate(lines) if "[Full GC" in line)
    begun = lines[place][: lines[place].index("[Full GC") + len("[Full GC (System.gc())")]
    reader, summary = read([*lines[:place], begun], runs_at=1795400000.0)
    [last] = reader.missed.unended
    assert (last.kind, last.cause, last.stands) == ("full", "System.gc()", True)
    assert (summary.full, summary.asked_for) == (1, 1)
    assert summary.longest is not None
    assert summary.longest.unended is last


def test_a_full_collection_that_follows_at_once_is_one_stop_with_the_one_that_found_no_room():
    """As the safepoint of the same JVM says: both happen within one operation."""
    at = "[2026-11-28T10:00:{}+0000][info][gc] GC({}) "
    young = at.format("10.100", 1) + "Pause Young (Normal) (G1 Evacuation Pause) 500M->500M(512M) 100.0ms"
    full = at.format("12.101", 2) + "Pause Full (G1 Compaction Pause) 500M->300M(512M) 2000.0ms"
    asked = at.format("13.101", 3) + "Pause Full (System.gc()) 500M->300M(512M) 1000.0ms"
    reader = Reader()
    stop = summarize(reader, [LogPart([young, full, asked])]).longest
    assert stop is not None
    assert (stop.ms, stop.what) == (2100.0, "Full GC (G1 Compaction Pause)")


WRAPPERS = {
    "cri": "2026-11-28T10:00:00.001123456Z stdout F {}",
    "kubectl logs --timestamps": "2026-11-28T10:00:00.001123456Z {}",
    "kubectl logs --prefix": "[pod/kafka-0/kafka] {}",
    "journalctl": "Nov 28 10:00:00 host1 kafka-server-start.sh[811]: {}",
    "journalctl -o short-iso": "2026-11-28T10:00:00+0000 host1 kafka[811]: {}",
    "docker compose logs": "kafka-1  | {}",
    "docker": '{{"log":"{}\\n","stream":"stdout","time":"2026-11-28T10:00:00.001Z"}}',
}


@pytest.mark.parametrize("wrapper", WRAPPERS.values(), ids=WRAPPERS)
@pytest.mark.parametrize(
    "file",
    [HERE / "recorded" / "jdk25-g1.log", HERE / "recorded8" / "parallel-all.log"],
    ids=lambda file: file.stem,
)
def test_what_is_put_around_each_line_is_taken_off(wrapper: str, file: Path):
    lines = lines_of(file)
    wrapped = [wrapper.format(line.replace("\\", "\\\\").replace('"', '\\"')) for line in lines]
    if '"log"' not in wrapper:
        wrapped = [wrapper.format(line) for line in lines]
    assert read(wrapped)[1] == read(lines)[1]


def test_a_log_without_dates_has_those_of_its_wrapper():
    line = "2026-11-28T10:00:20.001123456Z [20.011s][info][gc] GC(1) Pause Full (System.gc()) 511M->500M(512M) 1.0ms"
    assert longest([line]).at.wall == pytest.approx(1795860020.001123)
