"""Evidence as rows: the schema, in code and never inferred, and the step that Python workers do for Spark.

Lists and records inside a result are kept as JSON text: few of them are ever looked at.
"""

import datetime as dt
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain
from typing import Any

import msgspec
import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from runbook.engine.evidence import ExpectedLine, Line, ResultLine, RowLine, RunLine, examine

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
"""Table of a segment -> its columns, by which its rows are sorted from the left."""

LONGEST = 2000
"""Characters of a line that was set aside; the store keeps the original."""

Files = tuple[pa.Array, pa.Array, pa.Array]
"""The places, lengths and contents of some files."""

_STRUCTS = {name: pa.struct(list(columns.items())) for name, columns in TABLES.items()}
VERDICTS = ("results",)
"""Tables that `verdicts_of_files` gives: nearly all there is."""

FACTS = ("sources", "runs", "aside")
"""Tables that `facts_of_files` gives."""

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


def schema_of_files(tables: tuple[str, ...]) -> StructType:
    """What is given of a file: its week, and a list of rows for each table."""
    return from_arrow_schema(pa.schema(_of_file(tables)))


def verdicts_of_files(batches: Iterable[Files]) -> Iterator[pa.Array]:
    """Turn files, a few at a time, into their verdicts, as `schema_of_files` says."""
    return _rows_of_files(batches, VERDICTS)


def facts_of_files(batches: Iterable[Files]) -> Iterator[pa.Array]:
    """Turn files, a few at a time, into all else, as `schema_of_files` says."""
    return _rows_of_files(batches, FACTS)


def _of_file(tables: tuple[str, ...]) -> list[pa.Field]:
    return [pa.field("week", _TEXT), *(pa.field(name, pa.list_(_STRUCTS[name])) for name in tables)]


def _rows_of_files(batches: Iterable[Files], tables: tuple[str, ...]) -> Iterator[pa.Array]:
    for files, lengths, contents in batches:
        found = [
            _tables(file.as_py(), length.as_py(), content.as_py())
            for file, length, content in zip(files, lengths, contents, strict=True)
        ]
        columns = [_lists(name, [one.get(name, []) for one in found]) for name in tables]
        weeks = pa.array([week_of(file.as_py()) for file in files], _TEXT)
        yield pa.StructArray.from_arrays([weeks, *columns], fields=_of_file(tables))


def _lists(table: str, of_files: list[list[tuple[Any, ...]]]) -> pa.Array:
    """One list for each file, of rows that are built column by column."""
    kinds = list(TABLES[table].values())
    rows = list(chain.from_iterable(of_files))
    columns = zip(*rows, strict=True) if rows else [()] * len(kinds)
    typed = [pa.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
    flat = pa.StructArray.from_arrays(typed, fields=list(_STRUCTS[table]))
    offsets = pa.array(accumulate(map(len, of_files), initial=0), pa.int32())
    return pa.ListArray.from_arrays(offsets, flat)


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


def _shown(line: Line) -> str | None:
    return line.text.decode(errors="replace")[:LONGEST] if line.number else None
