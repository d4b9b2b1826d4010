"""`runbook procedure`: walking without a terminal, over a bundle's facts; how it refuses; what the record tells."""

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runbook.evidence.bundle import save_bundle
from runbook.procedure.walk_file import load
from runbook.procedure.walk_record import Done, Ended, Entry, Judged, Overruled, Paused, Resumed, Skipped
from support.evidence import record
from support.small_runbooks import FRONT
from support.small_walks import MOVE

BUNDLE = str(Path(__file__).parents[1] / "cases" / "ha" / "healthy.json")
Command = Callable[..., Any]


@pytest.fixture
def ours(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A runbook of a check that passes, one that fails, and a procedure that needs both."""
    monkeypatch.setenv("XDG_STATE_HOME", str(here / "state"))
    file = here / "ours.md"
    file.write_text(MOVE, "utf-8")
    return file


@pytest.fixture
def walk(command: Command, ours: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Walk ours.md#move with these answers."""

    def call(answers: list[str], *arguments: str, what: str = "ours.md#move") -> Any:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
        words = [what] if what else []
        return command("procedure", "walk", *words, "--from", BUNDLE, "--no-terminal", "--by", "ada", *arguments)

    assert ours.exists()
    return call


def entries(file: str | Path = "w.jsonl") -> list[Entry]:
    return load(Path(file)).entries


def test_without_a_terminal_it_refuses_and_says_what_to_do(
    command: Command, ours: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n\n\n"))
    ended = command("procedure", "walk", "ours.md#move", "--from", BUNDLE, "--record", "w.jsonl")
    assert ended.code == 2
    assert "--no-terminal" in ended.err
    assert not ours.with_name("w.jsonl").exists()


def test_a_walk_over_a_closed_gate_with_a_reason_is_completed_and_flawed(walk: Command):
    ended = walk(["", "", "o", "", "o", "the owner has agreed"], "--record", "w.jsonl")
    assert ended.code == 1
    [through] = [entry for entry in entries() if isinstance(entry, Overruled)]
    assert (through.by, through.reason, through.checks) == ("ada", "the owner has agreed", ["ours/bad"])
    assert isinstance(entries()[-1], Ended)
    assert "gone through closed (ours/bad): the owner has agreed" in ended.out
    assert load(Path("w.jsonl")).fault is None


def test_commands_are_shown_and_not_run(walk: Command):
    assert "$ rm -rf /never" in walk(["p"]).out


def test_the_gate_of_another_runbook_is_looked_at_there(walk: Command):
    walk(["p"], "--record", "w.jsonl")
    [gate] = [entry for entry in entries() if isinstance(entry, Judged)]
    assert [seen.check for seen in gate.seen] == ["ha/every-broker-answers"]
    assert gate.open
    assert gate.cluster_id
    assert gate.seen[0].evidence


def test_a_closed_gate_is_looked_at_again_on_enter(walk: Command):
    walk(["", "", "", "", "p"], "--record", "w.jsonl")
    assert [entry.open for entry in entries() if isinstance(entry, Judged) and entry.stage == "after step 2"] == [
        False
    ] * 3


def test_the_gate_after_a_skipped_step_is_looked_at(walk: Command):
    ended = walk(["s", "it was done", "s", "it was done too", "q", "enough"], "--record", "w.jsonl")
    assert ended.code == 1
    assert [entry.reason for entry in entries() if isinstance(entry, Skipped)] == ["it was done", "it was done too"]
    assert [entry.stage for entry in entries() if isinstance(entry, Judged)] == [
        "before",
        "after step 1",
        "after step 2",
    ]
    assert entries()[-1] == Ended("given up", "ada", entries()[-1].at, "enough")  # type: ignore[union-attr]
    assert "the way back: Move it back." in ended.out


def test_a_check_that_can_not_find_out_closes_its_gate(walk: Command, ours: Path):
    ours.write_text(ours.read_text("utf-8").replace("[ha/every-broker-answers]", "[dark]"), "utf-8")
    bundle = json.loads(Path(BUNDLE).read_text("utf-8"))
    bundle["kept"] = [entry for entry in bundle["kept"] if entry["ask"]["probe"] != "kafka_broker_config"]
    ours.with_name("less.json").write_text(json.dumps(bundle), "utf-8")
    ended = walk(["p"], "--from", "less.json", "--record", "w.jsonl")
    assert ended.code == 3
    assert "CLOSED" in ended.out
    assert not next(entry for entry in entries() if isinstance(entry, Judged)).open


def test_the_end_of_the_answers_pauses(walk: Command):
    ended = walk([], "--record", "w.jsonl")
    assert ended.code == 3
    assert isinstance(entries()[-1], Paused)
    assert "--resume" in ended.out


def test_a_paused_walk_goes_on_where_it_was_and_looks_again(walk: Command, ours: Path):
    assert walk(["", "p"], "--record", "w.jsonl").code == 3
    ours.parent.joinpath("elsewhere").mkdir()
    ended = walk(["", "o", "it is agreed"], "--resume", "w.jsonl", "--by", "bob", what="")
    assert ended.code == 1
    assert [entry.by for entry in entries() if isinstance(entry, Resumed)] == ["bob"]
    assert [entry.stage for entry in entries() if isinstance(entry, Judged)] == [
        *("before", "after step 1", "after step 1"),
        *("after step 2", "after"),
    ]


def test_a_walk_is_found_by_its_id(walk: Command, command: Command):
    walk(["p"])
    listed = command("procedure", "walks")
    assert listed.code == 0
    identity = listed.out.split()[0]
    assert "paused" in listed.out
    assert re.search(r"  by \S+, last at \d{4}-\d\d-\d\d \d\d:\d\d UTC\n", listed.out)
    assert walk(["q", ""], "--resume", identity, what="").code == 1
    ended = command("procedure", "walks").out
    assert "given up" in ended
    assert re.search(r"  by \S+, in \d+ seconds?\n", ended)
    assert command("procedure", "show", identity).code == 0


def test_walks_are_listed_with_what_was_gone_over(walk: Command, command: Command):
    walk(["s", "it was done by hand", "", "o", "the owner has agreed"])
    assert "  completed, 1 gate overruled, 1 step skipped  ours/move  " in command("procedure", "walks").out


def test_the_beginning_of_an_id_is_said_to_be_taken_for_it(walk: Command, command: Command):
    walk(["p"])
    identity = command("procedure", "walks").out.split()[0]
    assert f"{identity[:8]} is taken for {identity}\n" in walk(["p"], "--resume", identity[:8], what="").out
    assert "is taken for" not in walk(["p"], "--resume", identity, what="").out


def test_a_walk_that_there_is_not_is_said_before_a_terminal_is_asked_for(command: Command, ours: Path):
    ended = command("procedure", "walk", "--resume", "2025", "--from", BUNDLE)
    assert (ended.code, ours.exists()) == (2, True)
    assert "no walk 2025 in " in ended.err
    assert "to walk it: runbook procedure walk RUNBOOK#ID" in ended.err
    assert "--no-terminal" not in ended.err


@pytest.mark.parametrize("what", ["ours.md#mov", "ha#bring-broker", ""])
def test_a_procedure_that_there_is_not_is_said_before_a_terminal_is_asked_for(
    command: Command, ours: Path, monkeypatch: pytest.MonkeyPatch, what: str
):
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    ended = command("procedure", "walk", *([what] if what else []), "--from", BUNDLE)
    assert (ended.code, ours.exists()) == (2, True)
    assert ("did you mean" if what else "which procedure?") in ended.err
    assert "--no-terminal" not in ended.err


def test_no_walks_are_said_so(command: Command, ours: Path):
    assert ours.exists()
    ended = command("procedure", "walks")
    assert (ended.code, ended.out[:8]) == (4, "no walks")


@pytest.mark.parametrize(("was", "now"), [("do: Move it.", "do: Delete it."), ("title: Move it", "title: Delete it")])
def test_a_walk_does_not_go_on_through_a_changed_procedure(walk: Command, ours: Path, was: str, now: str):
    walk(["p"], "--record", "w.jsonl")
    ours.write_text(ours.read_text("utf-8").replace(was, now), "utf-8")
    ended = walk([], "--resume", "w.jsonl", what="")
    assert ended.code == 2
    assert "ours/move has changed since" in ended.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--env", "prod"], "is a walk of lab: to walk prod, begin anew"),
        (["ha#rolling-restart"], "is a walk of ours/move, not of ha#rolling-restart"),
    ],
)
def test_a_walk_goes_on_as_what_it_is(walk: Command, arguments: list[str], said: str):
    walk(["p"], "--record", "w.jsonl")
    ended = walk([], "--resume", "w.jsonl", *arguments, what="")
    assert ended.code == 2
    assert said in ended.err


def test_a_rehearsal_stays_one(walk: Command, command: Command):
    walk(["p"], "--record", "w.jsonl")
    ended = command("procedure", "walk", "--resume", "w.jsonl", "--no-terminal")
    assert ended.code == 2
    assert "is a rehearsal: --from FILE names its bundle" in ended.err
    assert "REHEARSAL" in command("procedure", "show", "w.jsonl").out


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("", "which procedure?"),
        ("list", "list is no procedure; runbook procedure list names each"),
        ("ours.md", "ours.md: which procedure? known: "),
        ("ours.md#good", "ours.md#good is no procedure: known: "),
        ("ours.md#mvoe", "did you mean move?"),
        ("ha#rolling-restrat", "did you mean rolling-restart?"),
        ("nothing#at-all", "no runbook nothing"),
    ],
)
def test_what_is_no_procedure_costs_one_sentence(walk: Command, what: str, said: str):
    ended = walk([], what=what)
    assert ended.code == 2
    assert said in ended.err
    assert ended.out == ""


def test_answers_that_are_none_are_asked_for_again(walk: Command):
    assert "'x' is none of them; ? says what each of them does" in walk(["x", "p"]).out


def test_yes_says_that_a_step_is_done(walk: Command):
    ended = walk(["y", "p"], "--record", "w.jsonl")
    assert "is none of them" not in ended.out
    assert any(isinstance(entry, Done) for entry in entries())


def test_a_question_mark_explains_what_can_be_answered_and_is_no_answer(walk: Command):
    ended = walk(["?", "s", "?", "there is no time", "p"], "--record", "w.jsonl")
    for choice in ("Enter  done: you have done it;", "s      skip: ", "Enter  back: "):
        assert ended.out.count(f"\n  {choice}") == 1
    for choice in ("p      pause: ", "q      give up: "):  # of the step, and of the reason
        assert ended.out.count(f"\n  {choice}") == 2
    assert ended.out.count("a sentence of 10 characters at least, which goes on the record") == 1
    assert [entry.reason for entry in entries() if isinstance(entry, Skipped)] == ["there is no time"]


@pytest.mark.parametrize(
    ("key", "last", "code"),
    [("p", Paused, 3), ("Pause", Paused, 3), ("q", Ended, 1)],
)
def test_a_key_that_is_typed_for_a_reason_keeps_its_meaning(walk: Command, key: str, last: type[Entry], code: int):
    assert walk(["", "", "o", key, ""], "--record", "w.jsonl").code == code
    assert not any(isinstance(entry, Overruled) for entry in entries())
    assert isinstance(entries()[-1], last)


def test_what_is_no_reason_is_refused_and_nothing_of_it_is_on_the_record(walk: Command):
    answers = ["s", "o", "agreed", "look again", "go on all the same", "?", ""]
    ended = walk(["", "", "o", *answers, "p"], "--record", "w.jsonl")
    for answer in answers[:5]:
        assert f"{answer!r} is no reason: a sentence of 10 characters at least, please" in " ".join(ended.out.split())
    assert ended.out.count("why go on? (Enter: back) > ") == len(answers)
    assert "\n  Enter  back: nothing is written down" in ended.out
    assert not any(isinstance(entry, Overruled) for entry in entries())
    assert len([entry for entry in entries() if isinstance(entry, Judged) and not entry.open]) == 1
    assert isinstance(entries()[-1], Paused)


def test_an_answer_may_be_a_word_in_place_of_its_key(walk: Command):
    ended = walk(["help", "h", "Skip", "there is no time", "pause"], "--record", "w.jsonl")
    assert ended.out.count("\n  s      skip: ") == 2
    assert "is none of them" not in ended.out
    assert [entry.reason for entry in entries() if isinstance(entry, Skipped)] == ["there is no time"]
    assert "paused" in ended.out


@pytest.mark.parametrize(("what", "expected"), [("ha#bring-a-broker-back", False), ("ha#rolling-restart", True)])
def test_a_closed_gate_does_not_advise_the_walk_that_one_is_on(walk: Command, here: Path, what: str, *, expected: bool):
    save_bundle(here / "broken.json", record.read(record.place_of("plain", "stop-broker", "during")).bundle)
    ended = walk(["", "", "", "p"], "--from", str(here / "broken.json"), what=what)
    assert "broker 2 (rack az-b" in ended.out
    assert ("runbook procedure walk ha#bring-a-broker-back" in ended.out) is expected


def test_the_record_tells_what_happened(walk: Command, command: Command):
    walk(["", "", "o", "the owner has agreed"], "--record", "w.jsonl")
    output = command("procedure", "show", "w.jsonl")
    assert output.code == 0
    for words in (
        "as it was written",
        "begun by ada, not at a terminal",
        "step 2: Move it.",
        "step 2 done, says ada",
        "gate after step 2: CLOSED, cluster",
        "FAIL  ours/bad",
        "GONE THROUGH CLOSED by ada (ours/bad): the owner has agreed",
        "completed by ada after",
    ):
        assert words in output.out.replace("\n  ", " "), words


def test_what_was_noted_is_told_with_who_and_when(walk: Command, command: Command):
    asked = walk(["n", "?", "ada decides", "p"], "--record", "w.jsonl").out
    assert "what is to be noted? (Enter: nothing is noted) > " in asked
    assert "  n      note: you write a line down" in walk(["?", "p"]).out
    [line] = [line for line in command("procedure", "show", "w.jsonl").out.splitlines() if "note by" in line]
    assert re.fullmatch(r"2\S+Z  note by ada at step 1: ada decides", line)


def test_the_record_tells_it_to_programs_too(walk: Command, command: Command):
    walk(["p"], "--record", "w.jsonl")
    document = json.loads(command("procedure", "show", "w.jsonl", "--format", "json").out)
    assert document["as_written"] is True
    assert document["state"] == "paused"
    assert [entry["kind"] for entry in document["entries"]] == ["begun", "judged", "shown", "paused"]


def test_a_record_that_was_changed_is_told_as_such(walk: Command, command: Command):
    walk(["", "", "o", "the owner has agreed"], "--record", "w.jsonl")
    file = Path("w.jsonl")
    file.write_text(file.read_text("utf-8").replace("the owner has agreed", "everything was well"), "utf-8")
    output = command("procedure", "show", "w.jsonl")
    assert output.code == 1
    assert "NOT AS IT WAS WRITTEN" in output.out


def test_procedures_are_listed_with_their_size(command: Command, ours: Path):
    output = command("procedure", "list", str(ours))
    assert output.code == 0
    assert "#move  Move it (2 steps, 4 gates)" in output.out
    ours.write_text(FRONT, "utf-8")
    assert command("procedure", "list", str(ours)).code == 4


def test_a_procedure_of_a_project_is_listed_by_the_name_that_finds_it(command: Command, knowledge: Path):
    (knowledge / "runbooks/ours.md").write_text(MOVE, "utf-8")
    assert "  ours#move  Move it (2 steps, 4 gates)" in command("procedure", "list", "ours").out
    assert command("show", "ours#move").code == 0
