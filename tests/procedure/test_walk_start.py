"""Beginning a walk, and going on with one, without a terminal."""

import getpass
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from runbook.model.errors import UsageError
from runbook.procedure.events import SetOut
from runbook.procedure.walk_file import load, walks_home
from runbook.procedure.walk_record import Resumed
from runbook.procedure.walk_start import WalkOptions
from support.small_walks import KEPT, MOVE, walk_by_code


@pytest.fixture
def options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WalkOptions:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    Path("ours.md").write_text(MOVE, "utf-8")
    return WalkOptions(what="ours.md#move", record=tmp_path / "w.jsonl", by="ada", bundle=KEPT)


def set_out(options: WalkOptions, *answers: str) -> SetOut:
    _, events = walk_by_code(options, *answers)
    assert isinstance(events[0], SetOut)
    return events[0]


def test_it_says_what_is_walked_where_and_by_whom(options: WalkOptions):
    first = set_out(options)
    assert (first.begun.procedure, first.begun.environment, first.begun.by) == ("ours/move", "lab", "ada")
    assert (first.begun.rehearsal, first.begun.attended, first.goes_on_at) == (True, False, "")
    assert first.place == str(options.record)


def test_one_that_goes_on_says_where_and_what_was_gone_over(options: WalkOptions):
    set_out(options, "skip", "it was done")
    again = set_out(WalkOptions(resume="w.jsonl", by="bob", bundle=KEPT))
    assert again.goes_on_at == "after step 1"
    assert [(exception.stage, exception.reason) for exception in again.exceptions] == [("step 1", "it was done")]
    assert [entry.by for entry in load(Path("w.jsonl")).entries if isinstance(entry, Resumed)] == ["bob"]


def test_who_walks_is_the_login_unless_it_is_said(options: WalkOptions, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(getpass, "getuser", lambda: "eve")
    assert set_out(replace(options, by=" ")).begun.by == "eve"


def test_a_login_without_a_name_is_asked_for_one(options: WalkOptions, monkeypatch: pytest.MonkeyPatch):
    def nameless() -> str:
        raise KeyError

    monkeypatch.setattr(getpass, "getuser", nameless)
    with pytest.raises(UsageError, match="say who walks with --by NAME"):
        walk_by_code(replace(options, by=""))


def test_a_record_is_where_it_is_named_or_the_users(options: WalkOptions, tmp_path: Path):
    assert Path(set_out(replace(options, record=tmp_path / "here")).place).parent == tmp_path / "here"
    assert Path(set_out(replace(options, record=None)).place).parent == walks_home()


def test_an_environment_that_is_gone_is_said_and_the_record_stays_as_it_was(options: WalkOptions):
    set_out(options)
    before = Path("w.jsonl").read_bytes()
    bundle = json.loads(KEPT.read_text("utf-8"))
    bundle["environments"] = {"other": bundle["environments"]["lab"]}
    bundle["connections"] = {"other": bundle["connections"]["lab"]}
    bundle |= {"kept": [], "selected": ["other"]}
    Path("other.json").write_text(json.dumps(bundle), "utf-8")
    with pytest.raises(UsageError, match=r"no environment lab in other\.json"):
        walk_by_code(WalkOptions(resume="w.jsonl", by="ada", bundle=Path("other.json")))
    assert Path("w.jsonl").read_bytes() == before


def test_words_go_to_gates_of_another_runbook_too(options: WalkOptions):
    other = replace(options, what="topologies#add-a-third-place", set=["CONTROLLER=5"])
    assert set_out(other, "give up", "enough").begun.set == {"CONTROLLER": "5"}
    with pytest.raises(UsageError, match="no command of add-a-third-place has it"):
        walk_by_code(replace(other, set=["BROKERS=1,2"]))
