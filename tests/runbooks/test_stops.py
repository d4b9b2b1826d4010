"""What gc.md says of JVMs that stood still: over logs that real ones wrote while they did (stops/README.md)."""

import os
import shutil
from pathlib import Path

import pytest

from runbook.connections import files
from runbook.formats.gc_log import LogPart, Reader
from runbook.judge.compiled import compile_check
from runbook.judge.judge import Context, judge
from runbook.model.block import Check
from runbook.model.fact import Fact, tabulate
from runbook.model.objective import Ranking
from runbook.model.result import Verdict
from runbook.probes import client_gc_log
from runbook.run.sources.runbooks import read_all
from runbook.views import pause_margin
from support.gc_logs import At, StubHost, observe_file, observe_host

RECORDED = Path(__file__).parents[1] / "formats" / "gc_log"
STOPS = RECORDED / "stops"
LOG = "-Xlog:gc*:file=/var/log/kafka/gc.log:time,uptime,level,tags"
LATER = 21.0
"""Seconds after its last line at which a log is read: for so long record.py froze a JVM."""

FAIL, PASS, UNKNOWN = "fail", "pass", "unknown"
SESSION, HALF, FELT, LOST = (
    "pauses-stay-below-the-session-timeout",
    "pauses-leave-room-in-the-session",
    "hardly-any-pause-is-felt",
    "little-time-is-lost-to-pauses",
)
FULL, QUICK = "full-collections-do-not-happen", "threads-stop-quickly"


def placed(folder: Path, name: str) -> float:
    """Put a log where a JVM writes it; gives when it is read."""
    reader = Reader()
    for _ in reader.events([LogPart((STOPS / f"{name}.log").read_text().splitlines())]):
        pass
    assert reader.last.wall is not None
    shutil.copy(STOPS / f"{name}.log", folder / "gc.log")
    os.utime(folder / "gc.log", (reader.last.wall, reader.last.wall))
    return reader.last.wall + LATER


def of_file(folder: Path, name: str) -> Fact:
    now = placed(folder, name)
    return observe_file(folder / "gc.log", now)


def of_host(folder: Path, name: str) -> Fact:
    """The same, and that its JVM runs."""
    now = placed(folder, name)
    return observe_host(StubHost(folder, LOG), now)


def verdict(name: str, log: Fact) -> Verdict:
    """What a check says of a broker with this log, whose session timeout is 9 s."""
    config = Fact("kafka_broker_config", {"broker": [1], "session_timeout": [9000], "heartbeat_interval_ms": [2000]})
    margin = tabulate("pause_margin", pause_margin.VIEW.columns, pause_margin.compute(gc_log=log, config=config))
    margin.gaps = log.gaps  # as the engine passes on what a view's inputs lack
    return judged(name, {"gc": log, "config": config, "margin": margin})


def judged(name: str, facts: dict[str, Fact], **params: float) -> Verdict:
    (book,) = read_all(["gc"])
    block = next(block for block in book.checks() if block.block.id == name)
    check = block.block
    assert isinstance(check, Check)
    values = {key: parameter.default for key, parameter in check.params.items()} | params
    return judge(compile_check(block), facts, Context("prod", {}, Ranking(), values, "2026-11-29T04:00:00Z"))


@pytest.mark.parametrize("jdk", ["jdk17", "jdk25"])
@pytest.mark.parametrize(
    ("name", "outcomes"),
    [
        ("g1-start", dict.fromkeys((SESSION, HALF, FELT, FULL), PASS)),
        ("g1-loop", dict.fromkeys((SESSION, HALF, FELT, LOST, FULL), PASS)),
        ("g1-loop-safepoints", {**dict.fromkeys((SESSION, HALF, FELT, LOST, QUICK), FAIL), FULL: PASS}),
        ("z-loop-safepoints", {**dict.fromkeys((SESSION, HALF, FELT, LOST, QUICK), FAIL), FULL: PASS}),
        ("g1-safepoints-thawed", {**dict.fromkeys((SESSION, HALF, FELT, LOST), FAIL), QUICK: UNKNOWN}),
        ("g1-thawed", dict.fromkeys((SESSION, HALF, FELT, LOST), FAIL)),
        ("parallel-thawed", dict.fromkeys((SESSION, HALF, FELT, LOST), FAIL)),
        ("serial-thawed", dict.fromkeys((SESSION, HALF, FELT, LOST), FAIL)),
        ("shenandoah-thawed", dict.fromkeys((SESSION, HALF, FELT, LOST, FULL), FAIL)),
        ("g1-frozen", dict.fromkeys((SESSION, HALF, FULL), UNKNOWN)),
        ("parallel-frozen", dict.fromkeys((SESSION, HALF, FULL), UNKNOWN)),
        ("shenandoah-frozen", {**dict.fromkeys((SESSION, HALF), UNKNOWN), FULL: FAIL}),
        ("g1-killed", dict.fromkeys((SESSION, HALF, FULL), UNKNOWN)),
        ("g1-killed-and-started", dict.fromkeys((SESSION, HALF, FULL), UNKNOWN)),
        ("g1-dropped", dict.fromkeys((SESSION, HALF, FELT, LOST, FULL), UNKNOWN)),
        ("serial-start", {FULL: PASS}),
        ("parallel-start", {FULL: PASS}),
        *((f"{collector}-metaspace", {FULL: FAIL}) for collector in ("g1", "serial", "parallel")),
    ],
)
def test_what_is_said_of_a_file(jdk: str, name: str, outcomes: dict[str, str], tmp_path: Path) -> None:
    log = of_file(tmp_path, f"{jdk}-{name}")
    assert {check: str(verdict(check, log).outcome) for check in outcomes} == outcomes


@pytest.mark.parametrize("file", sorted(STOPS.glob("*-frozen.log")), ids=lambda file: file.stem)
def test_where_the_process_runs_a_collection_that_has_not_ended_outlasts_the_session(
    file: Path, tmp_path: Path
) -> None:
    log = of_host(tmp_path, file.stem)
    for check in (SESSION, HALF, FELT, LOST):
        assert verdict(check, log).outcome == FAIL
    [row] = verdict(SESSION, log).rows
    assert "Full GC" in row.message
    assert "that had not ended after 2" in row.message
    [gap] = log.gaps
    assert "it still stands, or its JVM can't write its log any more" in gap.reason


def test_where_the_process_runs_a_killed_one_before_it_does_not_stand(tmp_path: Path) -> None:
    log = of_host(tmp_path, "jdk17-g1-killed-and-started")
    assert verdict(SESSION, log).outcome == UNKNOWN
    assert "had not ended when its JVM did" in verdict(SESSION, log).reason


def test_a_pause_that_is_in_progress_when_the_log_is_read_is_no_alarm(tmp_path: Path) -> None:
    now = placed(tmp_path, "jdk17-g1-frozen") - LATER + 0.5
    log = observe_host(StubHost(tmp_path, LOG), now)
    assert log.complete
    assert verdict(SESSION, log).outcome == PASS


def test_a_pass_says_which_stops_the_jvm_does_not_log(tmp_path: Path) -> None:
    reason = "true of 1 broker; safepoints are not logged: collection pauses only"
    assert verdict(SESSION, of_file(tmp_path, "jdk17-g1-loop")).reason == reason
    assert verdict(FELT, of_file(tmp_path, "jdk17-g1-loop")).reason == reason


def test_a_fail_names_the_kind_of_the_stop(tmp_path: Path) -> None:
    [row] = verdict(SESSION, of_file(tmp_path, "jdk17-z-loop-safepoints")).rows
    assert "24.9 s on the way to a safepoint (ZMarkStart)" in row.message


def test_what_was_dropped_is_the_reason(tmp_path: Path) -> None:
    reason = verdict(SESSION, of_file(tmp_path, "jdk17-g1-dropped")).reason
    assert "lines that its JVM dropped (-Xlog:async)" in reason


@pytest.mark.parametrize(
    ("name", "timeout", "outcome"),
    [
        ("jdk17-g1-start", 10_000, PASS),
        ("jdk17-g1-loop-safepoints", 10_000, FAIL),
        ("jdk25-g1-thawed", 10_000, FAIL),
        ("jdk25-g1-frozen", 10_000, UNKNOWN),
        ("jdk17-g1-loop-safepoints", 45_000, PASS),
    ],
)
def test_a_clients_stops_count_like_a_brokers(name: str, timeout: int, outcome: str, tmp_path: Path) -> None:
    now = placed(tmp_path, name)
    connection = files.connect({"gc_logs": [{"client": "billing", "path": str(tmp_path / "gc.log")}]}, At(now))
    log = tabulate("client_gc_log", client_gc_log.PROBE.columns, client_gc_log.observe(connection))
    found = judged("consumers-outlast-their-pauses", {"gc": log}, session_timeout_ms=timeout)
    assert found.outcome == outcome
