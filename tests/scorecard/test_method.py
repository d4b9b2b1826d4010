"""The published method: its worked example is computed, and its numbers are those in force."""

import datetime as dt
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from runbook.scorecard import method
from runbook.scorecard.job import roll_up
from runbook.scorecard.method import iso_week

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "scorecard-method.md"
WEEKS = {"2026-W46": "2026-11-11T06:00:00Z", "2026-W47": "2026-11-18T06:00:00Z"}


def _tables() -> list[list[list[str]]]:
    blocks = re.findall(r"(?:^\|.*\n)+", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return [
        [[cell.strip(" `") for cell in line.strip("|\n").split("|")] for line in block.splitlines()] for block in blocks
    ]


def test_the_worked_example_is_what_the_job_computes(
    tmp_path: Path, store_of: Callable[[Path], Any], monkeypatch: pytest.MonkeyPatch, java_home: Path | None
) -> None:
    given, computed = _tables()[1:3]
    checks = {row[0]: row for row in given[2:]}
    store = store_of(tmp_path / "store")
    monkeypatch.setitem(store.keep.__globals__, "SEVERITY", {check: row[1] for check, row in checks.items()})
    for number, at in enumerate(WEEKS.values(), start=2):
        store.keep("prod-eu", at, {check: row[number] for check, row in checks.items()})
    roll_up(str(store.folder), tmp_path / "out", java_home=java_home)
    rows = pq.read_table(tmp_path / "out" / "scores.parquet").to_pylist()
    for number, week in enumerate(WEEKS, start=1):
        (row,) = [row for row in rows if (row["week"], row["runbook"], row["severity"]) == (week, "ha", "*")]
        shown = {line[0]: line[number].split("= ")[-1] for line in computed[2:]}
        assert shown["score"] == str(row["score"])
        assert shown["raw score"] == str(row["score_raw"])
        assert shown["coverage"] == str(row["coverage"])
        assert shown["change"].replace("none", "None") == str(row["change"])


def test_the_example_of_what_is_new_is_what_the_job_computes(
    tmp_path: Path, store_of: Callable[[Path], Any], java_home: Path | None
) -> None:
    (example,) = [table for table in _tables() if "new in W47" in table[0]]
    header, rows = example[0], [dict(zip(example[0], row, strict=True)) for row in example[2:]]
    weeks = [name for name in header if re.fullmatch(r"W\d\d", name)]
    store = store_of(tmp_path / "store")
    for week in weeks:
        wednesday = dt.date.fromisocalendar(2026, int(week[1:]), 3)
        store.keep("prod", f"{wednesday}T06:00:00Z", {row["check"]: row[week] for row in rows})
    roll_up(str(store.folder), tmp_path / "out", java_home=java_home)
    tables = json.loads((tmp_path / "out" / "scorecard.json").read_text())["tables"]
    checks = {row["check"]: row for row in tables["checks"]}
    assert len(rows) == len(checks)
    for row in rows:
        news = [change for change in tables["changes"] if change["check"] == row["check"]]
        assert row["new in W47"] == (", ".join(new["change"] for new in news) or "nothing")
        assert {str(new["flips"]) for new in news} <= {row["flips"]}
        check = checks[row["check"]]
        assert row["fixed"] == str(check["fixes"])
        assert row["median days to fix"].replace("none", "None") == str(check["median_fix_days"])


def test_the_page_names_the_version_the_weights_and_the_least_coverage_in_force() -> None:
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    weights = ", ".join(f"{severity} {weight}" for severity, weight in method.WEIGHTS.items())
    assert f"This is version {method.VERSION} of the method" in text
    assert f"weighs by its severity: {weights}." in text
    assert f"Below {method.LEAST_COVERAGE:.0f} % there is no score" in text
    assert f"{method.FLAPPING_DAYS} days" in text
    assert f"ends within {method.EXPIRING_DAYS} days" in text


def test_the_iso_week_of_a_moment_is_that_of_the_calendar(spark: SparkSession) -> None:
    """Around each Monday from 2014 to 2034, with years of 53 weeks: its first microsecond, and the last before it."""
    first = dt.datetime(2014, 1, 6, tzinfo=dt.UTC)
    mondays = [first + dt.timedelta(weeks=n) for n in range(20 * 53)]
    around = [(monday + shift,) for monday in mondays for shift in (dt.timedelta(0), dt.timedelta(microseconds=-1))]
    said = spark.createDataFrame(around, "at timestamp").select("at", iso_week("at").alias("week")).collect()
    calendar = [(said_of.at.replace(tzinfo=dt.UTC).isocalendar(), said_of.week) for said_of in said]
    assert len(calendar) == len(around)
    assert all(week == f"{date.year:04}-W{date.week:02}" for date, week in calendar)
