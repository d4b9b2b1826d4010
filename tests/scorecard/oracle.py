"""The scorecard once more, by plain SQL over all results: nothing of it is shared with the job."""

import hashlib
import json
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

Row = dict[str, Any]

_SQL = Path(__file__).with_suffix(".sql")
_SEVERITIES = {"info", "low", "medium", "high", "critical"}
_TEXTS = {
    "run": ("run", "environment", "started_at"),
    "result": (
        *("run", "environment", "check", "subject", "reason", "title"),
        *("runbook", "runbook_version", "check_digest"),
    ),
    "manifest": ("run", "environment"),
}
_OTHERS: dict[str, dict[str, type]] = {
    "run": {"version": int, "complete": bool, "interrupted": bool, "expected": list},
    "result": {"waived": bool, "judged": int, "failed": int, "rows": list, "common": list},
    "manifest": {"records": int},
}
_AMONG = {
    "run": {"trigger": {"scheduled", "manual", "incident", "ci"}},
    "result": {"outcome": {"pass", "fail", "unknown", "not_applicable"}, "severity": _SEVERITIES},
    "manifest": {},
}


class Oracle:
    """A scorecard.

    Attributes:
        tables: table -> rows; empty if there is nothing to score.
        aside: file and line of what was set aside.
        counts: of what was read.
        as_of: the moment it is of.
    """

    def __init__(self, store: Path, as_of: str | None, weeks: int) -> None:
        self.aside: list[tuple[str, int]] = []
        self.tables: dict[str, list[Row]] = {}
        self.counts = dict.fromkeys(("files", "lines", "runs", "scored_runs", "results", "duplicates", "later"), 0)
        self._rows: dict[str, list[Row]] = {name: [] for name in _COLUMNS}
        for file in sorted(store.glob("runs/*/*/*.jsonl")):
            self.counts["files"] += 1
            self._read(file.relative_to(store).as_posix(), file.read_bytes())
        for file in sorted(store.glob("expected/*/*.json")):
            self._expect(file.relative_to(store).as_posix(), file.read_bytes())
        self.counts["quarantined"] = len(self.aside)
        runs = self._rows["runs"]
        self.as_of = as_of or (max(runs, key=lambda run: (run["started"], run["run"]))["started_at"] if runs else "")
        self.counts["runs"] = len(runs)
        self.counts["scored_runs"] = sum(run["scored"] for run in runs)
        self.counts["later"] = sum(run["started"] > _moment(self.as_of) for run in runs)
        if self.counts["later"] < len(runs):
            self._measure(weeks)

    def _read(self, file: str, content: bytes) -> None:
        if not content:
            self.aside.append((file, 0))
            return
        lines = content.removesuffix(b"\n").split(b"\n")
        self.counts["lines"] += len(lines)
        last = _json(lines[-1])
        if not content.endswith(b"\n") or (last.get("kind"), last.get("records")) != ("manifest", len(lines) - 1):
            self.aside.append((file, 0))
        run: Row | None = None
        kept: dict[tuple[str, str], int] = {}
        before = "0" * 64
        for number, line in enumerate(lines, start=1):
            record = _json(line)
            sound = _is_sound(record, file) and _chained(line, record, before)
            before = found[1].decode() if (found := re.match(rb'\{"chain":"([0-9a-f]{64})"', line)) else "?"
            if not sound or (record["kind"] == "result" and run is None):
                self.aside.append((file, number))
            elif record["kind"] == "run":
                run = record
                self._keep_run(file, record)
            elif record["kind"] == "result":
                key = (record["check"], record["subject"])
                kept[key] = kept.get(key, 0) + 1
                self._keep_result(number, record)
        self.counts["results"] += len(kept)
        self.counts["duplicates"] += sum(kept.values()) - len(kept)

    def _keep_run(self, file: str, record: Row) -> None:
        scored = record["trigger"] == "scheduled" and record["complete"] and not record["interrupted"]
        about = {"environment": record["environment"], "run": record["run"]}
        started = _moment(record["started_at"])
        own = {"file": file, "scored": scored, "started": started, "started_at": record["started_at"]}
        self._rows["runs"].append(about | own)
        self._rows["definitions"] += [about | _renamed(check) for check in record["expected"]]
        for waiver in record.get("head", {}).get("waivers", []):
            rows = json.dumps(waiver["rows"], separators=(",", ":"))
            self._rows["declared"].append(about | _renamed(waiver) | {"rows": rows})

    def _keep_result(self, line: int, record: Row) -> None:
        lists = {name: json.dumps(record.get(name)) for name in ("rows", "common", "waiver")}
        row = _renamed(record) | lists | {"line": line}
        self._rows["verdicts"].append(row)
        self._rows["definitions"].append(row)

    def _expect(self, file: str, content: bytes) -> None:
        record = _json(content)
        digest = record.pop("sha256", "")
        if hashlib.sha256(_canonical(record)).hexdigest() != digest:
            self.aside.append((file, 0))
            return
        self._rows["snapshots"].append({"file": file, "taken": _moment(record["at"])})
        for environment, books in record["environments"].items():
            self._rows["planned"] += [{"file": file, "environment": environment, "runbook": book} for book in books]
        self._rows["planned_checks"] += [{"file": file} | _renamed(check) for check in record["checks"]]

    def _measure(self, weeks: int) -> None:
        now = _moment(self.as_of)
        with duckdb.connect(config={"threads": 1}) as base:
            for name, columns in _COLUMNS.items():
                rows = [{column: row.get(column) for column in columns} for row in self._rows[name]]
                base.register("given", pa.Table.from_pylist(rows, schema=pa.schema(list(columns.items()))))
                base.execute(f"CREATE TABLE {name} AS SELECT * FROM given")
            base.execute("CREATE TABLE card (as_of TIMESTAMP, last DATE, weeks INTEGER)")
            base.execute("INSERT INTO card VALUES (?, ?, ?)", [now, (now - timedelta(now.weekday())).date(), weeks])
            base.execute(_SQL.read_text(encoding="utf-8"))
            for table in _TABLES:
                found = base.execute(f"SELECT * FROM out_{table}")
                names = [column[0] for column in found.description]
                self.tables[table] = [
                    _as_the_job_gives_it(dict(zip(names, row, strict=True))) for row in found.fetchall()
                ]


_TEXT, _NUMBER, _FLAG, _MOMENT = pa.string(), pa.int64(), pa.bool_(), pa.timestamp("us")
_DEFINITION = dict.fromkeys(("runbook", "name", "severity", "check_digest", "runbook_version"), _TEXT)
_RUN = {"environment": _TEXT, "run": _TEXT}
_COLUMNS: dict[str, dict[str, pa.DataType]] = {
    "runs": _RUN | {"file": _TEXT, "scored": _FLAG, "started": _MOMENT, "started_at": _TEXT},
    "definitions": _RUN | _DEFINITION,
    "verdicts": _RUN
    | dict.fromkeys(("name", "subject", "outcome", "reason", "title", "proof", "runbook", "severity"), _TEXT)
    | {"waived": _FLAG, "unobserved": _FLAG, "judged": _NUMBER, "failed": _NUMBER, "line": _NUMBER}
    | dict.fromkeys(("rows", "common", "waiver"), _TEXT),
    "declared": _RUN | dict.fromkeys(("name", "owner", "reason", "expires", "rows"), _TEXT) | {"needed": _FLAG},
    "snapshots": {"file": _TEXT, "taken": _MOMENT},
    "planned": {"file": _TEXT, "environment": _TEXT, "runbook": _TEXT},
    "planned_checks": {"file": _TEXT} | _DEFINITION,
}
_TABLES = ("scores", "trend", "states", "failing", "changes", "checks", "waivers", "drills", "definitions")
_LISTS = ("common", "waiver")


def _as_the_job_gives_it(row: Row) -> Row:
    """A row as the job gives it: lists and records instead of their JSON."""
    if "common" in row:
        kept = ("key", "message", "outcome", "waived")
        row["rows"] = [{name: entry[name] for name in kept} for entry in json.loads(row["rows"])]
        row |= {name: json.loads(row[name]) for name in _LISTS}
        (row["waiver"] or {}).pop("base", None)  # of a pull request, which is no result of a week
    return row


def _renamed(record: Row) -> Row:
    return record | {"name": record["check"]}


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=None)


def _json(line: bytes) -> Row:
    try:
        record = json.loads(line)
    except ValueError:
        return {}
    return record if isinstance(record, dict) else {}


def _canonical(record: Row) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def _chained(line: bytes, record: Row, before: str) -> bool:
    body = {name: value for name, value in record.items() if name != "chain"}
    chain = hashlib.sha256(before.encode() + _canonical(body)).hexdigest()
    return line == _canonical(body | {"chain": chain})


def _is_sound(record: Row, file: str) -> bool:
    """Whether a record says all it must, in words that are known, in the place where it belongs."""
    kind = record.get("kind")
    if kind not in _TEXTS:
        return False
    _, environment, day, name = file.split("/")
    typed = all(isinstance(record.get(name), str) and record[name] for name in _TEXTS[kind])
    typed = typed and all(isinstance(record.get(name), wanted) for name, wanted in _OTHERS[kind].items())
    known = all(record.get(name) in values for name, values in _AMONG[kind].items())
    if not (typed and known and record["environment"] == environment and record["run"] == name.removesuffix(".jsonl")):
        return False
    if kind != "run":
        return True
    try:
        _moment(record["started_at"])
    except ValueError:
        return False
    own_day = record["started_at"][:10]
    return record["version"] <= 3 and own_day == day and name.startswith(own_day.replace("-", ""))
