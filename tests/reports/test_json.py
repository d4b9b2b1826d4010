import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec import structs

from runbook.model.exit_code import exit_code
from runbook.model.gap_kind import GapKind
from runbook.reports import ReportOptions
from runbook.reports.json import report, schema

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "report-json.md"


def results_part(document: str) -> str:
    return document[document.index('"results": [') : document.rindex('"summary": {')]


def test_a_document_fits_its_published_schema(case: Any) -> None:
    Draft202012Validator(schema()).validate(json.loads(report(case.run, case.options)))


def test_a_document_says_what_the_exit_code_says(case: Any) -> None:
    document = json.loads(report(case.run, case.options))

    assert document["exit_code"] == exit_code(case.run, case.options.fail_on)
    assert [result["waived"] for result in document["results"]] == [result.waived for result in case.run.results]


def test_results_do_not_depend_on_when_how_or_how_fast_they_were_judged(case: Any) -> None:
    later = structs.replace(case.run, id="other", started_at="2026-12-01T00:00:00Z", took_ms=1, trigger="ci")

    again = report(later, ReportOptions(fail_on="critical", rows=0, color=True))

    assert results_part(again) == results_part(report(case.run, case.options))


def test_hostile_names_arrive_unchanged_in_a_document_of_printable_ascii(case: Any) -> None:
    written = report(case.run, case.options)

    assert re.fullmatch(r"[\n -~]*", written)
    kept = [row["message"] for result in json.loads(written)["results"] for row in result["rows"]]
    assert kept == [row.message for result in case.run.results for row in result.rows]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800"])
def test_a_value_json_has_no_word_for_spoils_nothing(case: Any, value: object) -> None:
    odd = [structs.replace(result, params={"odd": value}) for result in case.run.results]

    document = json.loads(report(structs.replace(case.run, results=odd), case.options))

    assert all(result["params"]["odd"] in (None, "\ud800") for result in document["results"])


def test_every_kind_of_gap_is_documented() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [kind for kind in GapKind if f"`{kind}`" not in page] == []


def test_every_field_is_documented() -> None:
    page = PAGE.read_text(encoding="utf-8")
    named = {name for record in schema()["$defs"].values() for name in record.get("properties", ())}

    assert {name for name in named if f"`{name}`" not in page} == set()
