"""A drill proves a loss only if the tool itself saw it; what was not seen is kept as not seen."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from runbook.procedure.events import Tell
from runbook.procedure.loss_monitor import LossMonitor
from runbook.procedure.walk_record import Sighting
from support.drilled import ALONE, ENDS, WHERE, Command, Watched, measured
from support.small_runbooks import check_text


def played(*states: tuple[list[int], list[int]]) -> Callable[[LossMonitor, str, Tell], list[Sighting]]:
    """Looks at one broker after the other: who serves and who is gone; the last state stays."""
    left = [*states]

    def look(monitor: LossMonitor, stage: str, _: Tell) -> list[Sighting]:
        serving, gone = left.pop(0) if len(left) > 1 else left[0]
        [site] = monitor.sites
        seen = Sighting(stage=stage, at=f"look {len(left)}", took_ms=1, environment=site, cluster_id="c")
        return [replace(seen, serving=serving, gone=gone)]

    return look


WELL, BROKEN = ([1, 2, 3], []), ([1, 2], [3])


@pytest.mark.parametrize(
    ("looks", "begins"),
    [
        ((WELL,), "not seen lost: at none of 3 looks was a broker gone: brokers 1, 2, 3 were in service"),
        ((WELL, BROKEN), "not seen lost: broker 3 was gone at"),
        ((BROKEN, WELL), "not seen lost: at none of 3 looks was a broker gone"),
        ((WELL, BROKEN, WELL), "seen lost: broker 3 served at"),
    ],
)
def test_the_record_says_whether_the_tool_itself_saw_the_loss(
    command: Command,
    watched: Watched,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    looks: tuple[Any, ...],
    begins: str,
):
    text = (here / "ours.md").read_text("utf-8").replace("loses: source", "loses: broker")
    (here / "ours.md").write_text(text, "utf-8")
    monkeypatch.setattr(LossMonitor, "look", played(*looks))
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    words = ("--allow-canary", "--no-terminal", "--by", "ada", "--record", "d.jsonl")
    ended = command("drill", "ours.md#failover", "--env", "eu", *words)
    assert watched.events[-1] == "measure"
    [caveats] = [measurement.caveats for measurement in measured()]
    assert caveats[:-1] == ["it was windy"]
    assert caveats[-1].startswith(begins)
    for output in (ended.out, command("procedure", "show", "d.jsonl").out):
        assert begins in " ".join(output.split())
        assert "seen" in output


def test_a_drill_without_a_canary_keeps_what_was_seen(
    command: Command, kept: Path, here: Path, monkeypatch: pytest.MonkeyPatch
):
    assert kept.exists()
    (here / "environments.yaml").write_text(ALONE, "utf-8")
    text = (here / "ours.md").read_text("utf-8").replace("loses: source", "loses: broker")
    text = text.replace(WHERE, "").replace("    verify: [answers]\n", "")
    (here / "ours.md").write_text(text, "utf-8")
    monkeypatch.setattr(LossMonitor, "look", played(WELL, BROKEN, WELL))
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    words = ("--no-terminal", "--by", "ada", "--record", "d.jsonl")
    assert command("drill", "ours.md#failover", "--env", "us", *words).code == 0
    [measurement] = measured()
    assert measurement.rpo_records is None
    assert measurement.caveats[0].startswith("seen lost: broker 3")
    assert "no canary measured them" in command("procedure", "show", "d.jsonl").out


def test_a_procedure_that_declares_no_loss_is_not_drilled(run: Command, here: Path):
    text = (here / "ours.md").read_text("utf-8")
    (here / "ours.md").write_text(text.replace("loses: source\n", ""), "utf-8")
    ended = run([], "drill", "ours.md#failover", *ENDS)
    assert ended.code == 2
    assert "add loses: broker, rack or source" in ended.err
    assert "runbook procedure walk ours#failover" in ended.err


def test_the_loss_of_a_source_is_not_drilled_in_one_environment(run: Command):
    ended = run([], "drill", "ours.md#failover", "--env", "us")
    assert ended.code == 2
    assert "--env SOURCE --to TARGET" in ended.err


def test_a_rehearsal_looks_for_no_loss(run: Command, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(LossMonitor, "look", lambda *_: pytest.fail("nothing can be lost in kept facts"))
    run([""], "drill", "ours.md#failover", *ENDS, "--record", "d.jsonl")
    assert measured() == []


DRILLED = """facts: {drill: {probe: drill, with: {procedures: [ours/failover]}}}
expect: {each: drill, that: drill.completed}
"""


def test_lint_refuses_a_drill_that_proves_nothing(command: Command, kept: Path, here: Path):
    assert kept.exists()
    text = (here / "ours.md").read_text("utf-8").replace("loses: source\n", "")
    (here / "ours.md").write_text(text + check_text(DRILLED, "drilled"), "utf-8")
    ended = command("lint", "ours.md")
    assert ended.code == 2
    output = " ".join(ended.out.split())
    assert "ours/failover does not declare what a drill of it loses" in output
    assert "add loses: broker, rack or source to the block of ours/failover" in output
    assert "ours/drilled judges the probe drill itself, and would pass where nothing was lost" in output
    assert "view: proved_drill" in output
