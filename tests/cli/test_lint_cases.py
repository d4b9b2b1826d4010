"""Checks and causes have cases that prove what they can come to, and the cases have no mistakes."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from support.own_runbook import block, change
from support.small_runbooks import FRONT, check_text


def test_a_check_without_cases_is_a_mistake(command: Any, cases: Path):
    cases.unlink()
    ended = command("lint", "runbooks/first.md")
    assert ended.code == 2
    assert "nothing proves that first/enough-brokers can fail: it has no cases" in ended.out
    assert "write tests/cases/first/enough-brokers.yaml" in ended.out


def test_a_check_without_a_failing_case_is_a_mistake(command: Any, cases: Path):
    change(cases, "expect: fail", "expect: pass")
    ended = command("lint", "runbooks/first.md")
    assert "tests/cases/first/enough-brokers.yaml:1:1  nothing proves that first/enough-brokers can fail" in ended.out


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("expect: unknown", "expect: maybe", "'maybe'"),
        ("answers: false", "answer: false", 'no column "answer"'),
        ("answers: false", "answers: 7", "answers: 7 is not of type bool"),
        ("      broker: {rows: []", "      brokers: {rows: []", 'has no fact "brokers"'),
        ("cases:", "base: nowhere.json\ncases:", "nowhere.json can't be read"),
    ],
)
def test_mistakes_in_case_files_are_told_with_their_place(command: Any, cases: Path, old: str, new: str, said: str):
    change(cases, old, new)
    ended = command("lint", "runbooks/first.md")
    assert ended.code == 2
    assert said in ended.out
    assert all(line[0] == " " or line.startswith("tests/cases/first/") for line in ended.out.splitlines())


def test_the_cases_of_a_block_without_an_id_are_nobodys_mistake(command: Any, first: Path):
    text = first.read_text("utf-8")
    first.write_text(text.replace("id: enough-brokers\n", ""), "utf-8")
    output = command("lint", "runbooks/first.md").out
    assert "enough-brokers" not in output
    assert "xxx" not in output


def test_a_case_file_of_no_check_is_a_mistake(command: Any, cases: Path):
    cases.with_name("enough-broker.yaml").write_text(cases.read_text())
    ended = command("lint", "runbooks/first.md")
    assert 'enough-broker.yaml:1:1  first has no check or cause "enough-broker"' in ended.out


CAUSE = """id: broker-is-gone
title: A broker is gone
facts: {broker: {probe: kafka_broker}}
holds: {each: broker, that: broker.answers == false, by: [broker]}
says: "broker {broker.broker} does not answer"
first: start it
undone: {recovery: broker_back_in_service, with: {brokers: broker.broker}}
sources: [made for tests]
"""

BROKER = "facts: {broker: {rows: [{broker: 2, answers: %s}]}}"
HOLDS = f"  - {{name: gone, expect: holds, {BROKER % 'false'}}}\n"
DOES_NOT = f"  - {{name: there, expect: does_not_hold, {BROKER % 'true'}}}\n"
UNKNOWN = f"  - {{name: nobody knows, expect: unknown, {BROKER % 'null'}}}\n"


@pytest.fixture
def gone(first: Path, cases: Path):
    first.write_text(first.read_text() + block("cause", CAUSE))
    return cases.with_name("broker-is-gone.yaml")


def test_a_cause_without_cases_is_a_mistake(command: Any, gone: Path):
    ended = command("lint", "runbooks/first.md")
    assert not gone.exists()
    assert "nothing proves that first/broker-is-gone can hold: it has no cases" in ended.out
    wanted = "expect: holds and one of expect: does_not_hold and one of expect: unknown"
    assert f"write tests/cases/first/broker-is-gone.yaml with a case of {wanted}" in ended.out


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        (HOLDS + DOES_NOT, ["be unknown: no case has expect: unknown"]),
        (HOLDS + UNKNOWN, ["not hold: no case has expect: does_not_hold"]),
        (DOES_NOT, ["hold: no case has expect: holds", "be unknown: no case has expect: unknown"]),
        (HOLDS + DOES_NOT + UNKNOWN, []),
    ],
)
def test_of_a_cause_there_is_a_case_of_each_kind(command: Any, gone: Path, text: str, lacks: list[str]):
    gone.write_text(f"cases:\n{text}")
    ended = command("lint", "runbooks/first.md")
    said = [line.partition(" can ")[2] for line in ended.out.splitlines() if "nothing proves" in line]
    assert said == lacks
    assert ended.code == (2 if lacks else 0)


def test_cases_of_a_cause_are_tried_with_those_of_checks(command: Any, gone: Path):
    gone.write_text(f"cases:\n{HOLDS}{DOES_NOT.replace('true', 'false')}{UNKNOWN}")
    ended = command("test", "runbooks/first.md", "--only", "broker-is-gone")
    assert ended.code == 1
    assert "WRONG  first/broker-is-gone: there" in ended.out
    assert "expected does_not_hold, is holds: broker 2 does not answer" in ended.out
    assert "2 cases right, 1 wrong, 0 checks and causes without cases" in ended.out


def test_cases_that_nobody_reads_are_told(command: Any, cases: Path):
    folder = cases.parent.rename(cases.parents[1] / "frist")
    ended = command("lint")
    assert ended.code == 2
    assert 'tests/cases/frist:1:1  no runbook "frist" in runbooks, whose cases these would be\n' in ended.out
    assert "    did you mean first? known: first" in ended.out
    (folder / cases.name).rename(folder / "enough-brokers.yml")
    folder.rename(cases.parent)
    ended = command("lint", "runbooks/first.md")
    assert ended.code == 2
    assert "tests/cases/first/enough-brokers.yml:1:1  not read: names of cases end with .yaml" in ended.out
    (cases.parent / "enough-brokers.yml").rename(cases)
    (cases.parents[1] / "recorded").mkdir()
    (cases.parents[1] / "recorded" / "healthy.json").write_text("{}", "utf-8")  # what a base names may lie anywhere
    assert command("lint").code == 0


def test_what_looks_like_a_runbook_and_is_not_read_is_told(command: Any, knowledge: Path):
    runbooks = knowledge / "runbooks"
    (runbooks / "second.markdown").write_bytes((runbooks / "first.md").read_bytes())
    (runbooks / "team").mkdir()
    (runbooks / "team/third.md").write_bytes((runbooks / "first.md").read_bytes())
    (runbooks / "team/notes.md").write_text("# No front matter, so that it is none\n", "utf-8")
    ended = command("lint")
    assert ended.code == 2
    assert ended.out == (
        "runbooks/second.markdown:1:1  not read, though it looks like a runbook\n    call it second.md\n"
        "runbooks/team/third.md:1:1  not read, though it looks like a runbook\n    move it to runbooks/third.md\n"
    )
    asked = command("check", "second")
    assert asked.code == 2
    assert asked.err.startswith("no runbook or block second: runbooks/second.markdown is not read: call it second.md; ")
    assert "block third: runbooks/team/third.md is not read: move it to" in command("check", "third").err


def test_a_base_that_was_recorded_for_another_question_is_to_be_recorded_again(command: Any, knowledge: Path):
    text = FRONT + check_text("facts: {broker: {probe: jvm_memory}}\nexpect: {each: broker, that: broker.broker > 0}")
    (knowledge / "runbooks/second.md").write_text(text, "utf-8")
    cases = knowledge / "tests/cases/second"
    cases.mkdir()
    shutil.copy(Path(__file__).parents[1] / "cases/ha/healthy.json", cases / "healthy.json")
    (cases / "any.yaml").write_text(
        "base: healthy.json\ncases:\n"
        "  - {name: one, expect: fail, facts: {broker: {change: [{where: {broker: 1}, set: {broker: 0}}]}}}\n"
    )
    ended = command("test", "second")
    assert ended.code == 2
    assert (
        "no row of the base has these cells\n    healthy.json does not hold what is asked for now: record" in ended.err
    )
