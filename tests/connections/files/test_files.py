"""Only what is listed is opened, and nothing that could hang or fill the memory."""

import io
import os
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

from runbook.answers.gc_logs import GcLog, LogFile, open_log, rotated
from runbook.connections import files
from runbook.formats.gc_log import Reader, summarize
from runbook.model.errors import Garbled, Misconfigured
from runbook.model.probe import Deadline

RECORDED = Path(__file__).parents[2] / "formats" / "gc_log" / "recorded"


def connect(**settings: Any) -> files.Files:
    return files.connect(settings, Deadline(5))


def one_log(path: Path) -> GcLog:
    logs, gaps = connect(gc_logs=[{"broker": 1, "path": str(path)}]).gc_logs()
    assert gaps == []
    [log] = logs
    return log


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"gclogs": []}, "did you mean gc_logs"),
        ({"gc_logs": {"1": "/x"}}, "must be a list"),
        ({"gc_logs": [{"broker": "one", "path": "/x"}]}, "node id"),
        ({"gc_logs": [{"broker": 1, "client": "x", "path": "/x"}]}, "write the node id of one"),
        ({"gc_logs": [{"path": "/x"}]}, "write the node id of one"),
        ({"gc_logs": [{"client": "x", "path": "/a"}, {"client": "x", "path": "/b"}]}, "client x twice"),
        ({"gc_logs": [{"broker": 1, "paht": "/x"}]}, "did you mean path"),
        ({"gc_logs": [{"broker": 1, "path": "x.log"}]}, "absolute path"),
        ({"gc_logs": [{"broker": 1, "path": "/var/*/gc.log"}]}, "last part only"),
        ({"gc_logs": [{"broker": 1, "path": []}]}, "a path or a list of paths"),
        ({"gc_logs": [{"broker": 1, "path": "/a"}, {"broker": "1", "path": "/b"}]}, "broker 1 twice"),
        ({"clients": [{"path": "/a"}]}, "has no name"),
        ({"clients": [{"name": "x", "kind": "producr", "path": "/a"}]}, "did you mean producer"),
        ({"mirror_maker": {"path": "/a"}}, "must be a list of paths"),
        ({"mirror_maker": ["mm2.properties"]}, "absolute path"),
        ({"mirror_maker": [{"path": "/a"}]}, "must be a path"),
    ],
)
def test_settings_that_can_not_be_used_are_told_with_the_remedy(settings: dict[str, Any], said: str):
    with pytest.raises(Misconfigured, match=said):
        files.connect(settings, Deadline(5))


def test_what_a_jvm_rotated_belongs_to_a_log_and_its_neighbours_do_not():
    names = ["gc.log", "gc.log.0", "gc.log.1.current", "gc.log.2.gz", "gc.log2", "server.log"]
    assert rotated(names, "gc.log") == ["gc.log", "gc.log.0", "gc.log.1.current"]


def test_a_ring_of_files_is_read_in_the_order_of_time():
    log = one_log(RECORDED / "rotated" / "kafkaServer-gc.log")
    assert len(log.files) == 5
    reader = Reader()
    summary = summarize(reader, open_log(log, 0.0, 1 << 20).parts)
    assert summary.pauses > 40
    assert summary.begins == pytest.approx(1795277538.535)
    assert summary.ends == pytest.approx(1795277539.787)


def test_of_too_many_bytes_the_newest_are_read():
    log = one_log(RECORDED / "rotated" / "kafkaServer-gc.log")
    ring = [RECORDED / "rotated" / f"kafkaServer-gc.log{n}" for n in (".2", ".3", ".0", ".1", "")]
    for age, path in enumerate(reversed(ring)):
        os.utime(path, (2e9 - age, 2e9 - age))  # a checkout of the repository has no dates of its own
    log = one_log(ring[-1])
    opened = open_log(log, 0.0, 20_000)
    read = sum(len(line) for part in opened.parts for line in part.lines)
    assert read == 20_000
    assert not opened.from_before


def test_files_older_than_the_window_are_left_out(tmp_path: Path):
    for name, age in (("gc.log", 10.0), ("gc.log.0", 5000.0), ("gc.log.1", 9000.0)):
        file = tmp_path / name
        file.write_text("[1.0s] GC(1) Pause Remark 1M->1M(2M) 1.0ms\n")
        os.utime(file, (1e9 - age, 1e9 - age))
    opened = open_log(one_log(tmp_path / "gc.log"), 1e9 - 6000, 1 << 20)
    assert len(opened.parts) == 2
    assert opened.from_before


def test_files_whose_dates_contradict_their_lines_are_no_evidence_if_some_are_left_out(tmp_path: Path):
    line = "[2026-11-21T16:{:02}:00.000+0000][gc] GC(1) Pause Remark 1M->1M(2M) 1.0ms\n"
    for name, minute, modified in (("gc.log", 1, 3.0), ("gc.log.0", 30, 2.0), ("gc.log.1", 2, 1.0)):
        file = tmp_path / name
        file.write_text(line.format(minute) * 10)
        os.utime(file, (modified, modified))
    log = one_log(tmp_path / "gc.log")
    assert len(open_log(log, 0.0, 1 << 20).parts) == 3
    with pytest.raises(Garbled, match="another order than their dates"):
        open_log(log, 0.0, 1000)


def test_uptimes_become_times_of_day_by_the_date_of_the_file(tmp_path: Path):
    copy = tmp_path / "gc.log"
    shutil.copy(RECORDED / "jdk17-g1-default.log", copy)
    os.utime(copy, (1795277457.944, 1795277457.944))
    reader = Reader()
    summary = summarize(reader, open_log(one_log(copy), 0.0, 1 << 20).parts)
    assert summary.ends == pytest.approx(1795277457.944)
    assert summary.begins == pytest.approx(1795277457.944 - 2.128 + 0.019)


def test_a_log_that_grows_while_it_is_read_keeps_its_first_lines(tmp_path: Path):
    file = tmp_path / "gc.log"
    shutil.copy(RECORDED / "jdk17-g1-default.log", file)
    log = one_log(file)
    with file.open("a") as more:
        more.write("[9.0s][info][gc] GC(99) Pause Remark 1M->1M(2M) 1.0ms\n" * 20)
    reader = Reader()
    summarize(reader, open_log(log, 0.0, 1 << 20).parts)
    assert reader.began
    assert reader.foreign == 0


def test_uptimes_of_a_log_that_is_read_in_part_become_times_of_day_by_its_very_last_line(tmp_path: Path):
    file = tmp_path / "gc.log"
    lines = [f"[{second}.000s] GC({second}) Pause Remark 1M->1M(2M) 1.0ms\n" for second in range(1000, 9000)]
    file.write_text("".join(lines))
    os.utime(file, (1e9, 1e9))
    summary = summarize(Reader(), open_log(one_log(file), 0.0, 100_000).parts)
    assert summary.ends == pytest.approx(1e9)


def test_a_file_that_shrinks_while_it_is_read_is_no_evidence(tmp_path: Path):
    file = tmp_path / "gc.log"
    file.write_text("[1.0s] GC(1) Pause Remark 1M->1M(2M) 1.0ms\n" * 5)
    log = one_log(file)
    file.write_text("")
    with pytest.raises(Garbled, match="rotated or cut while it was read"):
        open_log(log, 0.0, 1 << 20)


def test_pipes_devices_folders_and_missing_files_are_gaps(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    paths = ["/dev/zero", str(tmp_path / "pipe"), str(tmp_path / "folder"), str(tmp_path / "no"), "/no/where/gc.log"]
    found: list[Any] = []
    connection = connect(gc_logs=[{"broker": i, "path": path} for i, path in enumerate(paths)])
    asking = threading.Thread(target=lambda: found.extend(connection.gc_logs()), daemon=True)
    asking.start()
    asking.join(5)
    logs, gaps = found
    assert logs == []
    assert [gap.keys for gap in gaps] == [{"broker": i} for i in range(5)]
    assert ["regular file" in gap.reason for gap in gaps] == [True, True, True, False, False]


def test_a_file_that_may_not_be_read_names_the_right(tmp_path: Path):
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    (tmp_path / "gc.log").touch(mode=0)
    with pytest.raises(Exception, match="may not be read"):
        open_log(one_log(tmp_path / "gc.log"), 0.0, 100)


def test_the_greatest_of_lines_costs_no_more_memory_than_is_read_at_most():
    endless = LogFile("gc.log", 1 << 40, 1e9, lambda size: io.BytesIO(b"x" * size))
    opened = open_log(GcLog(1, "", "gc.log", [endless]), 0.0, 1 << 20)
    reader = Reader()
    summarize(reader, opened.parts)
    assert (reader.lines, reader.foreign) == (1, 1)
