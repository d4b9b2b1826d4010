"""Small tables for metrics: rows that name only what a test is about."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import reduce
from operator import xor
from typing import Any
from zlib import crc32

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.scorecard.segment_schema import COMMON, COUNTED, ROW, WAIVER
from runbook.scorecard.weekly import Weekly, groups_of

Given = dict[str, Any]

STATES = (
    "week string, monday date, environment string, check string, runbook string, runbook_version string, "
    "check_digest string, severity string, silent boolean, subject string, outcome string, waived boolean, "
    "reason string, title string, judged bigint, failed bigint, proof string, since timestamp, since_run string, "
    "run string, run_at string, file string, last_run string, last_at timestamp, ends timestamp"
)
COUNTS = (
    "week string, monday date, environment string, runbook string, severity string, silent boolean, "
    "last_run string, last_at timestamp, ends timestamp, definitions bigint, passed bigint, failed bigint, "
    "waived bigint, unknown bigint, unobserved bigint, missing bigint, not_applicable bigint"
)
BEFORE = "environment string, check string, subject string, outcome string"
CHANGES = "environment string, check string, subject string, at timestamp, run string, outcome string"
REDEFINED = (
    "week string, environment string, check string, runbook string, runbook_version string, before_version string"
)
WAIVERS = (
    "environment string, check string, owner string, reason string, expires string, rows string, needed boolean, "
    "run string, run_at string"
)
AS_OF = "2026-11-21T12:00:00Z"  # a Saturday
LAST, WEEK_BEFORE = "2026-W47", "2026-W46"


def _moment(text: str | None) -> dt.datetime | None:
    return dt.datetime.fromisoformat(text) if text else None


def _state(given: Given) -> Given:
    """A state of prod's check ha/a in the last week, which passed on Wednesday, but for what is given."""
    week = given.get("week", LAST)
    year, number = week.split("-W")
    monday = dt.date.fromisocalendar(int(year), int(number), 1)
    at = f"{monday + dt.timedelta(2)}T06:00:00Z"
    environment, check = given.get("environment", "prod"), given.get("check", "ha/a")
    state = {
        "week": week,
        "monday": monday,
        "environment": environment,
        "check": check,
        "runbook": check.split("/")[0],
        "runbook_version": "1.0.0",
        "check_digest": "d1",
        "severity": "medium",
        "silent": False,
        "subject": environment,
        "outcome": "pass",
        "waived": False,
        "reason": "because",
        "title": f"{check} holds",
        "judged": 3,
        "failed": 0,
        "proof": "observed",
        "since": None,
        "since_run": None,
        "run": f"run of {monday}",
        "run_at": at,
        "file": "runs/one",
        "last_run": f"run of {monday}",
        "last_at": at,
        "ends": AS_OF if week == LAST else f"{monday + dt.timedelta(7)}T00:00:00Z",
    } | given
    return state | {name: _moment(state[name]) for name in ("since", "last_at", "ends")}


def _change(given: Given) -> Given:
    change = {"environment": "prod", "check": "ha/a", "run": "r"} | given
    return {"subject": change["environment"]} | change | {"at": _moment(change["at"])}


def _counts(states: Iterable[Given]) -> list[Given]:
    """Count states as the job does, which never has them all at once."""
    alike = ("week", "monday", "environment", "runbook", "severity", "silent", "last_run", "last_at", "ends")
    counted: dict[tuple[Any, ...], Counter[str]] = defaultdict(Counter)
    defined: dict[tuple[Any, ...], set[str]] = defaultdict(set)
    for state in states:
        said = {
            "pass": "passed",
            "fail": "waived" if state["waived"] else "failed",
            "unknown": "unobserved" if state.get("unobserved") else "unknown",
        }.get(state["outcome"])
        key = tuple(state[name] for name in alike)
        counted[key][said or state["outcome"]] += 1
        defined[key].add(f"{state['check']} {state['check_digest']}")
    return [
        dict(zip(alike, key, strict=True))
        | {"definitions": reduce(xor, (crc32(definition.encode()) for definition in defined[key]))}
        | {name: of[name] for name in COUNTED}
        for key, of in counted.items()
    ]


def _waiver(given: Given) -> Given:
    return {
        "environment": "prod",
        "check": "ha/a",
        "owner": "ann",
        "reason": "new disks",
        "expires": "2027-01-31",
        "rows": "",
        "needed": True,
        "run": "r",
        "run_at": "2026-11-18T06:00:00Z",
    } | given


@pytest.fixture
def weekly(spark: SparkSession) -> Callable[..., Weekly]:
    """Make what a metric measures from lists of what is special about each row."""

    def frame(schema: str, rows: Iterable[Given]) -> DataFrame:
        names = [column.split()[0] for column in schema.split(", ")]
        return spark.createDataFrame([tuple(row[name] for name in names) for row in rows], schema)

    def make(
        *states: Given,
        changes: Iterable[Given] = (),
        waivers: Iterable[Given] = (),
        redefined: Iterable[Given] = (),
    ) -> Weekly:
        evidence = {
            "rows": F.lit(None).cast(f"array<{ROW}>"),
            "common": F.lit(None).cast(f"array<{COMMON}>"),
            "waiver": F.lit(None).cast(WAIVER),
        }
        whole = [_state(state) for state in states]
        return Weekly(
            groups=groups_of(frame(COUNTS, _counts(whole))),
            states=frame(STATES, (state for state in whole if state["week"] == LAST)).withColumns(evidence),
            before=frame(BEFORE, (state for state in whole if state["week"] == WEEK_BEFORE)),
            changes=frame(CHANGES, map(_change, changes)),
            redefined=frame(REDEFINED, redefined),
            drilled=frame(
                "check string", ({"check": state["check"]} for state in whole if state["proof"] == "drilled")
            ),
            waivers=frame(WAIVERS, map(_waiver, waivers)),
            as_of=F.to_timestamp(F.lit(AS_OF)),
        )

    return make


@pytest.fixture
def rows_of() -> Callable[..., list[Any]]:
    """Give the rows of a table, sorted: of one column its values, of several tuples."""

    def of(table: DataFrame, *columns: str) -> list[Any]:
        rows = [row.asDict(recursive=True) for row in table.select(*columns).collect()]
        found = [tuple(row[name] for name in columns) if len(columns) > 1 else row[columns[0]] for row in rows]
        return sorted(found, key=repr)

    return of
