"""The evidence of runs: one immutable file of canonical JSON lines per environment and run.

    STORE/runs/ENVIRONMENT/YYYY-MM-DD/RUN.jsonl

The first line (`kind: run`) says what was asked, then one line per result (`kind: result`), then one (`kind: manifest`)
that counts the lines before it. Each line carries `chain`: SHA-256 over the previous line's chain and the line itself
without it, so that a changed, dropped, added or reordered line is noticed.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from runbook.engine.errors import UsageError
from runbook.engine.run import Head, Run

VERSION = 2
"""Of a run's file. Raised when a reader of the version before would misread it; new fields alone do not. 2: waivers of
the inventory, `generated`. Readers take every version up to their own."""
_START = "0" * 64


class NotKept(UsageError):  # noqa: N818 - reads as a sentence
    """The results could not be written; they are in the report all the same."""


def write_run(store: Path, run: Run) -> list[Path]:
    """Write a run's evidence, one file per environment; each appears whole or not at all.

    Returns:
        The files written.

    Raises:
        NotKept: a file can't be written: no space, no rights.
    """
    written = []
    heads = {result.environment: Head(result.environment) for result in run.results}
    for head in (heads | {head.environment: head for head in run.heads}).values():
        file = store / "runs" / head.environment / run.started_at[:10] / f"{run.id}.jsonl"
        content = b"".join(line + b"\n" for line in chained(_records(run, head)))
        try:
            write_atomically(file, content)
        except OSError as error:
            why = error.strerror or str(error)
            raise NotKept(f"results of {head.environment} could not be kept in {file}: {why}") from error
        written.append(file)
    return written


def write_atomically(file: Path, content: bytes) -> None:
    """Write a file so that readers see all of it or nothing, even after a crash.

    Raises:
        OSError: it could not be written; no half file is left.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    passing = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        with passing.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        passing.replace(file)
    finally:
        passing.unlink(missing_ok=True)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _records(run: Run, head: Head) -> Iterator[dict[str, Any]]:
    environment = head.environment
    about = {"run": run.id, "environment": environment, "started_at": run.started_at, "trigger": run.trigger}
    yield about | {
        "kind": "run",
        "version": VERSION,
        "tool_version": run.tool_version,
        "complete": run.complete,
        "interrupted": run.interrupted,
        "generated": run.generated,
        "took_ms": run.took_ms,
        "head": msgspec.to_builtins(head),
        "expected": msgspec.to_builtins(run.expected),
    }
    count = 1
    for result in run.results:
        if result.environment == environment:
            count += 1
            yield about | {"kind": "result", "waived": result.waived} | msgspec.to_builtins(result)
    yield about | {"kind": "manifest", "records": count}


def chained(records: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """Canonical JSON lines, each with its link of the chain."""
    chain = _START
    for record in records:
        chain = link(chain, record)
        yield msgspec.json.encode(record | {"chain": chain}, order="deterministic")


def link(previous: str, record: dict[str, Any]) -> str:
    """The chain value of a record that follows one whose chain value is `previous`."""
    return hashlib.sha256(previous.encode() + msgspec.json.encode(record, order="deterministic")).hexdigest()


def verify_file(content: bytes) -> str:
    """Say what is wrong with a run's file, or "" if it is as it was written."""
    chain = _START
    last: dict[str, Any] = {}
    number = 0
    if not content.endswith(b"\n"):
        return "the end is missing: the last line is not complete"
    for number, line in enumerate(content[:-1].split(b"\n"), start=1):
        try:
            record: dict[str, Any] = msgspec.json.decode(line, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return f"line {number} is no JSON object: {error}"
        chain = link(chain, {name: value for name, value in record.items() if name != "chain"})
        canonical = msgspec.json.encode(record, order="deterministic")
        if record.get("chain") != chain or canonical != line:
            return f"line {number} is not what was written there: changed, or a line before it dropped or moved"
        last = record
    if last.get("kind") != "manifest" or last.get("records") != number - 1:
        return f"the end is missing: {number} lines, and no manifest that counts them"
    return ""
