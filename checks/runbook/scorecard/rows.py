"""Evidence as rows: the schema, in code and never inferred, and the step that Python workers do for Spark.

Lists and records inside a result are kept as JSON text: few of them are ever looked at.
"""

import datetime as dt
import hashlib
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from runbook.evidence.lines import ExpectedLine, ResultLine, RowLine, RunLine
from runbook.evidence.reading import ReadLine, examine

UNDATED = "undated"
"""Stands for the week of a file that lies under no date."""

ROW = "struct<key: map<string, string>, message: string, outcome: string, waived: boolean>"
COMMON = "struct<entity: string, value: string, touched: bigint, of: bigint>"
WAIVER = "struct<owner: string, reason: string, expires: string, rows: bigint>"
DEFINITION = "struct<runbook: string, check: string, severity: string, check_digest: string, runbook_version: string>"
DECLARED = (
    "struct<check: string, owner: string, reason: string, expires: string, rows: map<string, string>, needed: boolean>"
)

_TEXT = pa.string()
_NUMBER = pa.int64()
_FLAG = pa.bool_()
_MOMENT = pa.timestamp("us", tz="UTC")

COUNTED = ("passed", "failed", "waived", "unknown", "missing", "not_applicable")
"""What the verdicts of a run are counted by: each counts in one of these."""

_COUNTS = pa.struct([("severity", _TEXT), *((name, _NUMBER) for name in COUNTED)])
_RUNBOOK = pa.struct(
    [("runbook", _TEXT), ("listing", _TEXT), ("drilled", pa.list_(_TEXT)), ("counts", pa.list_(_COUNTS))]
)
"""What a run says of one runbook as a whole: a number for the checks it was to judge and their definitions, which no
other ones have; those proved by a drill; and how many of each severity say what."""

TABLES: dict[str, dict[str, pa.DataType]] = {
    "results": {
        "environment": _TEXT,
        "check": _TEXT,
        "subject": _TEXT,
        "started": _MOMENT,
        "run": _TEXT,
        "scored": _FLAG,
        "runbook": _TEXT,
        "severity": _TEXT,
        "outcome": _TEXT,
        "waived": _FLAG,
        "proof": _TEXT,
        "reason": _TEXT,
        "title": _TEXT,
        "judged": _NUMBER,
        "failed": _NUMBER,
        "rows": _TEXT,
        "common": _TEXT,
        "waiver": _TEXT,
    },
    "runs": {
        "environment": _TEXT,
        "started": _MOMENT,
        "run": _TEXT,
        "started_at": _TEXT,
        "file": _TEXT,
        "scored": _FLAG,
        "generated": _FLAG,
        "runbooks": pa.list_(_RUNBOOK),
        "definitions": _TEXT,
        "waivers": _TEXT,
    },
    "sources": {"file": _TEXT, "length": _NUMBER, "lines": _NUMBER, "results": _NUMBER, "duplicates": _NUMBER},
    "aside": {"file": _TEXT, "line": _NUMBER, "reason": _TEXT, "text": _TEXT},
}
"""Table of a segment -> its columns."""

KEYS = {
    "results": ("environment", "check", "subject", "started", "run"),
    "runs": ("environment", "started", "run"),
    "sources": ("file",),
    "aside": ("file", "line", "reason", "text"),
}
"""Table of a segment -> what its rows are sorted by."""

FILE = pa.struct([("file", _TEXT), ("length", _NUMBER), ("address", _TEXT), ("content", pa.binary())])
"""A file of evidence: its place in the store, and either where it is read or what it holds; neither of one that is not
to be read."""

SEGMENTS = pa.struct([(name, pa.binary()) for name in TABLES])
"""The tables of a segment, each as Parquet; null for one without rows."""

LONGEST = 2000
"""Characters of a line that was set aside; the store keeps the original."""

_WORST_FIRST = ("fail", "unknown", "pass", "not_applicable")
_encode = msgspec.json.Encoder(order="deterministic").encode


def schema_of(table: str) -> StructType:
    """The schema of one of the TABLES."""
    return from_arrow_schema(pa.schema(list(TABLES[table].items())))


def week_of(file: str) -> str:
    """The ISO week of the date that a file is filed under, as in 2026-W47."""
    try:
        year, week, _ = dt.date.fromisoformat(file.split("/")[-2]).isocalendar()
    except (ValueError, IndexError):
        return UNDATED
    return f"{year:04}-W{week:02}"


def segments_of_files(batches: Iterable[pa.Array]) -> Iterator[pa.Array]:
    """Turn the files of segments into the tables of segments, as `SEGMENTS` says.

    Args:
        batches: a list of records as `FILE` for each segment, so many segments in each batch.
    """
    for batch in batches:
        yield pa.array([_segment(files.as_py()) for files in batch], SEGMENTS)


def _segment(files: list[dict[str, Any]]) -> dict[str, bytes | None]:
    rows: defaultdict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for one in files:
        content = _content(one["address"]) if one["content"] is None and one["address"] else one["content"]
        for table, found in _tables(one["file"], one["length"], content).items():
            rows[table] += found
    return {table: as_parquet(_in_order(table, rows[table])) if rows[table] else None for table in TABLES}


def _content(address: str) -> bytes:
    with os.fdopen(os.open(address, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
        return file.read()


def _in_order(table: str, rows: list[tuple[Any, ...]]) -> pa.Table:
    typed = [
        pa.array(column, kind) for column, kind in zip(zip(*rows, strict=True), TABLES[table].values(), strict=True)
    ]
    return pa.table(typed, list(TABLES[table])).sort_by([(name, "ascending") for name in KEYS[table]])


def as_parquet(table: pa.Table) -> bytes:
    """A table as the bytes of a Parquet file: the same rows give the same bytes."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    whole: bytes = sink.getvalue().to_pybytes()
    return whole


def _tables(file: str, length: int, content: bytes | None) -> dict[str, list[tuple[Any, ...]]]:
    run: RunLine | None = None
    results: dict[tuple[str, str], ResultLine] = {}
    aside: list[tuple[Any, ...]] = []
    seen: Counter[str] = Counter()
    for line in examine(content, file, length):
        record = line.record
        seen["lines"] += line.number > 0
        if record is None:
            aside.append((file, line.number, line.reason, _shown(line)))
        elif isinstance(record, RunLine):
            seen["duplicates"] += run is not None
            run = run or record
        elif isinstance(record, ResultLine):
            key = (record.check, record.subject)
            seen["duplicates"] += key in results
            results[key] = _worse(results.get(key, record), record)
    source = (file, length, seen["lines"], len(results), seen["duplicates"])
    found = {"sources": [source], "aside": aside}
    if run is None:
        return found
    return found | {
        "runs": [
            (
                *(run.environment, run.started, run.run, run.started_at, file, run.scored, run.generated),
                *_asked(run, results),
            )
        ],
        "results": [
            (run.environment, one.check, one.subject, run.started, run.run, run.scored, *_said(one))
            for one in results.values()
        ],
    }


def _said(one: ResultLine) -> tuple[Any, ...]:
    return (
        *(one.runbook, one.severity, one.outcome.value, one.waived, one.proof, one.reason, one.title),
        *(one.judged, one.failed),
        _encode([_as_text(row) for row in one.rows]).decode() if one.rows else "[]",
        _encode(one.common).decode() if one.common else "[]",
        _encode(one.waiver).decode() if one.waiver else None,
    )


def _as_text(row: RowLine) -> RowLine:
    key = {name: said if isinstance(said, str) else _encode(said).decode() for name, said in row.key.items()}
    return RowLine(key, row.message, row.outcome, row.waived)


def _asked(run: RunLine, results: dict[tuple[str, str], ResultLine]) -> tuple[list[dict[str, Any]], str, str]:
    """The runbooks of a run, the checks it was to judge or judged, and the waivers declared for them."""
    definitions: dict[str, ExpectedLine] = {}
    judged = (
        ExpectedLine(one.runbook, one.check, one.severity, one.check_digest, one.runbook_version)
        for one in results.values()
    )
    for one in (*run.expected, *judged):
        definitions[one.check] = min(definitions.get(one.check, one), one)
    in_order = [definitions[name] for name in sorted(definitions)]
    runbooks = _by_runbook(in_order, results.values())
    return runbooks, _encode(in_order).decode(), _encode(run.head.waivers).decode()


def _by_runbook(definitions: list[ExpectedLine], results: Iterable[ResultLine]) -> list[dict[str, Any]]:
    verdicts: defaultdict[str, list[ResultLine]] = defaultdict(list)
    for result in results:
        verdicts[result.check].append(result)
    by_runbook: defaultdict[str, list[ExpectedLine]] = defaultdict(list)
    for one in definitions:
        by_runbook[one.runbook].append(one)
    return [
        {
            "runbook": runbook,
            "listing": hashlib.sha256(_encode(ones)).hexdigest()[:32],
            "drilled": [one.check for one in ones if any(said.proof == "drilled" for said in verdicts[one.check])],
            "counts": _counts(ones, verdicts),
        }
        for runbook, ones in sorted(by_runbook.items())
    ]


def _counts(definitions: list[ExpectedLine], verdicts: dict[str, list[ResultLine]]) -> list[dict[str, Any]]:
    counted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in definitions:
        counted[one.severity].update([_counts_as(said) for said in verdicts[one.check]] or ["missing"])
    return [{"severity": name, **{key: of[key] for key in COUNTED}} for name, of in sorted(counted.items())]


def _counts_as(verdict: ResultLine) -> str:
    said = verdict.outcome.value
    return {"pass": "passed", "fail": "waived" if verdict.waived else "failed"}.get(said, said)


def _worse(one: ResultLine, other: ResultLine) -> ResultLine:
    return min(one, other, key=lambda result: _WORST_FIRST.index(result.outcome.value))


def _shown(line: ReadLine) -> str | None:
    return line.text.decode(errors="replace")[:LONGEST] if line.number else None
