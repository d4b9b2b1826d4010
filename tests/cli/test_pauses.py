"""`runbook pauses` over GC logs on this machine."""

import os
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

Command = Any
RECORDED = Path(__file__).parents[1] / "formats" / "gc_log" / "recorded"
STOPS = RECORDED.with_name("stops")
OUT = ("--out", "pauses.svg")


@pytest.fixture
def log(here: Path) -> str:
    """A broker whose heap was too small: 57.923 ms is its longest pause."""
    shutil.copy(RECORDED / "jdk25-serial.log", here / "gc.log")
    os.utime(here / "gc.log", (0, 0))
    return "gc.log"


def test_a_log_is_drawn_without_an_inventory_or_a_cluster(command: Command, log: str, here: Path):
    ended = command("pauses", f"3={log}", "--at-least", "5", "--timeout", "40ms", *OUT)
    assert (ended.code, ended.err) == (0, "")  # that nothing was written to it for long is no matter here
    assert "longest, 58 ms, ended on broker 3" in ended.out
    assert "its session timeout is 40 ms" in ended.out
    root = ET.fromstring((here / "pauses.svg").read_text())
    assert root.get("aria-label") == ended.out.splitlines()[0]
    assert "session timeout 40 ms" in (here / "pauses.svg").read_text()


def test_files_of_one_broker_are_one_log_and_brokers_are_told_apart(command: Command, log: str, here: Path):
    shutil.copy(here / log, here / "other.log")
    ended = command("pauses", f"1={log}", "2=other.log", "--at-least", "57", *OUT)
    assert "2 long stops" in ended.out


def test_a_log_that_is_not_there_is_named_and_never_a_quiet_broker(command: Command, log: str, here: Path):
    ended = command("pauses", f"1={log}", "2=missing.log", *OUT)
    assert ended.code == 3
    assert "missing.log" in ended.err
    assert "No long stop was seen. Not all could be seen." in ended.out
    assert "Not all could be seen" in (here / "pauses.svg").read_text()


def test_a_file_that_is_no_gc_log_is_said(command: Command, here: Path):
    (here / "server.log").write_text("INFO all is well\n")
    ended = command("pauses", "1=server.log", *OUT)
    assert ended.code == 3
    assert "no line of a GC log" in ended.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["gc.log"], "write the broker's number before its log, as in 1=gc.log"),
        (["1=gc.log", "--env", "prod"], "not both"),
        (["--timeout", "9s"], "--timeout goes with logs"),
        (["1=gc.log", "--timeout", "soon"], "'soon' is no duration"),
    ],
)
def test_a_command_that_cannot_be_meant_is_refused_with_what_to_write(
    command: Command, log: str, arguments: list[str], said: str
):
    del log
    ended = command("pauses", *arguments, *OUT)
    assert ended.code == 2
    assert said in ended.err


def test_an_environment_without_a_way_to_gc_logs_leaves_the_picture_open(command: Command, here: Path):
    (here / "environments.yaml").write_text('environments: {prod: {absent: {ssh: "managed", files: "managed"}}}')
    ended = command("pauses", "--env", "prod", *OUT)
    assert (ended.code, ended.out) == (4, "")
    assert "managed" in ended.err
    assert not (here / "pauses.svg").exists()


def test_a_place_that_cannot_be_written_is_named(command: Command, log: str):
    ended = command("pauses", f"1={log}", "--out", f"{log}/pauses.svg")
    assert ended.code == 2
    assert f"--out {log}/pauses.svg: it can't be written (not a directory)" in ended.err


def test_the_output_of_a_pod_in_which_gc_lines_stand_between_others_is_a_log_too(
    command: Command, log: str, here: Path
):
    lines = (here / log).read_text("latin-1").splitlines()
    mixed = "\n".join(
        f"{line}\n[2026-11-21 16:11:17,000] INFO [Broker id=0] all is well (kafka.server)" for line in lines
    )
    (here / "kafka-0.log").write_text(mixed + "\n")
    ended = command("pauses", "0=kafka-0.log", "--at-least", "5", *OUT)
    assert (ended.code, ended.err) == (0, "")
    assert "longest, 58 ms, ended on broker 0" in ended.out


def test_a_collection_that_has_not_ended_is_no_quiet_broker(command: Command, here: Path):
    """It was "No long pauses." and 0; a JVM 17 that was frozen within a full collection wrote this."""
    shutil.copy(STOPS / "jdk17-g1-frozen.log", here / "gc.log")
    ended = command("pauses", "1=gc.log", "--at-least", "1000", "--timeout", "9s", *OUT)
    assert ended.code == 3
    assert "1 long stop from" in ended.out
    assert "The longest, of unknown length, stood on broker 1" in ended.out
    assert "Full GC (System.gc()) that had not ended when its log ends; its session timeout is 9000 ms" in ended.out
    assert "Whether one outlasted the session of its broker is not known. Safepoints are not logged" in ended.out
    assert "had not ended when the log ends: the JVM was killed, or it still stands" in ended.err


def test_a_pause_that_can_not_be_read_is_no_quiet_broker(command: Command, here: Path):
    stop = "Total time for which application threads were stopped: 9.65 seconds, Stopping threads took: 0.01 seconds"
    young = "[GC (Allocation Failure) [PSYoungGen: 100K->10K(200K)] 100K->20K(400K), 0.0100000 secs]"
    full = "[Compaction 98321K->98112K(9306112K), 9.6 s]"
    stamps = [f"2022-07-26T21:00:{second}.000+0800: {second}.000: " for second in (10, 20, 30)]
    lines = [said + what for said, what in zip(stamps, (young, full, stop), strict=True)]
    (here / "gc.log").write_text("\n".join(lines) + "\n")
    ended = command("pauses", "1=gc.log", *OUT)
    assert ended.code == 3
    assert "Not all could be seen." in ended.out
    assert "1 lines with a time stamp that are not understood, the first at 2022-07-26T13:00:20.000+00:00" in ended.err
    assert "has no pause for 9.6 s for which threads were stopped" in ended.err
