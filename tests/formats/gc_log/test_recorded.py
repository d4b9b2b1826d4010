"""Logs of real JVMs against plain counts of their lines."""

import re
from pathlib import Path

import pytest

from runbook.formats.gc_log import GcSummary, LogPart, Reader, summarize

FOLDER = Path(__file__).with_name("recorded")
LOGS = sorted(FOLDER.glob("*.log"))
PAUSE = re.compile(r"GC\(([0-9]+)\) (?:[YyOo]: )?Pause (\S+).* ([0-9]+\.[0-9]+)ms$", re.MULTILINE)


def read(file: Path) -> tuple[Reader, GcSummary]:
    reader = Reader()
    with file.open(encoding="latin-1") as lines:
        return reader, summarize(reader, [LogPart(lines)])


def pauses_of(file: Path) -> list[tuple[int, str, float]]:
    """Number, first word and milliseconds of each pause, as the lines have it; of one within the other the outer."""
    found: list[tuple[int, str, float]] = []
    for number, word, ms in PAUSE.findall(file.read_text("latin-1")):
        if found and word == "Young" and int(number) < found[-1][0] and found[-1][1] == "Full":
            found[-1] = (int(number), "Full", float(ms))
        else:
            found.append((int(number), word, float(ms)))
    return found


@pytest.mark.parametrize("file", LOGS, ids=lambda file: file.stem)
def test_every_pause_is_counted_once_and_nothing_else_is(file: Path):
    _, summary = read(file)
    lengths = [ms for _, _, ms in pauses_of(file)]
    assert summary.pauses == len(lengths) > 0
    assert summary.longest is not None
    assert summary.longest.ms >= max(lengths)
    assert summary.stopped_ms >= sum(lengths) - 0.001
    if "safepoints" not in file.stem:
        assert summary.stopped_ms == pytest.approx(sum(lengths), abs=2)  # of one that had begun, what is known
    assert summary.full == sum(word == "Full" for _, word, _ in pauses_of(file))


@pytest.mark.parametrize("file", LOGS, ids=lambda file: file.stem)
def test_the_collector_and_the_beginning_are_seen(file: Path):
    reader, summary = read(file)
    assert summary.collector == file.stem.split("-")[1].replace("z", "zgc")
    assert reader.began
    assert summary.foreign == (13 if file.stem == "jdk17-g1-none" else 0)


@pytest.mark.parametrize("file", LOGS, ids=lambda file: file.stem)
def test_without_its_first_lines_the_collector_is_still_told_and_the_beginning_is_not(file: Path):
    lines = file.read_text("latin-1").splitlines()
    begin = next(i for i, line in enumerate(lines) if "GC(" in line)
    reader = Reader()
    summary = summarize(reader, [LogPart(lines[begin:])])
    assert not reader.began
    assert summary.collector in {read(file)[1].collector, ""}
    assert summary.pauses == len(pauses_of(file))


@pytest.mark.parametrize(
    ("name", "seconds"),
    [("jdk17-serial", 2.075), ("jdk25-serial", 2.056), ("jdk21-parallel", 2.386), ("jdk17-z", 2.103)],
)
def test_every_way_to_write_the_time_gives_the_time_that_passed(name: str, seconds: float):
    assert read(FOLDER / f"{name}.log")[1].seconds == pytest.approx(seconds, abs=0.002)


def test_times_are_utc_whatever_the_decoration():
    for name in ("jdk17-serial", "jdk25-serial", "jdk25-z"):
        begins = read(FOLDER / f"{name}.log")[1].begins
        assert begins is not None
        assert 1795277440 < begins < 1795277480


@pytest.mark.parametrize("version", ["jdk11", "jdk17", "jdk25"])
def test_evacuation_failures_are_told_by_each_version_in_its_own_words(version: str):
    file = FOLDER / f"{version}-g1-evacuation-failure.log"
    text = file.read_text("latin-1")
    failed = "To-space exhausted|Pause .*Evacuation Failure: Allocation.*ms$"
    said = re.compile(rf"GC\(([0-9]+)\) (?:{failed})", re.MULTILINE)
    finished = {number for number, *_ in PAUSE.findall(text)}
    assert read(file)[1].evacuation_failures == len(finished & set(said.findall(text))) > 0


def test_waits_of_single_threads_are_no_pauses():
    file = FOLDER / "jdk25-z-stalls.log"
    _, summary = read(file)
    found = re.findall(r"\] (?:Allocation|Relocation) Stall \(.*\) ([0-9.]+)ms", file.read_text("latin-1"))
    assert summary.stalls == len(found) > 0
    assert summary.longest_stall_ms == max(map(float, found))
    assert summary.longest is not None
    assert summary.longest.ms < summary.longest_stall_ms


def test_collections_finished_with_threads_stopped_are_counted():
    file = FOLDER / "jdk17-shenandoah-degenerated.log"
    assert read(file)[1].degenerated == sum(word == "Degenerated" for _, word, _ in pauses_of(file)) > 0


@pytest.mark.parametrize("version", ["jdk17", "jdk25"])
def test_safepoints_tell_the_way_to_them_and_the_whole_stop(version: str):
    file = FOLDER / f"{version}-g1-safepoints.log"
    text, summary = file.read_text("latin-1"), read(file)[1]
    assert summary.longest_to_safepoint_ms == max(int(n) for n in re.findall(r"Reaching safepoint: (\d+)", text)) / 1e6
    assert summary.longest is not None
    assert summary.longest.ms == max(int(n) for n in re.findall(r"Total: (\d+)", text)) / 1e6


def test_safepoints_of_jdk_11_are_told_in_seconds():
    _, summary = read(FOLDER / "jdk11-g1-safepoints.log")
    assert summary.longest_to_safepoint_ms == pytest.approx(0.5853)
    assert summary.longest is not None
    assert summary.longest.ms > 29


def test_a_young_collection_that_turned_into_a_full_one_is_one_stop():
    file = FOLDER / "jdk11-serial.log"
    _, summary = read(file)
    nested = len(PAUSE.findall(file.read_text("latin-1"))) - summary.pauses
    assert nested == 2
    assert summary.full == 3
    assert summary.asked_for == 1


@pytest.mark.parametrize("cause", ["JvmtiEnv ForceGarbageCollection", "Heap Inspection Initiated GC"])
def test_a_full_collection_that_an_agent_forces_is_asked_for(tmp_path: Path, cause: str):
    text = (FOLDER / "jdk11-serial.log").read_text("latin-1")
    assert "(System.gc())" in text
    _, before = read(FOLDER / "jdk11-serial.log")
    (tmp_path / "gc.log").write_text(text.replace("(System.gc())", f"({cause})"), "latin-1")
    _, summary = read(tmp_path / "gc.log")
    assert (summary.asked_for, summary.forced) == (before.asked_for, before.forced)


def test_promotion_is_the_growth_of_the_old_generation():
    file = FOLDER / "jdk17-parallel.log"
    grown = 0
    for block in re.findall(r"ParOldGen: ([0-9]+)K\(\d+K\)->([0-9]+)K.*\n.*\n.*Pause Young", file.read_text("latin-1")):
        grown += 1024 * (int(block[1]) - int(block[0]))
    _, summary = read(file)
    assert summary.promoted is not None
    assert summary.seconds is not None
    assert summary.promoted * summary.seconds == pytest.approx(grown)


def test_the_size_of_a_region_is_found_out_where_its_line_was_rotated_away():
    file = FOLDER / "jdk17-g1-default.log"
    lines = file.read_text("latin-1").splitlines()
    without = summarize(Reader(), [LogPart(line for line in lines if "Region Size" not in line)])
    assert without.promoted == read(file)[1].promoted != 0


def test_a_ring_of_files_reads_as_one_log():
    order = [".2", ".3", ".0", ".1", ""]
    files = [FOLDER / "rotated" / f"kafkaServer-gc.log{n}" for n in order] + [FOLDER / "rotated" / "kafkaServer-gc.log"]
    joined = "".join(file.read_text("latin-1") for file in files)
    reader, whole = Reader(), Reader()
    parts = summarize(reader, [LogPart(file.read_text("latin-1").splitlines()) for file in files])
    as_one = summarize(whole, [LogPart(joined.splitlines())])
    assert parts == as_one
    assert not reader.began
    assert parts.pauses == len(PAUSE.findall(joined))


def test_a_window_leaves_out_what_ended_before_it():
    file = FOLDER / "jdk25-g1.log"
    with file.open(encoding="latin-1") as lines:
        late = summarize(Reader(), [LogPart(lines)], since=1795277472.5)
    assert 0 < late.pauses < len(pauses_of(file))
    assert late.begins == 1795277472.5
    assert late.seconds == pytest.approx(1795277473.286 - 1795277472.5, abs=0.002)
