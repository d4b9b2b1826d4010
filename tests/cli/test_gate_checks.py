"""Checks for gates alone: judged by gates and by name; and what a walk fills in to the commands it shows."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runbook.procedure.walk_file import load
from runbook.procedure.walk_record import Judged
from support.small_runbooks import FRONT, check_text

BUNDLE = str(Path(__file__).parents[1] / "cases" / "ha" / "healthy.json")
Command = Callable[..., Any]
GATE = "facts: {broker: {probe: kafka_broker}}\nexpect: {each: broker, that: '!broker.fenced'}\ngate: true\n"
ALWAYS = GATE.replace("gate: true\n", "")
PROCEDURE = """```yaml {.procedure}
id: move
title: Move it
steps:
  - do: Stop it.
    command: kafka-topics.sh --bootstrap-server HOST:PORT --describe --topic TOPIC --group GROUP
    verify: [stopped]
```
"""


@pytest.fixture
def ours(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A runbook of a check for gates, one for every run, and a procedure."""
    monkeypatch.setenv("XDG_STATE_HOME", str(here / "state"))
    file = here / "ours.md"
    file.write_text(FRONT + check_text(GATE, "stopped") + check_text(ALWAYS, "good") + PROCEDURE, "utf-8")
    return file


def judged(command: Command, *words: str) -> list[str]:
    """The checks that a run judged."""
    done = command("check", "ours.md", "--from", BUNDLE, "-f", "json", *words)
    return [result["check"] for result in json.loads(done.out)["results"]]


@pytest.mark.usefixtures("ours")
def test_a_run_judges_it_only_where_it_is_named(command: Command) -> None:
    assert judged(command) == ["ours/good"]
    assert judged(command, "--only", "stopped") == ["ours/stopped"]
    assert judged(command, "--only", "ours/stopped", "--only", "good") == ["ours/stopped", "ours/good"]
    assert judged(command, "--only", "ours/*") == ["ours/good"]
    assert judged(command, "--only", "*o*,stopped") == ["ours/stopped", "ours/good"]


@pytest.mark.usefixtures("ours")
def test_it_is_no_part_of_what_a_complete_run_is_expected_to_judge(command: Command) -> None:
    command("check", "ours.md", "--from", BUNDLE, "--results", "kept")
    [file] = [path for path in Path("kept").rglob("*") if path.is_file() and "ours" in path.read_text("utf-8")]
    assert "ours/stopped" not in file.read_text("utf-8")
    assert "ours/good" in file.read_text("utf-8")


@pytest.mark.usefixtures("ours")
def test_it_is_no_part_of_what_is_expected_of_an_environment(command: Command, here: Path) -> None:
    """What is expected and never judged is missing: a cluster on which all is well would have no score."""
    environments = "environments: {prod: {kafka: {bootstrap.servers: '127.0.0.1:1'}}}\nresults: kept\n"
    (here / "environments.yaml").write_text(environments, "utf-8")
    assert command("results", "expect", "ours.md").code == 0
    [file] = [path for path in Path("kept").rglob("*") if path.is_file() and "ours" in path.read_text("utf-8")]
    assert "ours/stopped" not in file.read_text("utf-8")
    assert "ours/good" in file.read_text("utf-8")


def walk(command: Command, monkeypatch: pytest.MonkeyPatch, *words: str) -> Any:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n\n\n"))
    asked = ("ours.md#move", "--from", BUNDLE, "--no-terminal", "--by", "ada", "--record", "w.jsonl")
    return command("procedure", "walk", *asked, *words)


@pytest.mark.usefixtures("ours")
def test_a_gate_judges_it(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert walk(command, monkeypatch).code == 0
    [gate] = [entry for entry in load(Path("w.jsonl")).entries if isinstance(entry, Judged)]
    assert [(seen.check, seen.outcome) for seen in gate.seen] == [("ours/stopped", "pass")]


def test_lint_wants_a_gate_that_names_it(command: Command, ours: Path) -> None:
    assert "no gate names" not in command("lint", "ours.md").out
    ours.write_text(ours.read_text("utf-8").replace("verify: [stopped]", "verify: [good]"), "utf-8")
    assert "no gate names ours/stopped, so that nothing judges it" in command("lint", "ours.md").out


ASKS = (
    "params: {broker: {type: int, default: 0}, racks: {type: 'list[string]', default: []}}\n"
    "facts: {broker: {probe: kafka_broker}}\n"
    "expect: {all: broker, that: 'params.broker in broker.broker && params.racks.all(one, one in broker.rack)'}\n"
)


@pytest.fixture
def asking(ours: Path) -> Path:
    """The same, with a gate that asks for words; the other check has a parameter of the same name."""
    gate = check_text(ASKS + "gate: true\n", "stopped")
    ours.write_text(
        FRONT + gate + check_text(ASKS, "good") + PROCEDURE.replace("[stopped]", "[stopped, good]"), "utf-8"
    )
    return ours


def seen() -> dict[str, str]:
    [gate] = [entry for entry in load(Path("w.jsonl")).entries if isinstance(entry, Judged)][-1:]
    return {seen.check: seen.outcome for seen in gate.seen}


@pytest.mark.usefixtures("asking")
def test_a_gate_takes_the_words_of_the_walk_and_other_checks_do_not(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = walk(command, monkeypatch, "--set", "BROKER=1").out
    assert seen() == {"ours/stopped": "pass", "ours/good": "fail"}
    assert "gates ask for" not in said


@pytest.mark.usefixtures("asking")
def test_a_gate_that_was_told_nothing_stays_closed_and_the_walk_says_what_it_asks_for(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = walk(command, monkeypatch).out
    assert seen()["ours/stopped"] == "fail"
    assert "gates ask for  BROKER: begin with --set BROKER=…, or set it in the inventory" in said


def test_a_list_that_the_first_gate_asks_for_is_named_and_one_that_a_step_makes_is_not(
    command: Command, monkeypatch: pytest.MonkeyPatch, asking: Path
) -> None:
    text = asking.read_text("utf-8")
    assert "RACKS" not in walk(command, monkeypatch, "--set", "BROKER=1").out
    Path("w.jsonl").unlink()
    asking.write_text(text.replace("steps:", "before: [stopped]\nsteps:"), "utf-8")
    assert "gates ask for  RACKS: begin with --set RACKS=…" in walk(command, monkeypatch, "--set", "BROKER=1").out


@pytest.mark.usefixtures("asking")
def test_a_list_is_typed_with_commas(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    walk(command, monkeypatch, "--set", "BROKER=1", "--set", "RACKS=a, nowhere")
    assert seen()["ours/stopped"] == "fail"


@pytest.mark.usefixtures("asking")
def test_a_walk_that_goes_on_may_be_told_what_its_gate_lacked(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    walk(command, monkeypatch)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    asked = ("--from", BUNDLE, "--no-terminal", "--by", "ada", "--set", "BROKER=1")
    command("procedure", "walk", "--resume", "w.jsonl", *asked)
    assert seen()["ours/stopped"] == "pass"


@pytest.mark.usefixtures("asking")
def test_what_a_walk_was_told_when_it_went_on_is_known_whenever_it_goes_on_again(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    walk(command, monkeypatch)
    asked = ("procedure", "walk", "--resume", "w.jsonl", "--from", BUNDLE, "--no-terminal", "--by", "ada")
    for words in ((), ("--set", "BROKER=1"), (), ()):
        monkeypatch.setattr(sys, "stdin", io.StringIO("p\n"))
        command(*asked, *words)
    assert [
        seen.outcome
        for entry in load(Path("w.jsonl")).entries
        if isinstance(entry, Judged)
        for seen in entry.seen
        if seen.check == "ours/stopped"
    ][-4:] == ["fail", "pass", "pass", "pass"]


@pytest.mark.usefixtures("asking")
def test_a_word_that_is_no_value_for_a_gate_is_refused_before_anything_is_written(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = walk(command, monkeypatch, "--set", "BROKER=first")
    assert ended.code == 2
    assert "--set BROKER=first" in ended.err
    assert not Path("w.jsonl").exists()


@pytest.mark.usefixtures("ours")
def test_its_card_says_who_judges_it(command: Command) -> None:
    assert "for gates of procedures and --only" in command("show", "ours.md#stopped").out
    assert "for gates" not in command("show", "ours.md#good").out


@pytest.mark.usefixtures("ours")
def test_a_walk_fills_in_what_it_was_told_and_names_the_rest(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    said = walk(command, monkeypatch, "--set", "TOPIC=two words").out
    assert "--describe --topic 'two words' --group GROUP" in said
    assert "fill in  HOST:PORT, GROUP (or begin with --set HOST:PORT=…)" in said
    assert load(Path("w.jsonl")).begun.set == {"TOPIC": "two words"}


@pytest.mark.usefixtures("ours")
def test_a_walk_that_goes_on_remembers_what_it_was_told(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("p\n"))
    asked = ("--from", BUNDLE, "--no-terminal", "--by", "ada")
    command("procedure", "walk", "ours.md#move", *asked, "--record", "w.jsonl", "--set", "TOPIC=orders")
    monkeypatch.setattr(sys, "stdin", io.StringIO("p\n"))
    said = command("procedure", "walk", "--resume", "w.jsonl", *asked, "--set", "GROUP=billing").out
    assert "--describe --topic orders --group billing" in said


@pytest.mark.usefixtures("ours")
def test_what_no_command_has_is_refused_before_anything_is_written(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = walk(command, monkeypatch, "--set", "TOPC=orders")
    assert ended.code == 2
    assert "did you mean TOPIC" in ended.err
    assert not Path("w.jsonl").exists()
