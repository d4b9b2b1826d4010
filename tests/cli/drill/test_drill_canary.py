"""A drill with a canary: who allows it, when it moves, and what its figures are kept for."""

import datetime as dt
import io
import sys
from pathlib import Path

import pytest

from runbook.canary import SingleClusterCanary
from runbook.cli.commands import drill
from runbook.model.errors import UsageError
from runbook.parse.inventory import parse_inventory
from runbook.procedure.walk_file import walks_home
from support.drilled import ALONE, ENDS, INVENTORY, WHERE, Command, Watched, fly, measured


@pytest.mark.parametrize(
    ("arguments", "inventory", "said"),
    [
        (("ours.md#failover", *ENDS), INVENTORY.replace(", canary: {}", ""), "add to that entry of mirrors: canary:"),
        (("ours.md#failover", *ENDS), INVENTORY, "us has no kafka connection"),
        (("ours.md#failover", "--env", "eu"), INVENTORY, "does not allow one in eu"),
        (("ours.md#failover", "--env", "us"), ALONE, "us has no kafka connection"),
        (("--resume", "d.jsonl"), INVENTORY, "a pause ends the canary"),
        (("ours.md#failover", *ENDS, "--from", "kept.json"), INVENTORY, "a rehearsal contacts nothing"),
    ],
)
def test_a_canary_is_refused_with_the_way_out_and_nothing_is_recorded(
    command: Command, kept: Path, here: Path, arguments: tuple[str, ...], inventory: str, said: str
):
    assert kept.exists()
    text = (here / "ours.md").read_text("utf-8").replace("loses: source", "loses: broker")
    (here / "ours.md").write_text(text.replace(WHERE, ""), "utf-8")
    (here / "environments.yaml").write_text(inventory, "utf-8")
    ended = command("drill", *arguments, "--allow-canary", "--no-terminal", "--by", "ada")
    assert ended.code == 2
    assert said in ended.err
    assert not walks_home().exists()


def test_without_being_asked_no_canary_flies(command: Command, kept: Path, here: Path, monkeypatch: pytest.MonkeyPatch):
    assert kept.exists()
    monkeypatch.setattr(sys, "stdin", io.StringIO("q\n\n"))
    monkeypatch.setattr("runbook.cli.commands.drill._canary", lambda *_: pytest.fail("nobody allowed it"))
    text = (here / "ours.md").read_text("utf-8")
    (here / "ours.md").write_text(text.replace(WHERE, ""), "utf-8")
    (here / "environments.yaml").write_text(INVENTORY, "utf-8")
    assert command("drill", "ours.md#failover", *ENDS, "--no-terminal", "--by", "ada", "--deadline", "1s").code == 1


def test_a_drill_of_one_environment_has_its_canary_and_words_of_its_own(
    command: Command, watched: Watched, monkeypatch: pytest.MonkeyPatch
):
    text = Path("ours.md").read_text("utf-8").replace("loses: source", "loses: broker")
    Path("ours.md").write_text(text, "utf-8")
    asked: list[tuple[str, str]] = []
    monkeypatch.setattr("runbook.cli.commands.drill._canary", lambda _, *ends: asked.append(ends) or watched)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    words = ("--allow-canary", "--no-terminal", "--by", "ada", "--record", "d.jsonl")
    ended = command("drill", "ours.md#failover", "--env", "eu", *words)
    assert ended.code == 0
    assert asked == [("", "eu")]
    for output in (ended.out, command("procedure", "show", "d.jsonl").out):
        assert "RPO RECORDS: of 900 acknowledged records, 7 can't be read" in output
        assert "beware: it was windy" in output
    assert "it moves" in ended.out


def test_the_consent_of_an_environment_is_that_of_no_link_and_the_other_way_round():
    both = (
        "environments: {eu: {kafka: {client.id: b}, canary: {rate: 7}}, us: {kafka: {client.id: d}}}\n"
        "mirrors: [{from: eu, to: us}]\n"
    )
    inventory = parse_inventory(both, "e.yaml", dt.date(2026, 11, 22))
    assert isinstance(drill._canary(inventory, "", "eu"), SingleClusterCanary)
    for ends, name in ((("eu", "us"), "eu→us"), (("", "us"), "us")):
        with pytest.raises(UsageError, match=f"does not allow one (in|on) {name}"):
            drill._canary(inventory, *ends)


def test_the_canary_moves_with_the_step_that_says_so_and_its_figures_are_kept_and_shown(
    command: Command, watched: Watched, monkeypatch: pytest.MonkeyPatch
):
    ended = fly(command, monkeypatch, "\n")
    assert ended.code == 0
    assert watched.events == ["begin", "switch", "measure"]
    assert [measurement.rpo_records for measurement in measured()] == [7]
    for text in (ended.out, command("procedure", "show", "d.jsonl").out):
        assert "RPO RECORDS: of 900 records acknowledged at the source, the target lacks 7" in text
        assert "RTO READ: unknown: nobody read" in text
        assert "left behind: t at eu" in text


def test_a_step_that_is_skipped_moves_nothing(command: Command, watched: Watched, monkeypatch: pytest.MonkeyPatch):
    assert fly(command, monkeypatch, "s\nnot to be done today\n").code == 1
    assert watched.events == ["begin", "measure"]


def test_a_pause_ends_the_canary_and_the_figures_with_it(
    command: Command, watched: Watched, monkeypatch: pytest.MonkeyPatch
):
    assert fly(command, monkeypatch, "p\n").code == 3
    assert watched.events == ["begin", "abandon: the drill was paused, which ends the canary"]
    assert [measurement.rpo_records for measurement in measured()] == [None]


def test_given_up_it_tells_what_it_knows(command: Command, watched: Watched, monkeypatch: pytest.MonkeyPatch):
    assert fly(command, monkeypatch, "q\nenough\n").code == 1
    assert watched.events == ["begin", "measure"]


def test_a_canary_that_can_not_fly_ends_the_drill_before_it_begins(
    command: Command, watched: Watched, monkeypatch: pytest.MonkeyPatch
):
    watched.why = "the canary can't write at eu: it needs Create"
    ended = fly(command, monkeypatch, "\n")
    assert ended.code == 2
    assert "or drill without --allow-canary" in ended.err
    assert not Path("d.jsonl").exists()
