"""Read the evidence of one run: what each line says, or the reason why it is set aside.

Pure: bytes in, records out. The records are those that are written: `runbook.evidence.lines`.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from runbook.evidence.chain import START, Linked, hashed, taken_apart
from runbook.evidence.lines import ExpectedLine, ManifestLine, ResultLine, RunLine
from runbook.model.block import SEVERITIES
from runbook.model.moment import is_moment
from runbook.model.result import Outcome
from runbook.model.run import VERSION, Trigger

LARGEST = 64 * 2**20
"""Bytes; a file is read whole. A run leaves a few kilobytes for each check, so that this is no run's evidence."""

CHANGED = "it is not what was written there: changed, or a line before it dropped or moved"

Record = RunLine | ResultLine | ManifestLine
_KINDS: dict[str, type[Struct]] = {"run": RunLine, "result": ResultLine, "manifest": ManifestLine}
_decode = msgspec.json.Decoder(Record).decode
_FLAWS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class ReadLine(Struct, frozen=True):
    """A line of a run's file, or a finding about the whole of it.

    Attributes:
        number: counted from 1; 0 for a finding about the file.
        record: what it says; None if it is set aside.
        reason: why it is set aside; "" if it is not.
        text: the line as it stands.
    """

    number: int
    record: Record | None
    reason: str = ""
    text: bytes = b""


def examine(content: bytes | None, path: str, length: int | None = None) -> Iterator[ReadLine]:
    """Read a run's file, and say of each line what it holds or why it is set aside.

    A changed line spoils itself only: what follows it is judged by the chain value that stands in it.

    Args:
        content: of the file; None if it was not read, for its length.
        path: ends in runs/ENVIRONMENT/YYYY-MM-DD/RUN.jsonl; each line must say the same.
        length: in bytes, where there is no content.

    Yields:
        Findings about the whole file first (line 0), then every line in its order.
    """
    if content is None and length:
        yield ReadLine(0, None, f"the file has {length} bytes, more than any run leaves: not read")
        return
    if not content:
        yield ReadLine(0, None, "the file is empty")
        return
    lines = content.removesuffix(b"\n").split(b"\n")
    unfinished = _unfinished(content, lines)
    if unfinished:
        yield ReadLine(0, None, unfinished)
    place = _RunPath(path)
    orphaned = "the first line of its run is missing or was set aside: what the run was for is not known"
    previous = START.encode()
    has_run = False
    for number, text in enumerate(lines, start=1):
        record, reason = _record(text)
        line = taken_apart(text)
        reason = reason or place.reason(record) or ("" if _is_linked(previous, line) else CHANGED)
        if isinstance(record, RunLine):
            if not reason:
                has_run = True
            elif record.version > VERSION:
                orphaned = f"its run {_newer(record.version)}"
        elif not reason and isinstance(record, ResultLine) and not has_run:
            reason = orphaned
        yield ReadLine(number, None if reason else record, reason, text)
        previous = line.link if line else b""


def _is_linked(previous: bytes, line: Linked | None) -> bool:
    """Whether a line follows the one whose chain value is `previous`."""
    return line is not None and hashed(previous, line.body) == line.link


def _unfinished(content: bytes, lines: list[bytes]) -> str:
    try:
        last = msgspec.json.decode(lines[-1])
    except _FLAWS:
        last = None
    counts = isinstance(last, dict) and last.get("kind") == "manifest" and last.get("records") == len(lines) - 1
    if not counts:
        return f"the end is missing: {len(lines)} lines, and no manifest that counts them"
    return "" if content.endswith(b"\n") else "the end is missing: the last line is not complete"


class _RunPath:
    """Where a file lies, and so what its lines must say."""

    def __init__(self, path: str) -> None:
        self._environment, self._day, file = ["", "", *path.split("/")][-3:]
        self._run = file.removesuffix(".jsonl")

    def reason(self, record: Record | None) -> str:
        if record is None:
            return ""
        if isinstance(record, RunLine) and record.version > VERSION:
            return f"it {_newer(record.version)}"
        if isinstance(record, RunLine) and not is_moment(record.started_at):
            return f"started_at is {record.started_at}, which is no UTC time"
        if record.environment != self._environment:
            return "its environment is not the one it is filed under"
        if record.run != self._run:
            return "its run is not the one it is filed under"
        return self._about_the_day(record) if isinstance(record, RunLine) else ""

    def _about_the_day(self, record: RunLine) -> str:
        day = record.started_at[:10]
        if day != self._day:
            return f"it is filed under the day {self._day}, and began on {day}"
        if not record.run.startswith(day.replace("-", "")):
            return f"its run is named {record.run}, which does not begin with {day.replace('-', '')}, its day"
        return ""


def _newer(version: int) -> str:
    return f"is of format {version}, and this tool reads formats up to {VERSION}: install a newer release of it"


def _record(text: bytes) -> tuple[Record | None, str]:
    try:
        return _decode(text), ""
    except _FLAWS as error:
        return None, _flaw(text, error)


def _flaw(text: bytes, error: Exception) -> str:
    """Say what is wrong with a line that is no record."""
    if not text.strip():
        return "the line is empty"
    try:
        record = msgspec.json.decode(text)
    except _FLAWS:
        return "it is no JSON object"
    if not isinstance(record, dict):
        return "it is no JSON object"
    kind = record.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        return _not_among("kind", kind, _KINDS)
    version = record.get("version")
    if kind == "run" and isinstance(version, int) and version > VERSION:
        return f"it {_newer(version)}"
    return _lacking(record, _KINDS[kind]) or _strange(record) or f"a field is of another type: {error}"


def _lacking(record: Mapping[str, Any], kind: type[Struct]) -> str:
    required = [field.name for field in msgspec.structs.fields(kind) if field.required]
    lacks = [name for name in required if record.get(name) in (None, "")]
    return f"it lacks {', '.join(lacks)}" if lacks else ""


def _strange(record: Mapping[str, Any]) -> str:
    known = {"trigger": get_args(Trigger), "outcome": tuple(Outcome), "severity": SEVERITIES}
    kind: Literal["run", "result", "manifest"] = record["kind"]
    fields = {"run": ("trigger",), "result": ("outcome", "severity"), "manifest": ()}[kind]
    for name in fields:
        if record[name] not in known[name]:
            return _not_among(name, record[name], known[name])
    expected = record.get("expected")
    if kind == "run" and isinstance(expected, list):
        try:
            msgspec.convert(expected, list[ExpectedLine])
        except msgspec.ValidationError:
            return "an expected check lacks its name, runbook, severity or digest"
    return ""


def _not_among(field: str, value: object, known: Any) -> str:
    said = "not given" if value is None else value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return f"{field} is {said[:100]}, not one of {', '.join(known)}"
