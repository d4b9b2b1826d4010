"""Logs of a JVM of Java 8, whatever its options put into them: a pause is read, or it is said that one is missing."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runbook.formats.gc_log import LogPart, Missed, Pause, Reader, Safepoint

HERE = Path(__file__).parent
REAL = sorted((HERE / "recorded8").glob("*.log"))
SHENANDOAH = HERE / "written" / "jdk8-shenandoah.log"
HEAD = re.compile(r"\[(?:Full GC|GC|Pause)(?! concurrent)(?=[ (\[])")
OTHERS = (
    "[2026-11-21 16:11:17,000] INFO [Broker id=0] all is well (kafka.server)",
    "[2026-11-21T16:11:11.790+0000][gc,start] GC(2) Pause Young (Normal) (G1 Evacuation Pause)",
    "2026-11-23T01:26:09.507+0000: 0.866: #4: [CMS-concurrent-preclean-start]",
    "2026-11-23T01:26:09.505+0000: 0.864: Application time: 0.0056755 seconds",
    " [Times: user=0.00 sys=0.00, real=0.02 secs] ",
    "",
)


def lines_of(file: Path) -> list[str]:
    return file.read_text("latin-1").splitlines()


def read(lines: list[str]) -> tuple[list[Pause], Missed]:
    reader = Reader()
    pauses = [event for event in reader.events([LogPart(lines)]) if isinstance(event, Pause)]
    return pauses, reader.missed


def says_nothing_is_missing(missed: Missed) -> bool:
    return not (missed.lost or missed.unread or missed.unmatched or missed.unended or missed.stopped_far_longer)


def lengths(lines: list[str]) -> set[float]:
    return {round(pause.ms, 4) for pause in read(lines)[0]}


LOGS = [lines_of(file) for file in (*REAL, SHENANDOAH)]


@pytest.mark.parametrize("file", [*REAL, SHENANDOAH], ids=lambda file: file.stem)
def test_every_collection_is_a_pause_and_nothing_is_missing(file: Path):
    lines = lines_of(file)
    pauses, missed = read(lines)
    assert says_nothing_is_missing(missed)
    begun = [line for line in lines if HEAD.search(line) and line[:1].isdigit() and not line.endswith(", start]")]
    within = sum("[GC (CMS Final Remark)" in line and "[ParNew" in line and "[YG" not in line for line in begun)
    assert len(pauses) == len(begun) - within > 0
    assert all(pause.before is not None or pause.kind in {"remark", "initial mark"} for pause in pauses) or (
        file == SHENANDOAH
    )


@pytest.mark.parametrize("file", [file for file in REAL if file.stem.endswith(("-all", "-id"))], ids=lambda f: f.stem)
def test_pauses_take_what_the_jvm_itself_says_that_threads_were_stopped(file: Path):
    paused, stops = 0.0, 0
    for event in Reader().events([LogPart(lines_of(file))]):
        if isinstance(event, Pause):
            paused += event.ms
        elif isinstance(event, Safepoint):
            assert event.total_ms - event.reaching_ms == pytest.approx(paused, abs=1.5)
            stops, paused = stops + 1, 0.0
    assert stops > 0
    assert paused == 0


def test_a_scavenge_within_a_remark_does_not_hide_the_remark():
    text = (HERE / "recorded8" / "cms-all.log").read_text("latin-1")
    found = re.search(r"\[1 CMS-remark: .*?, ([0-9.]+) secs\]", text)
    assert found is not None
    long = text[: found.start(1)] + "9.5000000" + text[found.end(1) :]
    [remark] = [pause for pause in read(long.splitlines())[0] if pause.kind == "remark"]
    assert remark.ms == 9500


def test_the_number_of_a_collection_is_a_part_of_its_stamps():
    stamp = "2022-07-26T21:00:45.231+0800: 7.599: #2: "
    full = (
        "[Full GC (Ergonomics) [PSYoungGen: 98289K->0K(8257536K)] [ParOldGen: 32K->98112K(1048576K)]"
        " 98321K->98112K(9306112K), [Metaspace: 16471K->16471K(1064960K)], 9.6492397 secs]"
    )
    [pause], missed = read([stamp + full, "2022-07-26T21:00:54.881+0800: 17.249: " + stopped(9.6494)])
    assert (pause.kind, pause.ms, pause.at.uptime) == ("full", 9649.2397, pytest.approx(17.2482397))
    assert says_nothing_is_missing(missed)


@pytest.mark.parametrize("option", ["tenuring", "adaptive"])
def test_what_parallel_writes_in_between_hides_no_young_collection(option: str):
    lines = lines_of(HERE / "recorded8" / f"parallel-{option}.log")
    lengths = [
        1000 * float(s) for line in lines for s in re.findall(r"\(\d+K\)(?:, \[Meta.*?\])?, ([0-9.]+) secs\]", line)
    ]
    pauses, _ = read(lines)
    assert [pause.ms for pause in pauses] == pytest.approx(lengths)
    assert [pause.kind for pause in pauses] == ["young"] * (len(lengths) - 1) + ["full"]
    assert pauses[0].cause == "Allocation Failure"
    assert pauses[0].promoted is not None


def test_shenandoah_tells_milliseconds_in_brackets():
    pauses, _ = read(lines_of(SHENANDOAH))
    assert [(pause.kind, pause.ms) for pause in pauses] == [
        ("init mark", 3.25),
        ("final mark", 4.4),
        ("degenerated gc", 82.0),
        ("full", 10000.123),
    ]
    assert pauses[-1].at.uptime == pytest.approx(15, abs=0.001)  # with details the stamp is that of the end
    assert (pauses[-1].before, pauses[-1].after, pauses[-1].total) == (29 << 20, 12 << 20, 30 << 20)
    [plain], _ = read(["5.000: [Pause Full 29M->12M(30M), 10000.123 ms]"])
    assert plain.at.uptime == pytest.approx(15.000123)


def stopped(seconds: float) -> str:
    return (
        f"Total time for which application threads were stopped: {seconds:.7f} seconds, "
        "Stopping threads took: 0.0001000 seconds"
    )


YOUNG = "1.000: [GC (Allocation Failure) [PSYoungGen: 100K->10K(200K)] 100K->20K(400K), 0.0100000 secs]"


@pytest.mark.parametrize(
    ("lines", "lost", "unread"),
    [
        (["2.000: [GC (Allocation Failure) [PSYoungGen: 100K", "3.000: [CMS-concurrent-mark-start]", YOUNG], 1, 0),
        ([YOUNG, "[PSYoungGen: 100K->10K(200K)] 100K->20K(400K), 9.6000000 secs] [Times: real=9.60 secs]"], 1, 0),
        ([YOUNG, "2.000: [GC (Allocation Failure) [PSYoungGen", "11.0: " + stopped(9.0)], 1, 0),
        ([YOUNG, "2.000: #Z2: [Full GC (Ergonomics) 100K->20K(400K), 9.6000000 secs]"], 0, 1),
        ([YOUNG, "2.000: [Compaction 100K->20K(400K), 9600.000 ms]"], 0, 1),
        (
            [YOUNG, "2.0: [Pause Full, start]", "3.0: [Pause Init Mark, start]", "3.1: [Pause Init Mark, 1.0 ms]"],
            1,
            0,
        ),
        (["20K(400K), 0.0100000 secs]", YOUNG], 0, 0),  # the log was cut there: what was before is not asked for
    ],
    ids=["begun", "ended", "running again", "strange number", "strange word", "shenandoah", "first line"],
)
def test_what_can_not_be_put_together_is_counted(lines: list[str], lost: int, unread: int):
    missed = read(lines)[1]
    assert (missed.lost, missed.unread) == (lost, unread)


def test_a_log_that_ends_within_a_collection_says_when_that_began():
    missed = read([YOUNG, "2.500: [Full GC (Ergonomics) [PSYoungGen: 98289K->0K"])[1]
    [last] = missed.unended
    assert last.began.uptime == 2.5
    assert missed.lost == 0


@pytest.mark.parametrize(
    ("stops", "far"),
    [([9.0], True), ([0.9], False), ([0.6, 0.6], True), ([0.009] * 200, False)],
    ids=["one long", "one short", "some", "many tiny"],
)
def test_stops_for_which_no_pause_is_told_are_held_against_the_pauses(stops: list[float], far: bool):  # noqa: FBT001
    lines = [YOUNG, "1.010: " + stopped(0.0102), *(f"{i + 2}.000: {stopped(stop)}" for i, stop in enumerate(stops))]
    assert read(lines)[1].stopped_far_longer is far


def test_what_is_missing_from_before_the_window_is_no_gap():
    stamp = "2024-03-01T10:00:01.000+0000: 2.000: "
    lines = [YOUNG, f"{stamp}#Z2: [GC 1K", f"{stamp}{stopped(9.0)}"]
    for since, counted in ((1709287200.0, 1), (1709290000.0, 0)):
        reader = Reader(since)
        assert list(reader.events([LogPart(lines)]))
        assert (reader.missed.unread, reader.missed.stopped_far_longer) == (counted, bool(counted))


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_line_that_is_cut_loses_no_pause_in_silence(data: st.DataObject):
    lines = list(data.draw(st.sampled_from(LOGS)))
    place = data.draw(st.integers(3, len(lines) - 1))
    whole = lengths(lines)
    lines[place] = lines[place][: data.draw(st.integers(12, max(12, len(lines[place]))))]
    assert whole <= lengths(lines) or not says_nothing_is_missing(read(lines)[1])


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_line_that_is_missing_takes_its_own_pause_at_most_in_silence(data: st.DataObject):
    lines = list(data.draw(st.sampled_from(LOGS)))
    whole = lengths(lines)
    gone = lines.pop(data.draw(st.integers(3, len(lines) - 1)))
    assert whole - lengths([gone]) <= lengths(lines) or not says_nothing_is_missing(read(lines)[1])


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_lines_of_others_in_between_lose_no_pause_in_silence(data: st.DataObject):
    lines = list(data.draw(st.sampled_from(LOGS)))
    whole = lengths(lines)
    for place in data.draw(st.lists(st.integers(3, len(lines)), min_size=1, max_size=4)):
        lines.insert(place, data.draw(st.sampled_from(OTHERS)))
    assert whole <= lengths(lines) or not says_nothing_is_missing(read(lines)[1])


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_two_logs_in_one_file_lose_no_pause_in_silence(data: st.DataObject):
    one, other = (list(data.draw(st.sampled_from(LOGS))) for _ in range(2))
    whole = lengths(one) | lengths(other)
    mixed: list[str] = []
    while one or other:
        for lines in (one, other):
            count = data.draw(st.integers(1, 40))
            mixed += lines[:count]
            del lines[:count]
    assert whole <= lengths(mixed) or not says_nothing_is_missing(read(mixed)[1])


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_lines_that_run_together_lose_no_pause_in_silence(data: st.DataObject):
    lines = list(data.draw(st.sampled_from(LOGS)))
    whole = lengths(lines)
    place = data.draw(st.integers(3, len(lines) - 2))
    lines[place : place + 2] = [lines[place] + lines[place + 1]]
    assert whole <= lengths(lines) or not says_nothing_is_missing(read(lines)[1])
