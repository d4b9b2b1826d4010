"""Blocks that are none, links that lead nowhere, and names in prose."""

from pathlib import Path
from typing import Any

import pytest

from support.own_runbook import block, change


@pytest.mark.parametrize("info", ["yaml .check", "yaml check", "yaml {#check}", "check", "{#check}"])
def test_a_fence_of_another_class_is_told_as_one_without(command: Any, first: Path, info: str):
    change(first, "```yaml {.check}", f"```{info}")
    ended = command("lint")
    assert ended.code == 2
    assert "this reads like a check and is prose" in ended.out


def test_an_amendment_without_its_class_is_told(command: Any, first: Path):
    changes = "[{version: 0.1.0, date: '2026-11-26', note: First}]"
    extending = f"---\ntitle: Ours\nversion: 0.1.0\nextends: ha\nchanges: {changes}\n---\n\n"
    amendment = "```yaml\nid: topics-have-three-copies\nparams: {least: {default: 4}}\n```\n"
    first.with_name("ha.md").write_text(extending + amendment)
    ended = command("lint", str(first.with_name("ha.md")))
    assert "this reads like an amend and is prose" in ended.out
    assert "write ```yaml {.amend}" in ended.out


@pytest.mark.parametrize(
    ("link", "dead"),
    [
        ("nowhere.md", 1),
        ("pictures/a.png#b", 1),
        ("ha.md#topics-have-three-copies", 0),
        ("first.md", 0),
        ("ha.md#is-anything-broken-now", 0),
        ("ha.md#a-broker-does-not-answer-2", 0),
        ("ha.md#nowhere", 1),
        ("first.md#enough-brokers", 0),
        ("#enough-brokers", 0),
        ("#written-beneath", 0),
        ("#nowhere", 1),
        ("https://example.org/nowhere.md", 0),
        ("mailto:a@example.org", 0),
    ],
)
def test_a_link_in_prose_that_leads_nowhere_is_told(command: Any, first: Path, link: str, dead: int):
    first.write_text(f"{first.read_text()}\n## Written *beneath*\n\nSee [there]({link}).\n")
    assert command("lint").out.count(" leads nowhere") == dead


IN_A_STEP = """id: wait
title: Wait
steps:
  - do: Wait.
    why: See [there](#nowhere).
    effort: As [here](nowhere.md) and [that](#enough-brokers).
"""


def test_links_of_a_step_that_lead_nowhere_are_told(command: Any, first: Path):
    first.write_text(first.read_text() + f"\n```yaml {{.procedure}}\n{IN_A_STEP}```\n")
    assert command("lint").out.count(" leads nowhere") == 2


IN_BLOCKS = """id: a-symptom
title: Something is wrong
symptom: It is, as [there](#nowhere) or [here](#enough-brokers).
causes:
  - cause: A broker is gone
    look: At [this](nowhere.md).
    checks: [enough-brokers]
    remedy: |
      One line, then

      [another](ha.md#nowhere).
sources:
  - "[a page](https://example.org/nowhere.md), [another](pictures/a.png)"
"""


def test_a_link_in_a_block_that_leads_nowhere_is_told_at_its_line(command: Any, first: Path):
    change(first, "as long as the others stay up.", "as long as [the others](#others) stay up.")
    first.write_text(first.read_text() + block("diagnostic", IN_BLOCKS))
    lines = first.read_text().splitlines()
    dead = [line for line in command("lint").out.splitlines() if "leads nowhere" in line]
    assert len(dead) == 5
    for line in dead:
        target = line.partition('the link to "')[2].partition('"')[0]
        assert target in lines[int(line.split(":")[1]) - 1]


@pytest.mark.parametrize(
    ("named", "lost"),
    [("restart", 1), ("ha#rolling-restart", 0), ("enough-brokers", 0), ("ha#restart", 0)],
)
def test_a_procedure_that_is_not_there_is_told(command: Any, first: Path, named: str, lost: int):
    change(first, "as long as the others stay up.", f"as long as the others stay up (procedure `{named}`).")
    out = command("lint").out
    assert out.count("there is no procedure") == lost
    assert out.count("leads nowhere") == (named == "ha#restart")


def test_brackets_of_a_command_are_no_link(command: Any, first: Path):
    change(first, "audit: kafka", "audit: grep -E '[a-z](topic|reason)' log; kafka")
    assert "leads nowhere" not in command("lint").out


def test_a_place_that_a_link_may_have_meant_is_told(command: Any, first: Path):
    first.write_text(f"{first.read_text()}\nSee [above](#enough-broker) and [there](ha.md#every-broker-answer).\n")
    out = command("lint").out
    assert 'the link to "#enough-broker" leads nowhere\n    did you mean enough-brokers?' in out
    assert 'the link to "ha.md#every-broker-answer" leads nowhere\n    did you mean every-broker-answers' in out
    assert "runbook show ha names all " in out


def test_a_fence_that_only_reads_like_a_block_is_told(command: Any, first: Path):
    change(first, "```yaml {.check}", "```yaml")
    ended = command("lint")
    assert ended.code == 2
    warning = "this reads like a check and is prose: nothing executes it\n    write ```yaml {.check} in its first line"
    assert warning in ended.out
    [line] = [i for i, line in enumerate(first.read_text().splitlines(), 1) if line == "```yaml"]
    assert f"runbooks/first.md:{line}:1  this reads" in ended.out
    assert "1 runbook, 0 checks: 1 problem\n" in ended.err


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata: {name: orders}\nspec: {}\n",
        "title: of a page\nid: it\nname: other\n",
    ],
)
def test_other_yaml_is_prose(command: Any, first: Path, text: str):
    first.write_text(f"{first.read_text()}\n```yaml\n{text}```\n")
    assert command("lint").code == 0


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("runbook procedure walk ha#rolling-restrat", "ha#rolling-restrat"),
        ("runbook show hq#rolling-restart", "hq#rolling-restart"),
        ("See first#enough-broker", "first#enough-broker"),
        ("runbook check hx.md", "hx.md"),
    ],
)
def test_a_name_in_a_remedy_or_in_prose_leads_somewhere(command: Any, first: Path, words: str, named: str):
    change(first, "Start the broker that is missing;", f"Start the broker that is missing ({words});")
    assert f'"{named}" leads nowhere' in command("lint").out
    change(first, f" ({words})", "")
    change(first, "Prose explains;", f"Prose explains (`{words}`);")
    assert f'runbooks/first.md:12:{18 + words.index(named)}  "{named}" leads nowhere' in command("lint").out


@pytest.mark.parametrize(
    "words", ["ha#rolling-restart", "first#enough-brokers", "[there](ha.md#procedures)", "apache/kafka#123", "kafka#12"]
)
def test_names_that_lead_somewhere_and_what_is_no_name_are_left_alone(command: Any, first: Path, words: str):
    change(first, "Start the broker that is missing;", f"Start the broker that is missing ({words});")
    assert command("lint").out == ""


def test_a_block_that_ends_at_a_fence_within_it_is_told_by_all(command: Any, first: Path):
    example = "remedy: |\n  Set it:\n\n  ```sh\n  kafka-configs.sh --alter\n  ```\n\n  Then wait.\n"
    first.write_text(first.read_text() + block("diagnostic", example + IN_BLOCKS))
    line = first.read_text().splitlines().index("  ```") + 1
    for words in (["lint"], ["test"], ["show", "first"]):
        ended = command(*words)
        assert ended.code != 0
        assert f"runbooks/first.md:{line}:1  this fence ends the diagnostic that begins" in ended.out + ended.err


def test_a_block_within_a_fence_that_was_not_closed_is_told_as_that(command: Any, first: Path):
    change(first, "```yaml {.check}", "```\nsome words\n\n```yaml {.check}")
    out = command("lint").out
    line = first.read_text().splitlines().index("```yaml {.check}") + 1
    assert "this reads like a check and is prose" in out
    assert f"close this fence before line {line}, where the check begins" in out
