"""Generated segments of a store's `weeks`, as the scorecard job leaves them, for roll-ups of millions of results.

Writing as many JSON lines would take hours and tell nothing new. The evidence files that the segments name are there,
but hold nothing: the job lists them, and does not open what was compacted.
"""

import datetime as dt
import json
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import Struct

from runbook.scorecard.segment_schema import COUNTED, TABLES
from runbook.scorecard.segments import SEGMENT, name_of

WEEKS = 52
ENVIRONMENTS = 50
CHECKS = 385
LAST_MONDAY = dt.date(2026, 11, 16)
BYTES_A_RESULT = 1400  # as the built-in runbook's results have on average
RUNBOOKS = ("ha", "gc", "security", "schemas", "dr")
SEVERITIES = ("info", "low", "medium", "high", "critical")
OUTCOMES = ("pass", "fail", "unknown", "not_applicable")
_ROWS = json.dumps([{"key": {"topic": "orders", "partition": "3"}, "message": "m", "outcome": "fail", "waived": False}])


class Size(Struct, frozen=True):
    """How many results: runs of all environments a week, and checks of each run, for a year."""

    results: int

    @property
    def runs_a_week(self) -> int:
        """Of all environments together."""
        return max(1, round(self.results / WEEKS / CHECKS / ENVIRONMENTS)) * ENVIRONMENTS


def checks() -> list[tuple[str, str, str]]:
    """Give check, runbook and severity of each."""
    books = [RUNBOOKS[number % len(RUNBOOKS)] for number in range(CHECKS)]
    return [
        (f"{book}/check-number-{number:03}-holds", book, SEVERITIES[number * 7 % len(SEVERITIES)])
        for number, book in enumerate(books)
    ]


def environment(number: int) -> str:
    """Give the name of an environment."""
    return f"platform-{number:02}"


def write_segments(store: Path, size: Size) -> int:
    """Write a year of segments; give the number of results."""
    dice = np.random.default_rng(1)
    chronic = dice.choice(4, (ENVIRONMENTS, CHECKS), p=(0.89, 0.06, 0.01, 0.04)).astype(np.int8)
    for week in range(WEEKS):
        flipped = dice.random((ENVIRONMENTS, CHECKS)) < 0.01
        now = np.where(flipped, 1 - np.minimum(chronic, 1), chronic).astype(np.int8)
        _segment(store, LAST_MONDAY - dt.timedelta(weeks=WEEKS - 1 - week), now, size)
    return WEEKS * size.runs_a_week * CHECKS


def _segment(store: Path, monday: dt.date, now: np.ndarray, size: Size) -> None:
    each = size.runs_a_week // ENVIRONMENTS
    start = int(dt.datetime.combine(monday, dt.time(1), dt.UTC).timestamp())
    step = 6 * 86_400 // each
    moments = [[start + run * step + number for run in range(each)] for number in range(ENVIRONMENTS)]
    runs = [[_run(moment, number) for moment in row] for number, row in enumerate(moments)]
    files = [
        [f"runs/{environment(n)}/{day(moments[n][r])}/{runs[n][r]}.jsonl" for r in range(each)]
        for n in range(ENVIRONMENTS)
    ]
    length = CHECKS * BYTES_A_RESULT
    for file in (file for row in files for file in row):
        (store / file).parent.mkdir(parents=True, exist_ok=True)
        with (store / file).open("wb") as empty:
            empty.truncate(length)
    tables = {
        "results": _results(now, np.array(moments), runs),
        "runs": _runs(now, moments, runs, files),
        "sources": _table("sources", [[f, length, CHECKS + 2, CHECKS, 0] for row in files for f in row]),
        "aside": _table("aside", []),
    }
    year, number, _ = monday.isocalendar()
    week = f"{year:04}-W{number:02}"
    folder = store / "weeks" / week / name_of(SEGMENT, (f"{file} {length}" for row in files for file in row))
    folder.mkdir(parents=True)
    for name, table in tables.items():
        pq.write_table(table, folder / f"{name}.parquet", compression="zstd")
    content = {"format": 1, "week": week, "tables": sorted(tables)}
    (folder / "manifest.json").write_bytes(msgspec.json.encode(content, order="deterministic") + b"\n")


def day(moment: int) -> str:
    """The day of a moment."""
    return dt.datetime.fromtimestamp(moment, dt.UTC).date().isoformat()


def _run(moment: int, number: int) -> str:
    return f"{dt.datetime.fromtimestamp(moment, dt.UTC):%Y%m%dT%H%M%SZ}-{number:012x}"


def _table(name: str, rows: list[list[object]]) -> pa.Table:
    schema = pa.schema(list(TABLES[name].items()))
    columns = list(zip(*sorted(rows, key=lambda row: str(row[0])), strict=True)) or [[] for _ in schema]
    return pa.table([pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)], schema)


def _of_runbooks(now: np.ndarray) -> list[dict[str, object]]:
    """Count what the checks of one environment say, as the job does when it reads a run."""
    counts = {(book, severity): dict.fromkeys(COUNTED, 0) for _, book, severity in checks()}
    for at, (_, book, severity) in enumerate(sorted(checks())):
        said = ("passed", "waived" if at % 11 == 0 else "failed", "unknown", "not_applicable")[now[at]]
        counts[book, severity][said] += 1
    return [
        {
            "runbook": book,
            "listing": "e" * 32,
            "drilled": [],
            "counts": [{"severity": severity, **of} for (its, severity), of in sorted(counts.items()) if its == book],
        }
        for book in sorted(RUNBOOKS)
    ]


def _runs(now: np.ndarray, moments: list[list[int]], runs: list[list[str]], files: list[list[str]]) -> pa.Table:
    definitions = json.dumps(
        [
            {
                "runbook": book,
                "check": check,
                "severity": severity,
                "check_digest": "d" * 64,
                "runbook_version": "1.0.0",
            }
            for check, book, severity in sorted(checks())
        ]
    )
    rows: list[list[object]] = []
    for number, row in enumerate(runs):
        books = _of_runbooks(now[number])
        for run, moment, file in zip(row, moments[number], files[number], strict=True):
            started = dt.datetime.fromtimestamp(moment, dt.UTC)
            text = f"{started:%Y-%m-%dT%H:%M:%S}.000Z"
            rows.append([environment(number), started, run, text, file, True, True, books, definitions, "[]"])
    return _table("runs", rows)


def _results(now: np.ndarray, moments: np.ndarray, runs: list[list[str]]) -> pa.Table:
    """Give the results of a week by environment, check and time."""
    each = moments.shape[1]
    which = np.meshgrid(np.arange(ENVIRONMENTS), np.arange(CHECKS), np.arange(each), indexing="ij")
    of_environment, of_check, of_run = (column.ravel() for column in which)
    outcome = now[of_environment, of_check]
    of_all = sorted(checks())
    names = pa.array([check for check, _, _ in of_all])
    started = pa.array(moments[of_environment, of_run] * 1_000_000, pa.timestamp("us", tz="UTC"))
    run_names = pa.array([run for row in runs for run in row])
    count = len(outcome)
    fails = outcome == 1
    environments = pa.array([environment(number) for number in range(ENVIRONMENTS)]).take(pa.array(of_environment))
    columns = {
        "environment": environments,
        "check": names.take(pa.array(of_check)),
        "subject": environments,
        "started": started,
        "run": run_names.take(pa.array(of_environment * each + of_run)),
        "scored": pa.array(np.ones(count, bool)),
        "runbook": pa.array([book for _, book, _ in of_all]).take(pa.array(of_check)),
        "severity": pa.array([severity for _, _, severity in of_all]).take(pa.array(of_check)),
        "outcome": pa.array(OUTCOMES).take(pa.array(outcome)),
        "waived": pa.array(fails & (of_check % 11 == 0)),
        "proof": pa.array(["observed"]).take(pa.array(np.zeros(count, np.int8))),
        "reason": pa.array(["true of 40", "1 of 40 is not", "did not answer", "there is none"]).take(pa.array(outcome)),
        "title": pa.array([f"It is as it should be: {check}" for check, _, _ in of_all]).take(pa.array(of_check)),
        "judged": pa.array(np.full(count, 40)),
        "failed": pa.array(fails.astype(np.int64)),
        "rows": pa.array(["[]", _ROWS]).take(pa.array(fails.astype(np.int8))),
        "common": pa.array(["[]"]).take(pa.array(np.zeros(count, np.int8))),
        "waiver": pa.nulls(count, pa.string()),
    }
    schema = pa.schema(list(TABLES["results"].items()))
    if schema.names != list(columns):
        raise SystemExit(f"segments have other columns now: {', '.join(schema.names)}; change this benchmark")
    return pa.table([columns[name] for name in schema.names], schema)
