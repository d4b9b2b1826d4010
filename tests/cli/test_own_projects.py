"""A project's own runbooks and inventory: a mistake is told with its place, and what is right stays in use."""

import json
from pathlib import Path
from typing import Any

import pytest

HEALTHY = str(Path(__file__).parents[1] / "cases" / "ha" / "healthy.json")


@pytest.fixture
def misspelt(knowledge: Path) -> Path:
    """A knowledge base with two runbooks, one of which has a misspelt field."""
    own = knowledge.joinpath("runbooks", "first.md").read_text("utf-8")
    second = own.replace("enough-brokers", "plenty-brokers").replace("\nseverity:", "\nsevrity:")
    knowledge.joinpath("runbooks", "second.md").write_text(second, "utf-8")
    settings = knowledge / "runbook.yaml"
    settings.write_text(settings.read_text("utf-8").replace("builtin: true", "builtin: [gc]"), "utf-8")
    return knowledge


MISTAKE = 'unknown field "sevrity" in check'


@pytest.mark.usefixtures("misspelt")
def test_a_typo_in_one_own_runbook_leaves_the_others_in_use(command: Any) -> None:
    found = command("find", "brokers")
    assert found.code == 0
    assert "first#enough-brokers" in found.out
    listed = command("list", "--all")
    assert listed.code == 2
    assert "first/enough-brokers" in listed.out
    tried = command("test")
    assert (tried.code, tried.out[:13]) == (2, "4 cases right")
    for done in (found, listed, tried):
        assert "runbooks/second.md:" in done.err
        assert MISTAKE in done.err
        assert "did you mean severity?" in done.err
    assert command("find", "zzzzzz").code == 2  # it may stand in the runbook that can't be read
    assert command("check", "second", "--from", HEALTHY).code == 2


def test_a_run_judges_the_other_runbooks_and_says_which_is_left_out(command: Any, misspelt: Path) -> None:
    done = command("check", "--from", HEALTHY, "--only", "first/enough-brokers", "-f", "json")
    said = json.loads(done.out)
    assert [(result["check"], result["outcome"]) for result in said["results"]] == [("first/enough-brokers", "pass")]
    assert "runbooks/second.md has mistakes, and none of its checks is judged: runbook lint runbooks/second.md" in str(
        said
    )
    assert (done.code, MISTAKE in done.err) == (2, True)
    assert command("check", "first", "--from", HEALTHY).code == 0
    failing = misspelt.joinpath("runbooks", "first.md")
    failing.write_text(failing.read_text("utf-8").replace("default: 3", "default: 9"), "utf-8")
    assert command("check", "--from", HEALTHY, "--only", "first/enough-brokers").code == 1


def test_a_check_that_can_not_be_compiled_takes_its_runbook_alone(command: Any, misspelt: Path) -> None:
    second = misspelt.joinpath("runbooks", "second.md")
    second.write_text(
        second.read_text("utf-8").replace("sevrity:", "severity:").replace("  that: ", "  that: nay."), "utf-8"
    )
    done = command("check", "--from", HEALTHY, "--only", "first/enough-brokers")
    assert (done.code, "runbooks/second.md:" in done.err) == (2, True)


def test_where_no_runbook_is_left_nothing_is_judged(command: Any, misspelt: Path) -> None:
    misspelt.joinpath("runbooks", "first.md").unlink()
    settings = misspelt / "runbook.yaml"
    settings.write_text(settings.read_text("utf-8").replace("builtin: [gc]", "builtin: []"), "utf-8")
    done = command("check", "--from", HEALTHY)
    assert (done.code, done.out, MISTAKE in done.err) == (2, "", True)


def test_every_mistake_of_an_inventory_is_told_in_one_pass(command: Any, here: Path) -> None:
    lines = [
        "environments:",
        "  dev:",
        "    absent: {kafka: nothing is asked here}",
        "    lables: {tier: dev}",
        "    params: {ha/brokers-agre: {x: 1}, ha/enough-brokers: {leest: 3}}",
        "    waivers:",
        "      - {check: ha/brokers-agre, owner: me, reason: it is being mended, expires: 2026-12-01}",
        "      - {check: ha/brokers-agree, owner: me, reason: short, expires: 2026-12-01}",
        "",
    ]
    (here / "environments.yaml").write_text("\n".join(lines), "utf-8")
    for done in (command("check", "ha"), command("lint", "ha", "-i", "environments.yaml")):
        assert done.code == 2
        said = done.out + done.err
        for place, message in (
            (4, 'unknown field "lables"'),
            (5, 'no check "ha/brokers-agre"'),
            (5, 'ha/enough-brokers has no parameter "leest"'),
            (8, "waivers.1.reason: fewer than 10 characters"),
        ):
            assert any(f"environments.yaml:{place}:" in line and message in line for line in said.splitlines()), (
                message,
                said,
            )
        assert "did you mean ha/brokers-agree?" in said


def test_a_waiver_that_names_no_check_is_a_mistake_to_lint(command: Any, here: Path) -> None:
    waiver = "{check: ha/brokers-agre, owner: me, reason: it is being mended, expires: 2026-12-01}"
    text = f"environments: {{dev: {{absent: {{kafka: it is not there}}, waivers: [{waiver}]}}}}\n"
    (here / "environments.yaml").write_text(text, "utf-8")
    done = command("lint", "ha", "-i", "environments.yaml")
    assert 'the waiver names no check: "ha/brokers-agre"\n    did you mean ha/brokers-agree?' in done.out
    assert done.code == 2


def test_a_check_that_is_named_without_its_runbook_is_found(command: Any, knowledge: Path) -> None:
    waiver = "{check: enough-brokers, owner: me, reason: it is being mended, expires: 2026-12-01}"
    text = f"environments: {{dev: {{params: {{enough-brokers: {{least: 2}}}}, waivers: [{waiver}]}}}}\n"
    (knowledge / "environments.yaml").write_text(text, "utf-8")
    said = command("lint").out
    remedy = '"enough-brokers"\n    write first/enough-brokers or ha/enough-brokers\n'
    assert f"the parameters are of no runbook: {remedy}" in said
    assert f"the waiver names no check: {remedy}" in said


@pytest.mark.parametrize("text", ["environments:\n\tdev: {}\n", "environments:\n  dev: {}\n\tprod: {}\n"])
def test_a_tab_is_called_a_tab(command: Any, here: Path, text: str) -> None:
    (here / "environments.yaml").write_text(text, "utf-8")
    done = command("env", "--offline")
    line = text[: text.index("\t")].count("\n") + 1
    assert done.err.startswith(
        f"environments.yaml:{line}:1  a tab stands where YAML takes spaces only\n    indent with"
    )
    assert done.code == 2


def test_no_cluster_is_promised_before_one_answered(command: Any, knowledge: Path) -> None:
    assert knowledge.joinpath("environments.yaml").exists()
    done = command("init", "--from", "127.0.0.1:1", "--deadline", "2s")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("--from 127.0.0.1:1: ")


def test_a_runbook_without_any_case_is_one_line(command: Any, knowledge: Path) -> None:
    from runbook.cli.commands.test import uncovered
    from runbook.run.judgement.case import Tried
    from runbook.run.judgement.case_runner import CaseTrial

    names = [f"{book}/{check}" for book in ("bare", "half", "lone") for check in ("a", "b")][:-1]
    trial = CaseTrial(tried=[Tried("half/c", "a case", "pass", "")], without=names)
    assert uncovered(trial) == [
        "no cases: bare, none of its 2 checks and causes has any",
        "no cases: half/a",
        "no cases: half/b",
        "no cases: lone/a",
    ]
    for file in knowledge.joinpath("tests", "cases", "first").glob("*.yaml"):
        file.unlink()
    assert command("test").code == 4


@pytest.mark.usefixtures("knowledge")
def test_a_projects_scorecard_stands_where_its_site_looks_for_it(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from runbook.cli.commands import scorecard

    asked: list[tuple[str, Path]] = []
    monkeypatch.setattr(scorecard, "roll_up_store", lambda store, out, *_: str(asked.append((store, out))))
    assert command("scorecard").code == 0
    assert command("scorecard", "there", "--out", "tables").code == 0
    assert asked == [("site-data/results", Path("site-data/scorecard")), ("there", Path("tables"))]


@pytest.mark.parametrize("more", [(), ("--env", "*"), ("--env", "prod")])
def test_an_inventory_without_environments_is_told_what_to_write(
    command: Any, here: Path, more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "environments.yaml").write_text("environments: {}")
    (here / "lab.yaml").write_text("environments: {lab: {}}")
    said = "environments.yaml has no environment yet; write one, as in\n    environments: {prod: "
    for running in (None, here / "lab.yaml"):
        monkeypatch.setattr("runbook.run.sources.inventories.added_inventory", lambda lab=running: lab)
        for words in (["check"], ["probe", "kafka_broker"], ["env"]):
            done = command(*words, *more)
            assert (done.code, said in done.err) == (2, True)
    assert "there is one with --inventory" in command("check", "--env", "lab").err


@pytest.mark.usefixtures("here")
def test_where_runbooks_of_ones_own_are_found_is_told_outside_of_every_project(command: Any) -> None:
    done = command("show", "pay")
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith("those of your own are found in their project's folder, or by RUNBOOK_PROJECT=DIR\n")
