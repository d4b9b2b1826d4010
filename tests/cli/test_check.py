import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runbook.model.block import OBJECTIVES, SEVERITIES

BUNDLE = str(Path(__file__).parents[1] / "cases" / "ha" / "healthy.json")
Command = Callable[..., Any]


def report(command: Command, *arguments: str) -> dict[str, Any]:
    ended = command("check", "ha", "--from", BUNDLE, "-f", "json", *arguments)
    document: dict[str, Any] = json.loads(ended.out)
    assert document["exit_code"] == ended.code
    return document


def test_a_bundle_is_judged_without_an_inventory_or_a_network(command: Command):
    document = report(command)
    assert {result["outcome"] for result in document["results"]} <= {"pass", "not_applicable", "unknown"}
    assert any(result["outcome"] == "pass" for result in document["results"])


def test_only_names_checks_with_or_without_their_runbook(command: Command):
    for word in ("enough-brokers", "ha/enough-brokers"):
        document = report(command, "--only", word)
        assert [result["check"] for result in document["results"]] == ["ha/enough-brokers"]
        assert document["run"]["complete"] is False


def test_only_takes_patterns_and_lists_as_env_does(command: Command):
    several = report(command, "--only", "brokers-ag*,ha/enough-brokers")["results"]
    assert {result["check"] for result in several} == {
        "ha/brokers-agree",
        "ha/enough-brokers",
    }


@pytest.mark.parametrize("severity", SEVERITIES)
def test_severity_leaves_milder_checks_out(command: Command, severity: str):
    found = {result["severity"] for result in report(command, "--severity", severity)["results"]}
    assert found <= set(SEVERITIES[SEVERITIES.index(severity) :])
    assert severity in found


@pytest.mark.parametrize("objective", OBJECTIVES[:2])
def test_objective_keeps_its_checks_and_those_for_all(command: Command, objective: str):
    for result in report(command, "--objective", objective)["results"]:
        assert not result["objectives"] or objective in result["objectives"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--severity", "hihg"], "--severity hihg: did you mean high?"),
        (["--severity", "critical,high"], "critical,high: one level means that one and all above: --severity high"),
        (["--severity", ">=medium"], "one level means that one and all above: --severity medium"),
        (["--severity", "critical,hihg"], "did you mean critical?"),
        (["--fail-on", "critical|medium"], "one level means that one and all above: --fail-on medium"),
        (["--objective", "durabilty"], "did you mean durability?"),
        (["--format", "jsno"], "did you mean json?"),
        (["--fail-on", "meduim"], "did you mean medium?"),
        (["--trigger", "cron"], "known: ci, incident, manual, scheduled"),
        (["--deadline", "5"], "is no duration"),
        (["--deadline", "0s"], "between 0.5 s and 1 h"),
        (["--rows", "some"], "write a number, or all"),
        (["--color", "blue"], "write auto, always or never"),
        (["--only", "enough-borkers"], "did you mean enough-brokers?"),
        (["--only", "enough-brokers,brokers-agre"], "--only brokers-agre: no such check; did you mean brokers-agree?"),
        (["--only", "disks-*"], "--only disks-*: no such check"),
        (["--only", ""], "no such check"),
        (["--only", "no-topic-is-thr*"], "is named in full: --only ha/no-topic-is-throttled"),
        (["--env", "prod"], "no environment prod"),
        (["--env", "all"], "all of them are --env '*'"),
    ],
)
def test_a_word_that_is_not_known_costs_one_sentence_with_the_remedy(command: Command, arguments: list[str], said: str):
    ended = command("check", "ha", "--from", BUNDLE, *arguments)
    assert ended.code == 2
    assert said in ended.err
    assert ended.out == ""


def test_a_report_goes_to_a_file_whole(command: Command, here: Path):
    ended = command("check", "ha", "--from", BUNDLE, "--out", "report.txt")
    assert ended.out == ""
    assert " pass " in (here / "report.txt").read_text("utf-8")


def test_a_report_that_can_not_be_written_is_shown_instead(command: Command, here: Path):
    (here / "blocked").write_text("", "utf-8")
    ended = command("check", "ha", "--from", BUNDLE, "--out", "blocked/report.txt")
    assert ended.code == 2
    assert " pass " in ended.out
    assert "it goes to standard output instead" in ended.err


def test_what_is_no_bundle_is_refused(command: Command, here: Path):
    (here / "bundle.json").write_text('{"format": "other"}', "utf-8")
    ended = command("check", "ha", "--from", "bundle.json")
    assert ended.code == 2
    assert "is no bundle" in ended.err


def test_all_mistakes_of_an_inventory_are_listed_with_their_places(command: Command, here: Path):
    (here / "environments.yaml").write_text(
        "environments:\n  prod:\n    kafak: {bootstrap.servers: x}\n    labels: [a]\ndefault: nowhere\n", "utf-8"
    )
    ended = command("check", "ha")
    assert ended.code == 2
    for place in ("environments.yaml:3:5", "environments.yaml:4:13", "environments.yaml:5:10"):
        assert place in ended.err
    assert "did you mean kafka?" in ended.err


def test_without_an_inventory_the_way_to_one_is_shown(command: Command):
    ended = command("check", "ha")
    assert ended.code == 2
    assert "runbook lab up" in ended.err


def test_a_secret_in_plain_text_is_refused_and_not_shown(command: Command, here: Path):
    (here / "environments.yaml").write_text(
        "environments: {prod: {kafka: {bootstrap.servers: 127.0.0.1:1, sasl.password: planted-secret-2}}}\n", "utf-8"
    )
    ended = command("check", "ha", "--deadline", "3s")
    assert ended.code == 2
    assert "environments.yaml:1:78  sasl.password stands here as plain text" in ended.err
    assert "{env: NAME}" in ended.err
    assert "planted-secret-2" not in ended.out + ended.err


def test_where_something_was_kept_is_said_beside_the_report(command: Command, tmp_path: Path):
    kept = {name: str(tmp_path / name) for name in ("facts.json", "results", "report.txt")}
    given = ["--from", BUNDLE, "--only", "enough-brokers"]
    ended = command(
        "check", "ha", *given, "--save", kept["facts.json"], "--results", kept["results"], "-o", kept["report.txt"]
    )
    assert ended.out == ""
    assert (
        ended.err
        == f"kept: report in {kept['report.txt']}, results in {kept['results']}, facts in {kept['facts.json']}\n"
    )
    assert command("check", "ha", *given).err == ""


def test_commands_that_an_answer_offers_look_into_the_inventory_that_was_given(command: Any, here: Path) -> None:
    (here / "our envs.yaml").write_text("environments: {east: {kafka: {bootstrap.servers: 'localhost:1'}}}")
    (here / "environments.yaml").write_text("environments: {}")
    ended = command("check", "ha", "-i", "our envs.yaml", "--deadline", "2s")
    assert "runbook env --env east -i 'our envs.yaml' tries each" in " ".join(ended.out.split())
