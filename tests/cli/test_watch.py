"""What `--watch` refuses before anything is asked, and what it tells of one look after the other."""

import signal
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from runbook.cli.watch import Watching, watch
from runbook.model.block import Severity
from runbook.model.result import Outcome, Result
from runbook.model.run import Head, Run
from support.foreground import in_foreground
from support.small_runbooks import result
from support.terminals import RUNBOOK, Terminal

pytestmark = pytest.mark.usefixtures("hang_ups_end")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--watch", "--every", "0.1s"], "--every 0.1s: each look asks every system: 1s at least, please"),
        (["--until-pass", "--every", "soon"], "--every "),
        (["--until-pass", "--within", "soon"], "--within "),
        (["--watch", "--within", "5m"], "--within says how long --until-pass may take: add --until-pass"),
        (["--within", "5m"], "--within says how long --until-pass may take: add --until-pass"),
        (["--watch", "--from", "facts.json"], "a bundle never changes, so it is looked at once; leave --from out"),
        (["--looks", "2", "--from", "facts.json"], "a bundle never changes, so it is looked at once"),
        (["--looks", "2", "--until-pass"], "--watch looks again anyway; leave --looks out"),
        (["--looks", "3"], "3"),
    ],
)
def test_what_can_not_be_watched_is_refused(command: Any, arguments: list[str], said: str) -> None:
    ended = command("check", "ha", *arguments)
    assert (ended.code, said in ended.err) == (2, True)


def looked(at: str, results: list[Result]) -> Run:
    """A look that began at this time of day."""
    run = Run("r", "0", "manual", complete=True, started_at=f"2026-11-24T{at}.000Z", deadline_ms=1)
    run.heads, run.results = [Head("prod")], results
    return run


def watched(runs: list[Run], fail_on: Severity = "low", within: float | None = None) -> Run:
    """The look with which --until-pass ends."""
    next_run = iter(runs)
    return watch(
        lambda _: SimpleNamespace(run=next(next_run)),  # type: ignore[arg-type, return-value]
        lambda _: "",
        Watching(every=0.0, until_pass=True, fail_on=fail_on, within=within),
    ).run


def test_a_minute_without_a_change_is_told_with_what_keeps_it_from_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    low = replace(result("ha/low", "prod", Outcome.FAIL), severity="low")
    standing = [low, result("ha/bad", "prod", Outcome.FAIL), result("ha/dark", "prod", Outcome.UNKNOWN)]
    well = [low, result("ha/bad", "prod"), result("ha/dark", "prod")]
    times = ("07:00:00", "07:00:59", "07:01:00", "07:01:30", "07:02:00")
    watched([*(looked(at, standing) for at in times), looked("07:02:30", well)], "high")
    assert capsys.readouterr().err.splitlines() == [
        "07:00:00  0 pass, 2 fail, 1 unknown",
        *(
            f"{at}  0 pass, 2 fail, 1 unknown, as since 07:00:00; "
            "goes on and waits for ha/bad to pass and for ha/dark to be known"
            for at in ("07:01:00", "07:02:00")
        ),
        "07:02:30  2 pass, 1 fail, 0 unknown",
        "          pass now: ha/bad, ha/dark",
    ]


def test_a_failure_that_is_milder_than_fail_on_is_not_waited_for() -> None:
    look = looked("07:00:00", [replace(result("ha/a", "prod", Outcome.FAIL), severity="medium")])
    assert watched([look], "high") is look
    with pytest.raises(StopIteration):
        watched([look], "medium")


def test_after_its_time_no_other_look_begins_and_what_it_waited_for_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    look = looked("07:00:00", [result("ha/a", "prod", Outcome.FAIL), result("ha/b", "prod", Outcome.UNKNOWN)])
    assert watched([look], within=0.0) is look
    assert capsys.readouterr().err.splitlines() == [
        "07:00:00  0 pass, 1 fail, 1 unknown",
        "gives up after 0 s, having waited for ha/a to pass and for ha/b to be known",
    ]
    well = looked("07:00:00", [result("ha/a", "prod")])
    assert watched([well], within=0.0) is well
    assert capsys.readouterr().err.splitlines() == ["07:00:00  1 pass, 0 fail, 0 unknown"]


WATCH = ("check", "ha", "--only", "ha/every-broker-answers", "--watch", "--every", "1s", "--results", "kept")


@pytest.fixture
def unreachable(tmp_path: Path) -> Path:
    """A folder with an inventory of a cluster that is not there."""
    (tmp_path / "environments.yaml").write_text("environments: {far: {kafka: {bootstrap.servers: '127.0.0.1:1'}}}\n")
    return tmp_path


def test_sigterm_ends_it_as_ctrl_c_does_and_the_last_look_is_kept(unreachable: Path) -> None:
    command = in_foreground(RUNBOOK, *WATCH)
    with subprocess.Popen(
        command, cwd=unreachable, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stderr is not None
            assert "0 pass, 0 fail, 1 unknown" in process.stderr.readline()
            process.terminate()
            report, said = process.communicate(timeout=800)
        finally:
            process.kill()
    assert process.returncode == 128 + signal.SIGTERM
    assert "UNKNOWN" in report
    assert "kept: results in kept" in said
    assert len([*(unreachable / "kept").rglob("*.jsonl")]) == 1


def test_a_connection_that_breaks_off_costs_no_look(unreachable: Path) -> None:
    terminal = Terminal(unreachable, *WATCH)
    try:
        terminal.until("1 unknown; next look in 1 s")
        terminal.hang_up()
        assert terminal.process.wait(60) == 128 + signal.SIGHUP
    finally:
        terminal.close()
    assert len([*(unreachable / "kept").rglob("*.jsonl")]) == 1


def test_off_a_terminal_a_look_that_is_as_the_one_before_is_not_told_again(capsys: pytest.CaptureFixture[str]) -> None:
    looks = [(12, 12), (12, 12), (9, 9), (9, 9), (0, 0)]
    runs = []
    for number, failed in enumerate(looks):
        results = [
            replace(result(f"ha/{name}", "prod", Outcome.FAIL if rows else Outcome.PASS), failed=rows, judged=12)
            for name, rows in zip("ab", failed, strict=True)
        ]
        runs.append(looked(f"07:00:{number:02}", results))
    assert watched(runs) is runs[-1]
    assert capsys.readouterr().err.splitlines() == [
        "07:00:00  0 pass, 2 fail, 0 unknown",
        "07:00:02  0 pass, 2 fail, 0 unknown",
        "          fewer: ha/a, ha/b: 9 rows, was 12; none in about 3 s",
        "07:00:04  2 pass, 0 fail, 0 unknown",
        "          pass now: ha/a, ha/b",
    ]
