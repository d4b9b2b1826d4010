"""SARIF is what its specification asks for, and comes to the verdict of the exit code."""

import json
from typing import Any

import jsonschema
import pytest
from msgspec import structs

from runbook.model.exit_code import ExitCode, exit_code
from runbook.model.result import JudgedRow, Outcome
from runbook.model.run import Run
from runbook.reports import ReportOptions
from runbook.reports.sarif import report
from support.platforms import run_on

TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
RESULT = {
    "type": "object",
    "required": ["ruleId", "ruleIndex", "kind", "level", "message", "locations"],
    "additionalProperties": False,
    "properties": {
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": 0},
        "kind": {"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]},
        "level": {"enum": ["none", "note", "warning", "error"]},
        "message": TEXT,
        "locations": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "logicalLocations": {
                        "type": "array",
                        "items": {"type": "object", "required": ["fullyQualifiedName"]},
                    },
                    "physicalLocation": {
                        "type": "object",
                        "required": ["artifactLocation"],
                        "properties": {
                            "artifactLocation": {"type": "object", "required": ["uri"]},
                            "region": {
                                "type": "object",
                                "properties": {"startLine": {"type": "integer", "minimum": 1}},
                            },
                        },
                    },
                },
            },
        },
        "properties": {"type": "object"},
        "suppressions": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["kind"],
                "properties": {
                    "kind": {"enum": ["inSource", "external"]},
                    "status": {"enum": ["accepted", "underReview", "rejected"]},
                },
            },
        },
    },
}
SHAPE = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "tool": {"type": "object", "required": ["driver"]},
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "invocations": {"items": {"type": "object", "required": ["executionSuccessful"]}},
                    "results": {"type": "array", "items": RESULT},
                },
            },
        },
    },
}
"""Of the specification's schema what concerns the fields that are written here: what must be there."""


def failing(rows: list[JudgedRow], failed: int) -> Run:
    """A run of one check that fails, with these rows."""
    run = run_on("strimzi")
    result = next(result for result in run.results if result.outcome is Outcome.FAIL)
    changed = structs.replace(result, environment="prod-eu", rows=rows, failed=failed)
    return structs.replace(run, results=[changed], heads=[])


def only_run(run: Run, options: ReportOptions) -> dict[str, Any]:
    document = json.loads(report(run, options))
    jsonschema.validate(document, SHAPE)
    [run_] = document["runs"]
    return dict(run_)


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
    ("message", "place"),
    [
        ("orders: minimum 1 (deploy/kafka.yaml:2)", ("deploy/kafka.yaml", 2)),
        ("orders: minimum 1 (deploy/a b.yml:12)", ("deploy/a%20b.yml", 12)),
        ("orders: minimum 1 (/repo/kafka.json:7)", ("file:///repo/kafka.json", 7)),
        ("orders: minimum 1 (kafka.strimzi.io/v1)", None),
        ("orders: minimum 1 (/tmp/runbook-piped-1/standard-input.yaml:3)", None),
        ("broker 1 (10.0.0.1:9092)", None),
    ],
)
def test_a_finding_stands_at_its_line_where_there_is_one(message: str, place: tuple[str, int] | None) -> None:
    [result] = only_run(failing([JudgedRow({"cluster": "orders"}, message)], 1), ReportOptions())["results"]
    [where] = result["locations"]
    assert where["logicalLocations"] == [{"fullyQualifiedName": "prod-eu: cluster orders"}]
    found = where.get("physicalLocation")
    assert found == (
        None if place is None else {"artifactLocation": {"uri": place[0]}, "region": {"startLine": place[1]}}
    )


def test_rows_that_are_not_listed_are_counted() -> None:
    listed, rest = only_run(failing([JudgedRow({"topic": "a"}, "bad")], 12), ReportOptions())["results"]
    assert "11 more, which are not listed" in rest["message"]["text"]
    assert "bad" in listed["message"]["text"]
