"""SARIF is what its specification asks for, and comes to the verdict of the exit code."""

import json
import lzma
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from msgspec import structs

from runbook.model.exit_code import ExitCode, exit_code
from runbook.model.fact import Gap
from runbook.model.result import JudgedRow, Outcome, WaiverUse
from runbook.model.run import Head, Run
from runbook.reports import ReportOptions
from runbook.reports.sarif import report
from support.platforms import run_on

SCHEMA = json.loads(lzma.decompress(Path(__file__).with_name("sarif-2.1.0.json.xz").read_bytes()))
"""The schema of OASIS, as Microsoft's SARIF Multitool 5.7.0 has it; that tool's rules for GitHub pass what is here."""
MOST_TAGS = 20


def failing(rows: list[JudgedRow], failed: int) -> Run:
    """A run of one check that fails, with these rows."""
    run = run_on("strimzi")
    result = next(result for result in run.results if result.outcome is Outcome.FAIL)
    changed = structs.replace(result, environment="prod-eu", rows=rows, failed=failed)
    return structs.replace(run, results=[changed], heads=[])


def only_run(run: Run, options: ReportOptions) -> dict[str, Any]:
    document = json.loads(report(run, options))
    jsonschema.validate(document, SCHEMA)
    [run_] = document["runs"]
    wanted_by_github(run_)
    return dict(run_)


def wanted_by_github(run: dict[str, Any]) -> None:
    """What GitHub documents as required, beyond the schema."""
    for rule in run["tool"]["driver"]["rules"]:
        assert all(rule[text]["text"] for text in ("shortDescription", "fullDescription", "help"))
        assert len(rule["properties"]["tags"]) <= MOST_TAGS
    for result in run["results"]:
        [where] = result["locations"]
        assert where["physicalLocation"]["artifactLocation"]["uri"]
        assert where["physicalLocation"]["region"]["startLine"] >= 1


def test_it_has_the_shape_of_its_specification_and_every_result_has_its_rule(case: Any) -> None:
    run = only_run(case.run, case.options)
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert (result["kind"] == "fail") == (result["level"] != "none")


def test_it_comes_to_the_verdict_of_the_exit_code(case: Any) -> None:
    code = exit_code(structs.replace(case.run, interrupted=False), case.options.fail_on)
    unwaived = [result for result in only_run(case.run, case.options)["results"] if "suppressions" not in result]
    fails = {result["ruleId"] for result in unwaived if result["kind"] == "fail"}
    assert code is not ExitCode.FAILED or fails
    assert (code is ExitCode.UNKNOWN) <= any(result["kind"] == "open" for result in unwaived)
    if code in {ExitCode.COMPLIANT, ExitCode.NOTHING}:
        assert {result["level"] for result in unwaived} <= {"note", "none"}


def test_what_passed_and_what_did_not_apply_is_told_where_all_is_asked_for(case: Any) -> None:
    everything = only_run(case.run, structs.replace(case.options, full=True))["results"]
    assert {result["ruleId"] for result in everything} == {result.check for result in case.run.results}
    few = only_run(case.run, structs.replace(case.options, full=False))["results"]
    assert {result["kind"] for result in few} <= {"fail", "open"}


@pytest.mark.parametrize(
    ("place", "uri", "line"),
    [
        ("deploy/kafka.yaml:2:7", "deploy/kafka.yaml", 2),
        ("deploy/a b.yml:12:7", "deploy/a%20b.yml", 12),
        ("/repo/kafka.json:7:7", "kafka.json", 7),
        ("/other/kafka.json:7:7", "file:///other/kafka.json", 7),
    ],
)
def test_a_finding_stands_at_its_line(place: str, uri: str, line: int) -> None:
    row = JudgedRow({"cluster": "orders"}, "bad", place=place)
    [result] = only_run(failing([row], 1), ReportOptions(folder="/repo"))["results"]
    [where] = result["locations"]
    assert where["logicalLocations"] == [{"fullyQualifiedName": "prod-eu: cluster orders"}]
    assert where["physicalLocation"] == {
        "artifactLocation": {"uri": uri},
        "region": {"startLine": line, "startColumn": 7},
    }


def uri_and_line(run: Run) -> tuple[str, int]:
    [result] = only_run(run, ReportOptions())["results"]
    physical = result["locations"][0]["physicalLocation"]
    return physical["artifactLocation"]["uri"], physical["region"]["startLine"]


def test_what_no_file_has_stands_at_its_environment_in_the_inventory() -> None:
    run = failing([JudgedRow({"cluster": "orders"}, "bad")], 1)
    assert uri_and_line(run) == ("environments.yaml", 1)
    assert uri_and_line(structs.replace(run, heads=[Head("prod-eu", place="fleet.yaml:9:3")])) == ("fleet.yaml", 9)


def test_what_can_not_be_read_stands_where_it_is() -> None:
    gaps = [Gap("it can't be read", place="deploy/kafka.yaml:9:3")]
    run = failing([], 0)
    [result] = run.results
    unknown = structs.replace(result, outcome=Outcome.UNKNOWN, gaps=gaps)
    assert uri_and_line(structs.replace(run, results=[unknown])) == ("deploy/kafka.yaml", 9)


def test_a_finding_is_the_same_wherever_its_line_went() -> None:
    runs = [
        failing([JudgedRow({"cluster": name}, "bad", place=f"a.yaml:{at}:1")], 1)
        for at, name in [(1, "a"), (2, "a"), (2, "b")]
    ]
    one, moved, other = [only_run(run, ReportOptions())["results"][0]["partialFingerprints"] for run in runs]
    assert one == moved != other


def test_rows_that_are_not_listed_are_counted() -> None:
    listed, rest = only_run(failing([JudgedRow({"topic": "a"}, "bad")], 12), ReportOptions())["results"]
    assert "11 more, which are not listed" in rest["message"]["text"]
    assert "bad" in listed["message"]["text"]


@pytest.mark.parametrize("owner", ["", "ann"])
def test_what_a_commit_has_already_is_unchanged_and_the_rest_is_new(owner: str) -> None:
    rows = [
        JudgedRow({"topic": name}, name, outcome="fail", waived=name == "old", place=f"a.yaml:{line}:1")
        for line, name in enumerate(("old", "fresh"), start=1)
    ]
    run = failing(rows, 2)
    known = structs.replace(run.results[0], waiver=WaiverUse(owner, "", "", 1, base="main"))
    found = only_run(structs.replace(run, results=[known]), ReportOptions())["results"]
    states = {result["message"]["text"].rpartition(": ")[2]: result.get("baselineState") for result in found}
    assert states == {"fresh": "new", "old": None if owner else "unchanged"}  # of a waiver it is not known
    assert [len(result.get("suppressions", [])) for result in found] == [0, 1]
    assert all("baselineState" not in result for result in only_run(run, ReportOptions())["results"])


def test_a_renamed_check_opens_no_new_alert(case: Any) -> None:
    before = only_run(case.run, case.options)
    new = {result.check: f"{result.runbook}/renamed-{place}" for place, result in enumerate(case.run.results)}
    results = [structs.replace(result, check=new[result.check]) for result in case.run.results]
    first = {now: old for old, now in new.items()}
    after = only_run(structs.replace(case.run, results=results, first_names=first), case.options)

    def prints(run: dict[str, Any]) -> list[str]:
        return [result["partialFingerprints"] for result in run["results"]]

    assert prints(after) == prints(before)
    assert [rule["deprecatedIds"] for rule in after["tool"]["driver"]["rules"]] == [
        [rule["id"]] for rule in before["tool"]["driver"]["rules"]
    ]
