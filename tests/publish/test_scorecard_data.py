"""Tables to load elsewhere."""

import csv
import io
from typing import Any

import msgspec
import pytest

from runbook.publish.scorecard import Scorecard
from runbook.publish.scorecard_data import as_csv, data_files


@pytest.fixture
def files(card: Any) -> dict[str, str]:
    return {page.path: page.text for page in data_files(msgspec.convert(card, Scorecard))}


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx", " =1"])
def test_no_text_is_taken_for_a_formula(text: str) -> None:
    _, row = csv.reader(io.StringIO(as_csv(["a"], [[text]], "measured"), newline=""))
    assert row == [f"'{text}", "measured"]


def test_no_text_begins_a_line_of_its_own() -> None:
    assert as_csv(["a"], [["x\r=1"]], "measured") == 'a,origin\r\n"x\r=1",measured\r\n'


def test_numbers_stay_numbers_and_nothing_stays_empty() -> None:
    written = as_csv(["a", "b", "c"], [[-3.5, None, True]], "measured")
    assert written == "a,b,c,origin\r\n-3.5,,true,measured\r\n"


def test_weeks_become_lines(files: dict[str, str]) -> None:
    lines = list(csv.reader(files["scorecard/data/trend.csv"].splitlines()))
    assert lines[1:4] == [
        ["broken", "*", "2026-W44", "scored", "64.0", "64.0", "100.0", "false", "0", "0", "measured"],
        ["broken", "*", "2026-W45", "scored", "66.0", "66.0", "100.0", "false", "0", "0", "measured"],
        ["broken", "*", "2026-W46", "silent", "", "", "", "", "", "", "measured"],
    ]


def test_every_table_has_a_file_with_as_many_rows(files: dict[str, str], card: Any) -> None:
    for name, rows in card["tables"].items():
        lines = list(csv.DictReader(files[f"scorecard/data/{name}.csv"].splitlines(keepends=True)))
        assert len(lines) == (sum(len(row["weeks"]) for row in rows) if name == "trend" else len(rows))
        assert {line["origin"] for line in lines} <= {"measured"}


def test_a_text_with_line_ends_and_quotes_comes_back_whole(files: dict[str, str], evil: str) -> None:
    rows = list(csv.DictReader(files["scorecard/data/failing.csv"].splitlines(keepends=True)))
    assert rows[0]["title"] == f"Holds {evil}"
    assert rows[0]["reason"] == evil
