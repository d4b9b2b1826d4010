"""`runbook drill`, and walks from one environment to another: which gate looks where, and what the record keeps."""

import io
import json
import sys
from pathlib import Path

import pytest

from runbook.procedure.walk_file import load, walks_home
from runbook.procedure.walk_record import Begun, Paused
from support.drilled import ENDS, Command, drop, judged


def test_a_drill_is_walked_and_its_record_says_what_it_was(run: Command):
    ended = run([""], "drill", "ours.md#failover", *ENDS, "--record", "d.jsonl")
    assert ended.code == 0
    assert "eu → us · drill · REHEARSAL" in ended.out
    assert "with this step producers move to the target" in ended.out
    begun = load(Path("d.jsonl")).begun
    assert (begun.source, begun.target, begun.environment, begun.drill, begun.rehearsal) == (
        "eu",
        "us",
        "us",
        True,
        True,
    )


def test_a_gate_looks_at_the_target_at_the_one_link_and_where_it_says(run: Command):
    run([""], "drill", "ours.md#failover", *ENDS, "--record", "d.jsonl")
    before, after = judged(Path("d.jsonl"))
    assert [(seen.check, seen.subject, seen.at) for seen in before.seen] == [
        ("ours/answers", "us", ""),
        ("ours/linked", "eu→us", ""),
        ("ours/answers", "eu", "source"),
    ]
    assert [seen.subject for seen in after.seen] == ["us"]


def test_a_dark_source_closes_only_what_needs_it(run: Command, kept: Path):
    drop(kept, "eu")
    run(["o", "the source is gone", "", "p"], "drill", "ours.md#failover", *ENDS, "--record", "d.jsonl")
    before, after = judged(Path("d.jsonl"))
    assert [seen.outcome.value for seen in before.seen] == ["pass", "unknown", "unknown"]
    assert after.open


def test_a_mirror_that_was_taken_out_of_the_inventory_meanwhile_opens_no_gate(run: Command, kept: Path):
    bundle = kept.read_text("utf-8")
    drop(kept, "eu")
    run(["p"], "drill", "ours.md#failover", *ENDS, "--record", "d.jsonl")
    kept.write_text(json.dumps(json.loads(bundle) | {"mirrors": []}), "utf-8")
    ended = run(["p"], "drill", "--resume", "d.jsonl")
    *_, looked = judged(Path("d.jsonl"))
    assert not looked.open
    assert [(seen.check, seen.outcome.value) for seen in looked.seen] == [
        ("ours/answers", "pass"),
        ("ours/linked", "unknown"),
        ("ours/answers", "pass"),
    ]
    assert "the inventory does not name the mirror from eu to us, which this is about" in " ".join(ended.out.split())


def test_the_other_environment_is_looked_at_under_its_own_name(run: Command, kept: Path):
    drop(kept, "eu")
    output = run(["p"], "drill", "ours.md#failover", *ENDS).out
    assert "UNKNOWN ours/answers [eu]" in " ".join(output.split())


def test_a_walk_from_one_to_another_is_no_drill(run: Command):
    ended = run([""], "procedure", "walk", "ours.md#failover", *ENDS, "--record", "w.jsonl")
    assert ended.code == 0
    assert "drill" not in ended.out
    assert load(Path("w.jsonl")).begun.drill is False


def test_a_procedure_that_needs_two_is_not_walked_with_one(run: Command):
    ended = run([], "procedure", "walk", "ours.md#failover", "--env", "eu")
    assert ended.code == 2
    assert "--env SOURCE --to TARGET" in ended.err
    assert ended.err.strip().endswith("kept.json: --env eu --to us")


def test_two_environments_without_a_link_are_refused_with_what_to_add(run: Command):
    ended = run([], "drill", "ours.md#failover", "--env", "us", "--to", "eu")
    assert ended.code == 2
    assert "- {from: us, to: eu}" in ended.err


def test_a_drill_of_one_environment_is_about_that_one(run: Command, here: Path):
    text = (here / "ours.md").read_text("utf-8").replace("loses: source", "loses: broker")
    (here / "ours.md").write_text(text.replace(", {check: answers, at: source}", ""), "utf-8")
    run(["o", "there are two links", ""], "drill", "ours.md#failover", "--env", "us", "--record", "d.jsonl")
    begun = load(Path("d.jsonl")).begun
    assert (begun.source, begun.target) == ("", "us")


def test_a_drill_goes_on_where_it_was_paused(run: Command):
    assert run(["p"], "drill", "ours.md#failover", *ENDS, "--record", "d.jsonl").code == 3
    assert "is a walk of us: to walk asia, begin anew" in run([], "drill", "--resume", "d.jsonl", "--to", "asia").err
    ended = run([""], "drill", "--resume", "d.jsonl")
    assert ended.code == 0
    entries = load(Path("d.jsonl")).entries
    assert isinstance(entries[0], Begun)
    assert [entry for entry in entries if isinstance(entry, Paused)]


def test_records_are_listed_with_the_link(run: Command, command: Command):
    run([""], "drill", "ours.md#failover", *ENDS)
    assert list(walks_home().iterdir())
    assert "eu → us · drill" in command("procedure", "walks").out


def test_the_record_goes_where_the_inventory_looks_for_drills(
    command: Command, kept: Path, here: Path, monkeypatch: pytest.MonkeyPatch
):
    assert kept.exists()
    monkeypatch.setattr(sys, "stdin", io.StringIO("q\n\n"))
    (here / "environments.yaml").write_text(
        "mirrors: [{from: eu, to: us}]\n"
        f"environments: {{eu: {{}}, us: {{records: {{drills: {here / 'drills'}}}}}}}\n",
        "utf-8",
    )
    command("drill", "ours.md#failover", *ENDS, "--no-terminal", "--by", "ada", "--deadline", "1s")
    assert [load(file).begun.drill for file in (here / "drills").iterdir()] == [True]


def test_mistakes_in_a_gate_are_told_with_their_place(command: Command, kept: Path, here: Path):
    assert kept.exists()
    text = (here / "ours.md").read_text("utf-8")
    text = text.replace("[answers, linked, {check: answers, at: source}]", "[{check: linked, at: source}]")
    text = text.replace(
        "    verify: [answers]", "    verify: [{check: anwers, at: target}]\n  - {do: Again., switch: writers}"
    )
    (here / "ours.md").write_text(text, "utf-8")
    output = command("lint", "ours.md").out
    assert '"linked" is over: link, so it has no at: in ours/failover' in output
    assert 'no check "anwers" in ours/failover' in output
    assert "producers move twice in ours/failover" in output


def test_a_place_that_is_none_is_told_with_what_may_stand_there(command: Command, kept: Path, here: Path):
    assert kept.exists()
    text = (here / "ours.md").read_text("utf-8").replace("at: source", "at: primary")
    (here / "ours.md").write_text(text, "utf-8")
    ended = command("lint", "ours.md")
    assert "before.2.at: 'primary'" in ended.out
    assert "known: source, target" in ended.out
