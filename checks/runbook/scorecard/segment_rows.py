"""Files of evidence as rows of a segment: the step that Python workers do for Spark.

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

from runbook.evidence.lines import ExpectedLine, ResultLine, RowLine, RunLine
from runbook.evidence.reading import ReadLine, examine
from runbook.scorecard.segment_schema import COUNTED, KEYS, SEGMENTS, TABLES

UNDATED = "undated"
"""Stands for the week of a file that lies under no date."""

LONGEST = 2000
"""Characters of a line that was set aside; the store keeps the original."""

_WORST_FIRST = ("fail", "unknown", "pass", "not_applicable")
_encode = msgspec.json.Encoder(order="deterministic").encode


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
    for file in files:
        content = _content(file["address"]) if file["content"] is None and file["address"] else file["content"]
        for table, found in _tables(file["file"], file["length"], content).items():
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
            (run.environment, result.check, result.subject, run.started, run.run, run.scored, *_said(result))
            for result in results.values()
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
        ExpectedLine(result.runbook, result.check, result.severity, result.check_digest, result.runbook_version)
        for result in results.values()
    )
    for line in (*run.expected, *judged):
        definitions[line.check] = min(definitions.get(line.check, line), line)
    in_order = [definitions[name] for name in sorted(definitions)]
    runbooks = _by_runbook(in_order, results.values())
    return runbooks, _encode(in_order).decode(), _encode(run.head.waivers).decode()


def _by_runbook(definitions: list[ExpectedLine], results: Iterable[ResultLine]) -> list[dict[str, Any]]:
    verdicts: defaultdict[str, list[ResultLine]] = defaultdict(list)
    for result in results:
        verdicts[result.check].append(result)
    by_runbook: defaultdict[str, list[ExpectedLine]] = defaultdict(list)
    for definition in definitions:
        by_runbook[definition.runbook].append(definition)
    return [
        {
            "runbook": runbook,
            "listing": hashlib.sha256(_encode(ones)).hexdigest()[:32],
            "drilled": [line.check for line in ones if any(said.proof == "drilled" for said in verdicts[line.check])],
            "counts": _counts(ones, verdicts),
        }
        for runbook, ones in sorted(by_runbook.items())
    ]


def _counts(definitions: list[ExpectedLine], verdicts: dict[str, list[ResultLine]]) -> list[dict[str, Any]]:
    counted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for definition in definitions:
        counted[definition.severity].update([_counts_as(said) for said in verdicts[definition.check]] or ["missing"])
    return [{"severity": name, **{key: of[key] for key in COUNTED}} for name, of in sorted(counted.items())]


def _counts_as(verdict: ResultLine) -> str:
    said = verdict.outcome.value
    if said == "unknown" and verdict.unobserved:
        return "unobserved"
    return {"pass": "passed", "fail": "waived" if verdict.waived else "failed"}.get(said, said)


def _worse(one: ResultLine, other: ResultLine) -> ResultLine:
    return min(one, other, key=lambda result: _WORST_FIRST.index(result.outcome.value))


def _shown(line: ReadLine) -> str | None:
    return line.text.decode(errors="replace")[:LONGEST] if line.number else None
