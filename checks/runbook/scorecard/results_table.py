"""The evidence of a run as a table: its schema, in code and never inferred.

Only the fields that the scorecard needs are named; what else a record holds stays in the store. All kinds of lines
share one schema: a field that a kind does not have is null.
"""

from pyspark.sql.types import ArrayType, BooleanType, DataType, LongType, MapType, StringType, StructField, StructType

BROKEN = "_broken"
"""Holds the line where it is no JSON object, or one with a field of another type."""

_TEXT = StringType()
_NUMBER = LongType()
_FLAG = BooleanType()


def _struct(**fields: DataType) -> StructType:
    return StructType([StructField(name, kind, nullable=True) for name, kind in fields.items()])


ROW = _struct(key=MapType(_TEXT, _TEXT), message=_TEXT, outcome=_TEXT, waived=_FLAG)
COMMON = _struct(entity=_TEXT, value=_TEXT, touched=_NUMBER, of=_NUMBER)
WAIVER = _struct(owner=_TEXT, reason=_TEXT, expires=_TEXT, rows=_NUMBER)
EXPECTED = _struct(check=_TEXT, severity=_TEXT, check_digest=_TEXT, runbook=_TEXT, runbook_version=_TEXT)

_EVERY_LINE = {"chain": _TEXT, "kind": _TEXT, "run": _TEXT, "environment": _TEXT, "started_at": _TEXT, "trigger": _TEXT}
_RUN = {"version": _NUMBER, "complete": _FLAG, "interrupted": _FLAG, "expected": ArrayType(EXPECTED)}
_RESULT = {
    "check": _TEXT,
    "subject": _TEXT,
    "outcome": _TEXT,
    "waived": _FLAG,
    "severity": _TEXT,
    "reason": _TEXT,
    "title": _TEXT,
    "judged": _NUMBER,
    "failed": _NUMBER,
    "rows": ArrayType(ROW),
    "common": ArrayType(COMMON),
    "waiver": WAIVER,
    "runbook": _TEXT,
    "runbook_version": _TEXT,
    "check_digest": _TEXT,
}
_MANIFEST = {"records": _NUMBER}

RECORD = _struct(**_EVERY_LINE, **_RUN, **_RESULT, **_MANIFEST, **{BROKEN: _TEXT})

REQUIRED = {
    "run": ("run", "environment", "started_at", "trigger", "version", "complete", "interrupted", "expected"),
    "result": (
        *("run", "environment", "check", "subject", "outcome", "waived", "severity", "reason", "title"),
        *("runbook", "runbook_version", "check_digest", "judged", "failed", "rows", "common"),
    ),
    "manifest": ("run", "environment", "records"),
}
"""Kind of line -> the fields without which it says nothing."""
