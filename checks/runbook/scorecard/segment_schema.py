"""The columns of a segment's tables: in code, and never inferred."""

import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

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

COUNTED = ("passed", "failed", "waived", "unknown", "unobserved", "missing", "not_applicable")
"""What the verdicts of a run are counted by: each counts in one of these. Older segments have no `unobserved`."""

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


def schema_of(table: str) -> StructType:
    """The schema of one of the TABLES."""
    return from_arrow_schema(pa.schema(list(TABLES[table].items())))
