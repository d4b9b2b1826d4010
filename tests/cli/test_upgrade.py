"""`runbook upgrade`: against the record that `init` wrote, as an older version of the tool could have left it."""

import json
from pathlib import Path
from typing import Any

import pytest

CHECK = "topic-survives-one-broker"


@pytest.fixture
def older(knowledge: Path) -> Path:
    """A record in which one check has another name, one is judged otherwise, and one has another default."""
    file = knowledge / "runbook.lock"
    record = json.loads(file.read_text("utf-8"))
    ha = record["runbooks"]["ha"]
    ha["version"] = "1.0.0"
    ha["checks"]["topics-live"] = ha["checks"].pop("topics-have-three-copies")
    ha["checks"]["every-broker-answers"]["digest"] = "another"
    ha["checks"][CHECK]["params"]["spare"]["default"] = 0
    file.write_text(json.dumps(record), "utf-8")
    return file


@pytest.mark.usefixtures("knowledge")
def test_nothing_is_told_right_after_init(command: Any) -> None:
    done = command("upgrade")
    assert done.code == 0
    assert done.out.startswith("no built-in check differs from what was accepted with ")


def test_what_changed_is_told_and_recorded_only_on_request(command: Any, older: Path) -> None:
    before = older.read_bytes()
    done = command("upgrade")
    assert done.code == 0
    assert "ha 1.0.0 -> 1." in done.out
    assert ": 3 checks differ" in done.out
    for line in (
        "  > medium   ha/topics-live is called ha/topics-have-three-copies now",
        "  ~ high     ha/every-broker-answers\n      it is judged otherwise",
        f"  ~ high     ha/{CHECK}\n      parameter spare is 1 by default, and was 0",
    ):
        assert line in done.out
    assert older.read_bytes() == before
    done = command("upgrade", "--accept")
    assert (done.code, done.out.splitlines()[-1].partition(" in ")[0]) == (0, "accepted, and recorded")
    assert command("upgrade").out.startswith("no built-in check differs")


@pytest.mark.usefixtures("older")
def test_what_has_to_be_mended_comes_first_and_is_not_accepted(command: Any) -> None:
    text = "environments:\n  prod:\n    params: {ha/topics-live: {}, ha/" + CHECK + ": {spare: 2, most: 3}}\n"
    waiver = "    waivers: [{check: ha/topics-live, owner: us, reason: ten letters, expires: '2026-12-01'}]\n"
    Path("environments.yaml").write_text(text + waiver, "utf-8")
    done = command("upgrade", "--accept")
    assert done.code == 1, done.out + done.err
    assert done.out.startswith("To mend:\n  params of prod: ha/topics-live")
    assert "there is no parameter most any more: take most out" in done.out
    assert (
        "waiver of prod until 2026-12-01: ha/topics-live\n      there is no such check any more: write ha/topics-h"
        in done.out
    )
    assert "To look at:" in done.out
    assert "spare is 2 there, and parameter spare is 1 by default, and was 0" in done.out
    assert done.err == "nothing was recorded: first fix what is listed above\n"
    again = command("upgrade")
    assert "ha/topics-live" in again.out  # nothing was recorded
    assert again.err == ""


@pytest.mark.usefixtures("older")
def test_programs_are_told_the_same(command: Any) -> None:
    document = json.loads(command("upgrade", "-o", "json").out)
    assert [change["kind"] for change in document["changes"]] == ["changed", "changed", "renamed"]
    assert document["accepted_runbooks"]["ha"] == "1.0.0"
    assert document["yours"] == []
    assert command("upgrade", "-o", "yaml").code == 2


def test_without_a_record_it_says_how_to_begin_one(command: Any, knowledge: Path) -> None:
    (knowledge / "runbook.lock").unlink()
    done = command("upgrade")
    assert done.code == 4
    assert "nothing was accepted yet: runbook upgrade --accept" in done.out
    assert command("upgrade", "--accept").code == 0
    assert (knowledge / "runbook.lock").is_file()


@pytest.mark.usefixtures("here")
def test_outside_of_a_knowledge_base_it_says_what_is_missing(command: Any) -> None:
    done = command("upgrade")
    assert done.code == 2
    assert "there is no runbook.yaml here" in done.err


def test_runbooks_that_a_project_extends_are_compared_as_built_in(command: Any, knowledge: Path) -> None:
    (knowledge / "runbooks" / "ha.md").write_text(
        "---\ntitle: Ours\nextends: ha\nversion: 0.1.0\n"
        'changes: [{version: 0.1.0, date: "2026-11-24", note: Ours}]\n---\n'
        f"```yaml {{.amend}}\nid: {CHECK}\nseverity: medium\n```\n",
        "utf-8",
    )
    done = command("upgrade")
    assert (done.code, done.out.startswith("no built-in check differs")) == (0, True)


BY_PLACE = """---
title: Ours
version: 0.1.0
changes: [{version: 0.1.0, date: "2026-11-24", note: Ours}]
---

```yaml {.check}
id: topics-are-held
title: Topics are held
severity: low
facts: {topic: {probe: kafka_topic}, moved: {probe: kafka_reassignment}}
views: {move: {view: topic_move, of: [topic, moved]}}   # as it was
expect: {each: move, that: "!move.moving"}
```
"""


def test_runbooks_that_bind_inputs_by_place_are_rewritten_before_anything_is_compared(
    command: Any, knowledge: Path
) -> None:
    file = knowledge / "runbooks" / "ours.md"
    file.write_text(BY_PLACE, "utf-8")
    done = command("upgrade")
    assert done.code == 0, done.out + done.err
    assert done.out.startswith("Rewritten, as this version reads it.")
    assert "runbooks/ours.md:12:38: of: {topic: topic, moved: moved}\n\nno built-in check differs" in done.out
    assert file.read_text("utf-8") == BY_PLACE.replace("[topic, moved]", "{topic: topic, moved: moved}")
    assert "Rewritten" not in command("upgrade").out


def test_a_field_that_blocks_have_no_more_is_taken_out_as_lint_says(command: Any, knowledge: Path) -> None:
    file = knowledge / "runbooks" / "ours.md"
    plain = BY_PLACE.replace("[topic, moved]", "{topic: topic, moved: moved}")
    file.write_text(plain.replace("severity: low", "severity: low\ncovers: [s-1, s-2]"), "utf-8")
    told = command("lint", "runbooks/ours.md")
    assert told.code == 2
    assert 'unknown field "covers" in check\n    there is no such field any more: runbook upgrade FILE' in told.out
    assert "  runbooks/ours.md:11:1: covers: taken out\n" in command("upgrade").out
    assert file.read_text("utf-8") == plain
    file.write_text(plain.replace("severity: low", "severity: low\ncovers: []"), "utf-8")
    document = json.loads(command("upgrade", "-o", "json").out)
    assert document["rewritten"] == [{"file": "runbooks/ours.md", "line": 11, "dropped": "covers"}]


def test_what_can_not_be_rewritten_is_to_be_mended(command: Any, knowledge: Path) -> None:
    file = knowledge / "runbooks" / "ours.md"
    file.write_text(BY_PLACE.replace("moved]", "moved, more]"), "utf-8")
    done = command("upgrade", "--accept")
    assert done.code == 1
    assert done.out.startswith(
        "To mend:\n  runbooks/ours.md, line 12: inputs of a view\n      topic_move takes 2 facts,"
    )
    document = json.loads(command("upgrade", "-o", "json").out)
    assert (document["rewritten"], len(document["yours"])) == ([], 1)


def test_named_files_are_rewritten_without_a_knowledge_base(command: Any, here: Path) -> None:
    file = here / "ours.md"
    file.write_text(BY_PLACE, "utf-8")
    document = json.loads(command("upgrade", "ours.md", "-o", "json").out)
    assert document["rewritten"] == [{"file": "ours.md", "line": 12, "of": {"topic": "topic", "moved": "moved"}}]
    assert command("upgrade", "ours.md").out == "nothing had to be rewritten\n"
    assert command("upgrade", "none.md").code == 2
